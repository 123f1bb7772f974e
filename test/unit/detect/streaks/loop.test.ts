import { describe, expect, test } from 'vitest';
import type { PastStep } from '../../../../src/detect/steps/step';
import { OccurrenceLog } from '../../../../src/detect/streaks/evidence';
import { type Loop, belongsTo, endedBy, include, isBack, isCompared } from '../../../../src/detect/streaks/loop';
import type { Follows, LoopCandidate } from '../../../../src/detect/streaks/candidate';
import { sessionOf } from './past';

const MAKE = { signature: 1, outcome: 1, tool: 'Bash', effect: 5, error: 9, target: 0 } as const;

function step(more: Partial<PastStep> = {}): PastStep {
  return sessionOf([{ signature: 2, outcome: 2, ...more }]).newest;
}

/** A streak of four equal steps. */
function loopOf(follows: Follows, more: Partial<PastStep> = {}, limit = 4): Loop {
  const { newest, context } = sessionOf(Array.from({ length: 4 }, () => ({ ...MAKE, ...more })));
  const steps = Array.from({ length: 4 }, (_, index) => context.steps.step(index) ?? newest);
  const speaker: LoopCandidate = {
    detector: 'repeating_action',
    rule: null,
    level: 'stuck',
    count: 4,
    warn: 3,
    limit,
    follows,
    steps,
    equality: 'said',
    period: 1,
  };
  const loop: Loop = {
    key: 'k',
    speaker,
    level: 'stuck',
    count: 4,
    outcomes: new Set(),
    signatures: new Set(),
    log: new OccurrenceLog(),
    firstSample: undefined,
    lastSample: undefined,
    compared: 1,
    open: true,
    silent: false,
    held: false,
    reported: true,
    backInARow: 1,
    passed: false,
    lastIndex: 3,
    lastMessage: 3,
    clearedMessage: -1,
    byPerson: false,
    seenBy: new Set(),
    left: new Set(),
  };
  include(loop, steps);
  return loop;
}

const OUTCOMES: Follows = { kind: 'outcomes' };
const FAILING_CALL: Follows = { kind: 'failing_call', signature: 1 };
const ERROR: Follows = { kind: 'error', error: 9, of: [step({ signature: 1, target: 77 })] };
const FAILURES: Follows = { kind: 'failures' };
const EFFECT: Follows = { kind: 'effect', effect: 5, tool: 'Bash' };
const REFUSED: Follows = { kind: 'refused', file: 7 };
const RETURNS: Follows = { kind: 'returns', file: 7 };
const REWRITES: Follows = { kind: 'rewrites', file: 7 };
const CHECK: Follows = { kind: 'check', signature: 1, best: 3 };
const starts = (runs: boolean): Follows => ({ kind: 'starts', program: 6, runs: () => runs });
const failed = { failed: true, crashed: true };
const edit = { path: 'a.ts', before: 1, after: 2 };

describe('a step belongs to a streak', () => {
  test.each<[string, Follows, Partial<PastStep>, boolean]>([
    ['of what was said: what says the same', OUTCOMES, { signature: 9, outcome: 1 }, true],
    ['of what was said: not the same call that says something else', OUTCOMES, { signature: 1, outcome: 3 }, false],
    ['of a failing call: another failure of it', FAILING_CALL, { signature: 1, ...failed }, true],
    ['of a failing call: not its success', FAILING_CALL, { signature: 1 }, false],
    ['of a failing call: not the failure of another', FAILING_CALL, failed, false],
    ['of an error: any call that fails with it', ERROR, { error: 9, ...failed }, true],
    ['of an error: not a call that succeeds and names it', ERROR, { error: 9 }, false],
    ['of an error: not one with another error', ERROR, { error: 8, ...failed }, false],
    ['of failures: any', FAILURES, failed, true],
    ['of failures: no success', FAILURES, {}, false],
    ['of a tool without effect: another call with the same', EFFECT, { tool: 'Bash', effect: 5 }, true],
    ['of a tool without effect: not one with another', EFFECT, { tool: 'Bash', effect: 6 }, false],
    ['of a tool without effect: not another tool', EFFECT, { tool: 'Read', effect: 5 }, false],
    ['of refused edits: another one of the file', REFUSED, { file: 7, ...failed }, true],
    ['of refused edits: not one that goes through', REFUSED, { file: 7 }, false],
    ['of refused edits: not one of another file', REFUSED, { file: 8, ...failed }, false],
    ['of going back: a write of the file that came before', RETURNS, { file: 7, signature: 1, edit }, true],
    ['of going back: no other write of the file', RETURNS, { file: 7, signature: 9, edit }, false],
    ['of going back: not the same in another file', RETURNS, { file: 8, signature: 1, edit }, false],
    ['of writing blind: another write of the file', REWRITES, { kind: 'changed', file: 7 }, true],
    ['of writing blind: not one that fails', REWRITES, { kind: 'changed', file: 7, ...failed }, false],
    [
      'of a check that gets no better: a run as bad as its best',
      CHECK,
      { check: true, signature: 1, failing: 3 },
      true,
    ],
    ['of a check that gets no better: no better run', CHECK, { check: true, signature: 1, failing: 2 }, false],
    ['of a check that gets no better: no other check', CHECK, { check: true, signature: 2, failing: 9 }, false],
    ['of a start that dies: another start', starts(false), { starts: true, program: 6 }, true],
    ['of a start that dies: not one of another program', starts(false), { starts: true, program: 5 }, false],
    ['of a start that dies: not the program in the foreground', starts(false), { program: 6 }, false],
  ])('%s', (_, follows, more, belongs) => {
    expect(belongsTo(loopOf(follows), step(more))).toBe(belongs);
  });
});

describe('a step ends a streak', () => {
  test.each<[string, Follows, Partial<PastStep>, string | null]>([
    ['of what was said: the same call with another result', OUTCOMES, { signature: 1 }, 'different_result'],
    ['of what was said: no other failure of the call', OUTCOMES, { signature: 1, ...failed }, null],
    ['of what was said: no other call', OUTCOMES, { isNew: true, changes: true, check: true }, null],
    ['of a failing call: its success', FAILING_CALL, { signature: 1 }, 'different_result'],
    ['of a failing call: no other call', FAILING_CALL, {}, null],
    ['of an error: a success of the call', ERROR, { signature: 1 }, 'success'],
    ['of an error: a success of what has the same target', ERROR, { target: 77 }, 'success'],
    ['of an error: no success of another call', ERROR, { target: 78 }, null],
    ['of an error: no other failure of the call', ERROR, { signature: 1, ...failed }, null],
    ['of failures: any success', FAILURES, {}, 'success'],
    ['of failures: no failure', FAILURES, failed, null],
    ['of a tool without effect: something new of it', EFFECT, { tool: 'Bash', isNew: true }, 'different_result'],
    ['of a tool without effect: nothing known of it', EFFECT, { tool: 'Bash' }, null],
    ['of a tool without effect: nothing new of another', EFFECT, { tool: 'Read', isNew: true }, null],
    ['of refused edits: none of another file', REFUSED, { file: 8, edit }, null],
    ['of going back: another write of the file', RETURNS, { file: 7, edit }, 'different_result'],
    ['of going back: no read', RETURNS, { file: 0 }, null],
    ['of writing blind: anything that is no edit', REWRITES, { kind: 'looked' }, 'progress'],
    ['of writing blind: no edit of another file', REWRITES, { kind: 'changed', file: 8 }, null],
    [
      'of a check that gets no better: a better run',
      CHECK,
      { check: true, signature: 1, failing: 2 },
      'different_result',
    ],
    ['of a check that gets no better: no other check', CHECK, { check: true, signature: 2, failing: 0 }, null],
    ['of a start that dies: a look that says that it runs', starts(true), {}, 'progress'],
    ['of a start that dies: no other look', starts(false), {}, null],
  ])('%s', (_, follows, more, reason) => {
    expect(endedBy(loopOf(follows), step(more))).toBe(reason);
  });

  test.each<[string, Partial<PastStep>, Partial<PastStep>, string | null]>([
    ['of waits: anything new', { weight: 'wait' }, { isNew: true, weight: 'look' }, 'progress'],
    ['of waits: a change', { weight: 'wait' }, { changes: true }, 'progress'],
    ['of waits: no known check', { weight: 'wait' }, { check: true }, null],
    ['of looks: a change', { weight: 'look' }, { changes: true }, 'progress'],
    ['of looks: a check', { weight: 'look' }, { check: true }, 'progress'],
    ['of looks: something new that is no look', { weight: 'look' }, { isNew: true }, 'progress'],
    ['of looks: nothing new of another look', { weight: 'look' }, { isNew: true, weight: 'look' }, null],
    ['of looks: nothing known', { weight: 'look' }, {}, null],
  ])('%s', (_, of, more, reason) => {
    expect(endedBy(loopOf(OUTCOMES, of), step(more))).toBe(reason);
  });

  test('of refused edits: the second one that goes through, with none refused in between', () => {
    const loop = loopOf(REFUSED);
    expect(endedBy(loop, step({ file: 7, edit }))).toBeNull();
    expect(endedBy(loop, step({ file: 7, edit }))).toBe('success');
  });

  test('of looks that only warn, whatever is in between: nothing in between ends it', () => {
    const loop = loopOf(OUTCOMES, { weight: 'look' }, Number.POSITIVE_INFINITY);
    expect(endedBy(loop, step({ changes: true }))).toBeNull();
    expect(endedBy(loop, step({ signature: 1 }))).toBe('different_result');
  });
});

describe('a streak that was cleared is back', () => {
  test('with the same outcome', () => {
    expect(isBack(loopOf(OUTCOMES), step({ outcome: 1 }))).toBe(true);
    expect(isBack(loopOf(FAILING_CALL), step({ outcome: 1 }))).toBe(true);
  });

  test.each<[string, Follows, Partial<PastStep>]>([
    ['another outcome', OUTCOMES, { outcome: 3 }],
    ['a wait', OUTCOMES, { outcome: 1, weight: 'wait' }],
    ['a look', OUTCOMES, { outcome: 1, weight: 'look' }],
    ['any failure, of failures', FAILURES, { outcome: 1, ...failed }],
    ['any failure with the error', ERROR, { outcome: 1, error: 9, ...failed }],
    ['the tool without effect', EFFECT, { outcome: 1, tool: 'Bash', effect: 5 }],
  ])('but not with %s', (_, follows, more) => {
    expect(isBack(loopOf(follows), step(more))).toBe(false);
  });

  test('after two of its outcomes in a row, if it had several', () => {
    const loop = loopOf(OUTCOMES);
    include(loop, [step({ outcome: 6 })]);
    expect(isBack(loop, step({ outcome: 6 }))).toBe(false);
    expect(isBack({ ...loop, backInARow: 2 }, step({ outcome: 6 }))).toBe(true);
  });
});

test('a streak has at most forty outcomes', () => {
  const loop = loopOf(OUTCOMES);
  include(
    loop,
    Array.from({ length: 60 }, (_, i) => step({ outcome: 100 + i, signature: 100 + i })),
  );
  expect([loop.outcomes.size, loop.signatures.size]).toEqual([40, 40]);
});

test('the last result is from the same call if the results are equal, from any failure if only the failing is equal', () => {
  expect(isCompared(loopOf(OUTCOMES), step({ signature: 1 }))).toBe(true);
  expect(isCompared(loopOf(OUTCOMES), step({ outcome: 1 }))).toBe(false);
  expect(isCompared(loopOf(FAILURES), step(failed))).toBe(true);
  expect(isCompared(loopOf(FAILURES), step())).toBe(false);
});
