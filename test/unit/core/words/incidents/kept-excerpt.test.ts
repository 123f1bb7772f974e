import { describe, expect, it } from 'vitest';
import { excerptText, keptExcerpt } from '../../../../../src/core/words';
import { T0, incident } from '../../../history/support/incidents';

describe('what the history keeps of a transcript that is gone', () => {
  const stuck = incident({
    lastSample: {
      source: incident().evidence[3]?.source ?? { file: '', line: 0, offset: 0 },
      at: T0 + 1_000,
      text: 'FAILED test_add\n1 failed, 3 passed',
      ignored: [],
    },
  });
  const [first, , , last] = stuck.evidence;

  it('is its evidence in order, with the requested place highlighted', () => {
    const kept = first && keptExcerpt(stuck, first.source);
    expect(kept?.entries.map(({ line, isLit }) => [line, isLit])).toEqual([
      [88, true],
      [90, false],
      [93, false],
      [95, false],
    ]);
    expect(kept?.entries[0]).toMatchObject({
      kind: 'call',
      text: 'pytest -q',
      result: { text: '1 failed, 3 passed: test_add', failed: false, at: T0 },
    });
  });

  it('has the last result in full', () => {
    const kept = last && keptExcerpt(stuck, last.source);
    expect(kept?.entries.at(-1)).toMatchObject({
      isLit: true,
      result: { text: 'FAILED test_add\n1 failed, 3 passed', at: T0 + 1_000 },
    });
    expect(kept?.entries[0]?.result?.text).toBe('1 failed, 3 passed: test_add');
  });

  it('also finds the last result by where its step ended', () => {
    const end = { file: '/t', line: 7, offset: 700 };
    const [one] = incident().evidence;
    if (!one) throw new Error('no evidence');
    const ended = incident({
      evidence: [{ ...one, end }],
      lastSample: { source: end, at: T0, text: 'all of it', ignored: [] },
    });
    expect(keptExcerpt(ended, one.source)?.entries[0]?.result?.text).toBe('all of it');
  });

  it('says first that it is a copy', () => {
    const kept = first && keptExcerpt(stuck, first.source);
    const lines = kept ? excerptText(kept).text.split('\n') : [];
    expect(lines.slice(0, 4)).toEqual([
      'Claude Code, lines 88 to 95',
      stuck.file,
      'Copy from the history: the transcript is gone, was replaced or cannot be read. Long texts are shortened and secrets removed.',
      '',
    ]);
    expect(kept && excerptText(kept).lit[0]).toBe(4);
  });

  it('shows a message as what the agent said', () => {
    const source = { file: '/t', line: 3, offset: 30 };
    const said = incident({ evidence: [{ source, at: T0, role: 'first', subject: 'message', text: 'I try again.' }] });
    expect(keptExcerpt(said, source)?.entries).toEqual([
      { kind: 'agent', at: T0, line: 3, text: 'I try again.', isLit: true },
    ]);
    const short = incident({ evidence: [{ source, at: T0, role: 'first', subject: 'message', text: '' }] });
    expect(keptExcerpt(short, source)?.entries[0]?.text).toBe('message');
  });

  it('is null for a place that is not in its evidence', () => {
    const place = first?.source ?? { file: '', line: 0, offset: 0 };
    expect(keptExcerpt(stuck, { ...place, file: '/else' })).toBeNull();
    expect(keptExcerpt(stuck, { ...place, line: 89 })).toBeNull();
    expect(keptExcerpt(stuck, { ...place, offset: 1 })).toBeNull();
  });
});
