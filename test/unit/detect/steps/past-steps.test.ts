import { describe, expect, it } from 'vitest';
import type { PastStep } from '../../../../src/detect/session/detector';
import { PastSteps } from '../../../../src/detect/steps/past-steps';

/** A step in which no two fields of a kind are equal. */
function step(index: number, more: Partial<PastStep> = {}): PastStep {
  return {
    index,
    at: 1_700_000_000_000 + index,
    source: { file: '/a.jsonl', line: 10 + index, offset: 5_000_000_000 + index },
    end: { file: '/a.jsonl', line: 11 + index, offset: 5_000_000_100 + index },
    kind: 'ran',
    tool: 'Bash',
    failed: false,
    crashed: false,
    check: false,
    weight: 'plain',
    asked: 0,
    isNew: false,
    counted: false,
    batch: 0,
    changes: false,
    signature: 100 + index,
    program: -200 - index,
    target: 300 + index,
    outcome: -400 - index,
    error: 500 + index,
    effect: -600 - index,
    values: [],
    tokens: 7_000_000 + index,
    subject: `call ${index}`,
    text: `result ${index}`,
    ...more,
  };
}

function remembered(steps: readonly PastStep[]): PastSteps {
  const past = new PastSteps();
  for (const one of steps) past.add(one);
  return past;
}

describe('steps that are remembered', () => {
  it.each<Partial<PastStep>>([
    {},
    { failed: true },
    { crashed: true },
    { check: true },
    { isNew: true },
    { counted: true },
    { changes: true },
    { weight: 'wait', asked: 1e9 },
    { weight: 'look', kind: 'looked' },
    { weight: 'change', kind: 'changed' },
    { kind: 'plan' },
    { kind: 'delegated' },
    { kind: 'asked' },
    { kind: 'waited' },
    { kind: 'other' },
    { batch: -7 },
    { values: ['-6', '3'] },
    { text: '', values: ['', '4'] },
    { end: { file: '/b.jsonl', line: 1, offset: 2 } },
  ])('come back as they were: %j', (more) => {
    const one = step(0, more);
    expect(remembered([one, step(1)]).step(0)).toEqual(one);
  });

  it('take no more tokens and no longer wait than a step can', () => {
    const past = remembered([step(0, { tokens: 7e9, asked: 1e12 })]);
    expect(past.step(0)).toMatchObject({ tokens: 2 ** 31 - 1, asked: 2 ** 31 - 1 });
  });

  it('are compared by what they say, newest first', () => {
    const past = remembered([step(0), step(1, { batch: 3 }), step(2, { failed: true })]);
    expect(past.last(0)).toMatchObject({ index: 2, failed: true, outcome: -402, effect: -602 });
    expect(past.last(1)).toMatchObject({ index: 1, batch: 3, signature: 101, tool: 'Bash' });
    expect(past.last(3)).toBeUndefined();
    expect(past.kept([0, 2]).map(({ subject }) => subject)).toEqual(['call 0', 'call 2']);
  });

  it('are the newest 128; older ones are forgotten, not mixed up', () => {
    const past = remembered(Array.from({ length: 300 }, (_, index) => step(index)));
    expect(past.length).toBe(128);
    expect(past.step(171)).toBeUndefined();
    expect(past.step(172)).toEqual(step(172));
    expect(past.last(127)?.index).toBe(172);
    expect(past.last(128)).toBeUndefined();
    expect(past.step(300)).toBeUndefined();
    expect(past.kept([0, 172, 299]).map(({ index }) => index)).toEqual([172, 299]);
  });
});
