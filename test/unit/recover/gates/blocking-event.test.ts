import { describe, expect, it } from 'vitest';
import type { GateFailure, GateReport, GateResult } from '../../../../src/core/model';
import { blockingEvent, blockingMarkdown } from '../../../../src/recover/gates/blocking-event';
import { readGateOutput } from '../../../../src/recover/gates/failures';
import { failureWords, verdictOf } from '../../../../src/recover/gates/verdict';

const result = (name: string, status: GateResult['status'], more: Partial<GateResult> = {}): GateResult => ({
  id: name,
  name,
  command: `run ${name}`,
  status,
  reason: '',
  summary: '',
  failures: [],
  startedAt: 1,
  ms: 5,
  output: '',
  ...more,
});
const event = (results: readonly GateResult[], claim = 'DONE', advice?: ReadonlyMap<string, string>) => {
  const report: GateReport = {
    folder: '/w',
    cause: 'claim',
    claim,
    startedAt: 1,
    endedAt: 2,
    verdict: 'failed',
    results,
    attempt: 1,
  };
  const found = blockingEvent(report, advice);
  if (!found) throw new Error('something failed');
  return found;
};
const failed = (name: string, more: Partial<GateResult> = {}) => result(name, 'failed', more);

describe('what blocked a claim', () => {
  it('is the first gate that failed, and what all of them found', () => {
    const failures: GateFailure[] = [{ message: 'bad' }];
    const found = event([
      result('a', 'passed'),
      failed('b', { failures, summary: '1 problem' }),
      failed('c', { failures }),
    ]);
    expect(found).toMatchObject({ originalRequest: 'DONE', blockedBy: 'b', summary: 'b failed: 1 problem' });
    expect(found.details).toEqual(['b: bad', 'c: bad']);
    expect(event([failed('b', { failures })]).details).toEqual(['bad']);
    expect(event([failed('b')], ' ').originalRequest).toBe('the end of the turn');
  });

  it.each<[GateFailure, string]>([
    [{ message: 'm', file: 'a.ts', line: 3, column: 4, test: 't' }, 'a.ts:3:4 t: m'],
    [{ message: 'm', file: 'a.ts', line: 3 }, 'a.ts:3 m'],
    [{ message: 'm', file: 'a.ts' }, 'a.ts m'],
    [{ message: 'm', line: 3, column: 4, test: '' }, 'm'],
    [{ message: 'a\nb', test: 'c\nd', file: 'e\nf' }, 'e f c d: a b'],
  ])('for %j is reported as: %s', (failure, told) => {
    expect(event([failed('a', { failures: [failure] })]).details).toEqual([told]);
  });

  it('is reported in full twelve times, then counted', () => {
    const failures = (count: number) => Array.from({ length: count }, (_, n) => ({ message: `m${n}` }));
    expect(event([failed('a', { failures: failures(12) })]).details.at(-1)).toBe('m11');
    expect(event([failed('a', { failures: failures(13) })]).details.slice(-2)).toEqual(['m11', 'and 1 more']);
  });

  it.each([
    ['tests', ['Review the failing test assertions.', 'Check if recent changes broke existing behavior.']],
    ['unit test', ['Review the failing test assertions.', 'Check if recent changes broke existing behavior.']],
    ['TESTS lint', ['Review the failing test assertions.', 'Check if recent changes broke existing behavior.']],
    ['lint', ['Fix the reported style and lint issues.']],
    ['Lint build', ['Fix the reported style and lint issues.']],
    ['build', ['Fix the compilation errors before anything else.', 'Check for missing imports or typos.']],
    ['types', ['Fix the compilation errors before anything else.', 'Check for missing imports or typos.']],
    ['Compile', ['Fix the compilation errors before anything else.', 'Check for missing imports or typos.']],
    ['latest', ['Fix what latest reports.']],
    ['docs', ['Fix what docs reports.']],
  ])('in %s comes with advice', (name, advice) => {
    const again = `Run \`run ${name}\` yourself before you say again that the work is done.`;
    expect(event([failed(name)]).suggestions).toEqual([...advice, again]);
  });

  it('comes with the advice of the user if there is one', () => {
    const again = 'Run `run a` yourself before you say again that the work is done.';
    expect(event([failed('a')], 'x', new Map([['a', ' Read it. ']])).suggestions).toEqual(['Read it.', again]);
    expect(event([failed('a')], 'x', new Map([['a', ' ']])).suggestions[0]).toBe('Fix what a reports.');
    expect(event([failed('a')], 'x', new Map([['b', 'y']])).suggestions[0]).toBe('Fix what a reports.');
  });
});

describe('the words for a blocked agent', () => {
  it('have each gate with its state, and each output if no failure was read', () => {
    const gates = [
      failed('a`b', { output: 'boom', reason: 'x' }),
      failed('silent'),
      failed('read', { output: 'not shown', failures: [{ message: 'bad' }] }),
      result('run', 'running', { reason: 'x' }),
      result('wait', 'not_run'),
      result('late', 'not_run', { reason: 'too late' }),
      result('skip', 'skipped'),
      result('good', 'passed', { output: 'not shown' }),
    ];
    expect(
      blockingMarkdown({ ...event(gates, 'my `claim`'), suggestions: [] }, 2, 3),
    ).toBe(`## Completion Blocked: a\`b failed

Your \`my 'claim'\` request was blocked.

### Issues Found
\`\`\`
read: bad
\`\`\`

### End of the Output of a\`b
\`\`\`
boom
\`\`\`

### Gate Status
[ ] a\`b: failed
[ ] silent: failed
[ ] read: failed
[>] run: running
[-] wait: not run
[-] late: not run (too late)
[~] skip: skipped
[x] good: passed

Unstuck, an automated watcher, ran \`run a'b\` and wrote this (2 of 3).
If nothing is failing any more, ignore this.`);
  });

  it('name no command if none failed', () => {
    const text = blockingMarkdown(
      { ...event([failed('a')]), gates: [result('a', 'passed')], suggestions: ['x', 'y'] },
      1,
      3,
    );
    expect(text).not.toContain('automated watcher');
    expect(text).not.toContain('Issues Found');
    expect(text).toContain('### Suggested Actions\n1. x\n2. y\n\n### Gate Status\n[x] a: passed\n\nIf nothing');
  });
});

describe('a verdict', () => {
  it.each<[GateResult['status'][], string]>([
    [[], 'none'],
    [['passed'], 'passed'],
    [['skipped'], 'none'],
    [['passed', 'skipped'], 'passed'],
    [['passed', 'running'], 'none'],
    [['passed', 'not_run'], 'none'],
    [['not_run', 'failed'], 'failed'],
    [['passed', 'failed'], 'failed'],
  ])('of %j is %s', (statuses, verdict) => {
    expect(verdictOf(statuses.map((status) => result('a', status)))).toBe(verdict);
  });

  it('counts if both numbers are known', () => {
    expect(failureWords(failed('a', { failed: 2, total: 3, summary: 's' }))).toBe('a failed: 2 of 3');
    expect(failureWords(failed('a', { failed: 0, total: 0, summary: 's' }))).toBe('a failed: s');
    expect(failureWords(failed('a', { total: 3 }))).toBe('a failed');
    expect(failureWords(failed('a', { failed: 3, summary: 's' }))).toBe('a failed: s');
  });
});

describe('a failure in the output of a gate', () => {
  it('has its place and its message', () => {
    expect(readGateOutput('src/a.c:3:4: error: expected `;`\n').failures).toEqual([
      { file: 'src/a.c', line: 3, column: 4, message: expect.stringContaining('expected') },
    ]);
    expect(readGateOutput('all good\n').failures).toEqual([]);
  });
});
