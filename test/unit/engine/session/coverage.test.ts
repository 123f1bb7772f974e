import { describe, expect, it } from 'vitest';
import { CoverageCount } from '../../../../src/engine/session/coverage';
import type { AgentEvent } from '../../../../src/core/model';

function count(...events: readonly Partial<AgentEvent>[]) {
  const coverage = new CoverageCount();
  for (const event of events) coverage.push(event as AgentEvent);
  const { seen, there } = coverage.snapshot();
  return { seen, there, blind: coverage.blindCalls };
}

const call = (id: string, batch = id) => ({ type: 'tool_call', id, batch }) as const;
const result = (id: string) => ({ type: 'tool_result', id }) as const;
const says = { type: 'assistant', chunk: false } as const;

describe('a step is seen once its outcome is known, or while it runs', () => {
  it('calls that run in parallel are seen', () => {
    expect(count(call('a', 'one'), call('b', 'one'), call('c', 'one'))).toEqual({ seen: 3, there: 3, blind: 0 });
  });

  it('a call without a result is lost once the agent continues, and found when its result comes late', () => {
    expect(count(call('a'), says)).toEqual({ seen: 0, there: 1, blind: 1 });
    expect(count(call('a'), call('b'), result('b'))).toEqual({ seen: 1, there: 2, blind: 0 });
    expect(count(call('a'), call('b'), result('b'), result('a'))).toEqual({ seen: 2, there: 2, blind: 0 });
  });

  it('a result that does not say how the call ended is not understood, but is not lost', () => {
    expect(count(call('a'), { ...result('a'), outcome: 'unknown' })).toEqual({ seen: 0, there: 1, blind: 0 });
  });

  it('results without a call count for nothing, even if the calls name no message that they belong to', () => {
    const alone = (id: string) => ({ type: 'tool_call', id }) as const;
    expect(count(alone('a'), result('x'), alone('b'), result('y'), alone('c'), result('z'))).toEqual({
      seen: 0,
      there: 3,
      blind: 3,
    });
  });

  it.each([
    { type: 'user', automated: false },
    { type: 'turn_end', reason: 'interrupted' },
    { type: 'session_end', reason: 'died' },
  ] as const)('a call that was broken off needs no other outcome: $type', (end) => {
    expect(count(call('a'), end, says)).toEqual({ seen: 1, there: 1, blind: 0 });
  });

  it('a prompt from a program breaks nothing off: the call before it has still lost its result', () => {
    expect(count(call('a'), { type: 'user', automated: true }, says)).toEqual({ seen: 0, there: 1, blind: 1 });
  });

  it('markers of calls that were not decoded, and records that look like calls, exist but are not seen', () => {
    const coverage = new CoverageCount();
    for (let line = 1; line <= 4; line++) {
      coverage.lineRead(line > 2 ? 1 : 0, 1);
      coverage.problem({ line, offset: 0, why: 'unknown block "x"', call: true });
    }
    expect(coverage.snapshot()).toMatchObject({ seen: 0, there: 4, lines: 4, skipped: 4 });
    expect([coverage.blindCalls, coverage.isBlind]).toEqual([4, true]);
    coverage.push(call('a') as AgentEvent);
    coverage.push(result('a') as AgentEvent);
    expect([coverage.blindCalls, coverage.isBlind]).toEqual([0, false]);
  });

  it('calls that name no message are lost when more than twenty have no result, and found with it', () => {
    const alone = (id: number) => ({ type: 'tool_call', id: `${id}` }) as const;
    const calls = Array.from({ length: 20 }, (_, id) => alone(id));
    expect(count(...calls)).toEqual({ seen: 20, there: 20, blind: 0 });
    expect(count(...calls, alone(20))).toEqual({ seen: 0, there: 21, blind: 21 });
    expect(count(...calls, alone(20), result('3'))).toEqual({ seen: 1, there: 21, blind: 0 });
  });
});

describe('an agent whose lines are mostly not understood', () => {
  /** True if it is not monitored after this many lines of unknown and known kinds. */
  function isBlind(unknown: number, known: number): boolean {
    const coverage = new CoverageCount();
    for (let line = 1; line <= unknown + known; line++) {
      coverage.lineRead(0, 1);
      if (line <= unknown) coverage.problem({ line, offset: 0, why: 'unknown type "x"' });
    }
    return coverage.isBlind;
  }

  it.each([
    [4, 0, false],
    [5, 0, true],
    [5, 4, true],
    [5, 5, false],
    [30, 2, true],
    [39, 39, false],
    [40, 400, true],
  ])('%i unknown and %i known: not monitored %s', (unknown, known, blind) =>
    expect(isBlind(unknown, known)).toBe(blind),
  );

  it('is judged by the lines since the last outcome', () => {
    const coverage = new CoverageCount();
    const unknown = () => {
      coverage.lineRead(0, 1);
      coverage.problem({ line: 1, offset: 0, why: 'unknown type "x"' });
    };
    coverage.lineRead(0, 100);
    coverage.push(call('a') as AgentEvent);
    coverage.push(result('a') as AgentEvent);
    for (let n = 0; n < 5; n++) unknown();
    expect(coverage.isBlind).toBe(true);
    coverage.lineRead(0, 2);
    coverage.push(call('b') as AgentEvent);
    coverage.push(result('b') as AgentEvent);
    expect(coverage.isBlind).toBe(false);
  });
});

it('of problems and of lost calls, the newest are kept and all are counted', () => {
  const coverage = new CoverageCount();
  for (let line = 1; line <= 1_001; line++) coverage.problem({ line, offset: 0, why: 'x' });
  const { problems, skipped } = coverage.snapshot();
  expect([problems.length, problems[0]?.line, problems.at(-1)?.line, skipped]).toEqual([1_000, 2, 1_001, 1_001]);
  const lost = new CoverageCount();
  for (let id = 0; id < 600; id++) for (const event of [call(`c${id}`), says]) lost.push(event as AgentEvent);
  lost.push(result('c99') as AgentEvent);
  expect(lost.snapshot().seen).toBe(0);
  lost.push(result('c100') as AgentEvent);
  expect(lost.snapshot().seen).toBe(1);
});
