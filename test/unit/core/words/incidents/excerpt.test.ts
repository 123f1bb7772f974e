import { describe, expect, it } from 'vitest';
import { type ExcerptEntry, excerptText } from '../../../../../src/core/words';

const AT = new Date(2026, 10, 20, 17, 9, 38).getTime();
const entry = (more: Partial<ExcerptEntry>): ExcerptEntry => ({
  kind: 'call',
  at: AT,
  line: 1391,
  text: 'pytest -q',
  isLit: false,
  ...more,
});
const textOf = (...entries: ExcerptEntry[]) => excerptText({ agentName: 'Claude Code', file: '/t.jsonl', entries });

describe('an excerpt of a transcript as text', () => {
  it('says who acted, which call it was and what it returned', () => {
    const { text, lit } = textOf(
      entry({ kind: 'person', text: 'Fix it', line: 1389 }),
      entry({
        isLit: true,
        input: 'pytest -q 2>&1',
        result: { text: '1 failed\n46 passed\n', failed: true, at: AT + 2000 },
      }),
      entry({ kind: 'agent', text: 'I see.', line: 0 }),
    );
    expect(text.split('\n')).toEqual([
      'Claude Code, lines 1,389 to 1,391',
      '/t.jsonl',
      '',
      '17:09:38  You    line 1,389',
      '    Fix it',
      '',
      '17:09:38  Call: pytest -q    line 1,391',
      '    pytest -q 2>&1',
      '    ✗ failed, 17:09:40',
      '    1 failed',
      '    46 passed',
      '',
      '17:09:38  Claude Code',
      '    I see.',
      '',
    ]);
    expect(lit).toEqual([6, 11]);
  });

  it('names what is not a step, and a call whose result is pending or whose name is before the excerpt', () => {
    const lines = textOf(
      entry({ kind: 'error', text: 'overloaded' }),
      entry({ kind: 'note', text: 'The context was compacted.' }),
      entry({ kind: 'program', text: 'Go on' }),
      entry({}),
      entry({ text: '', result: { text: 'ok', failed: false, at: AT } }),
    ).text.split('\n');
    expect(lines.filter((line) => line.startsWith('17:'))).toEqual([
      '17:09:38  Error    line 1,391',
      '17:09:38  Note    line 1,391',
      '17:09:38  A program    line 1,391',
      '17:09:38  Call: pytest -q    line 1,391',
      '17:09:38  Result of an earlier call    line 1,391',
    ]);
    expect(lines).toContain('    no result yet');
    expect(lines).toContain('    → result, 17:09:38');
  });

  it('leaves out the middle of long text, but less of it where it is highlighted', () => {
    const long = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');
    const shown = (isLit: boolean) => textOf(entry({ isLit, result: { text: long, failed: false, at: AT } })).text;
    expect(shown(false)).toContain('    line 11\n    … 276 lines more …\n    line 288');
    expect(shown(true)).toContain('    line 150\n');
    expect(textOf(entry({ kind: 'agent', text: 'x'.repeat(9_000) })).text.length).toBeLessThan(2_200);
  });

  it('shows hidden characters', () => {
    const { text } = textOf(entry({ text: 'rm\u202e', result: { text: 'a\u001b[2Jb', failed: false, at: AT } }));
    expect(text).not.toMatch(/\u202e|\u001b/);
  });

  it('says nothing about lines where none is known', () => {
    expect(textOf(entry({ line: 0 })).text.split('\n')[0]).toBe('Claude Code');
  });
});
