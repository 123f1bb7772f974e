import { describe, expect, it } from 'vitest';
import { PastSteps } from '../../../../src/detect/steps/past-steps';
import { pastStep } from '../streaks/past';

function remembered(count: number): PastSteps {
  const past = new PastSteps();
  for (let index = 0; index < count; index++) past.add(pastStep(index, {}));
  return past;
}

describe('remembered steps', () => {
  it('are found by their index, and from the newest back', () => {
    const past = remembered(3);
    expect([past.total, past.length]).toEqual([3, 3]);
    expect(past.step(0)?.subject).toBe('step 0');
    expect(past.last(0)?.index).toBe(2);
    expect(past.last(2)?.index).toBe(0);
    expect(past.last(3)).toBeUndefined();
    expect(past.step(-1)).toBeUndefined();
    expect(past.step(3)).toBeUndefined();
  });

  it('are the newest 512; older ones are forgotten, not mixed up', () => {
    const past = remembered(700);
    expect([past.total, past.length]).toEqual([700, 512]);
    expect(past.step(187)).toBeUndefined();
    expect(past.step(188)?.subject).toBe('step 188');
    expect(past.last(511)?.index).toBe(188);
    expect(past.last(512)).toBeUndefined();
  });
});
