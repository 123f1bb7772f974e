import { expect, test } from 'vitest';
import type { DetectContext } from '../../../../src/detect/session/detector';
import { NearMissLog, inMinutes } from '../../../../src/detect/session/near-misses';

const source = { file: 'f', line: 1, offset: 0 };

/** A log with the reports of a rule with a limit of 10. */
function log() {
  const told: string[] = [];
  const misses = new NearMissLog('cycle', null, {
    nearMiss: ({ reached, heldBackBy }) => told.push(`${reached}${heldBackBy === undefined ? '' : ` ${heldBackBy}`}`),
  });
  let messages = 0;
  return {
    told,
    person: () => void messages++,
    reach: (count: number, held?: string) =>
      misses.reached({ stepsAtUserMessage: messages } as DetectContext, 'A, B', count, 10, 5, source, held),
  };
}

test('a rule reports how near it came, from a third of the way on, and only when it comes nearer', () => {
  const { told, reach } = log();
  for (const count of [1, 2, 3, 3, 2, 4, 4, 9]) reach(count);
  expect(told).toEqual(['3', '4', '9']);
});

test('it also reports what else held it back at the same place', () => {
  const { told, reach } = log();
  reach(4, 'progress');
  reach(4, 'progress');
  reach(4);
  reach(4, 'a wait');
  reach(3, 'another');
  expect(told).toEqual(['4 progress', '4 a wait']);
});

test('the end of a streak is no reason why it was not reported, if the streak reached the limit', () => {
  const { told, reach } = log();
  reach(10);
  reach(10, 'success');
  expect(told).toEqual(['10']);
  reach(12, 'a passing check');
  reach(12, 'success');
  expect(told).toEqual(['10', '12 a passing check', '12 success']);
});

test('after a message from a person it starts again', () => {
  const { told, reach, person } = log();
  reach(8, 'progress');
  person();
  reach(3, 'progress');
  reach(2);
  expect(told).toEqual(['8 progress', '3 progress']);
});

test('it names the rule, the limit and the place', () => {
  const all: unknown[] = [];
  new NearMissLog('consecutive_failures', 'outage', { nearMiss: (miss) => all.push(miss) }).reached(
    { stepsAtUserMessage: 0 } as DetectContext,
    'npm test',
    4,
    5,
    77,
    source,
  );
  const miss = { detector: 'consecutive_failures', rule: 'outage', nearest: 'npm test', reached: 4, limit: 5 };
  expect(all).toEqual([{ ...miss, at: 77, source }]);
});

test('a near miss is shown in tenths of a minute', () => {
  expect([0, 3_000, 2_999, 90_000, 600_000].map(inMinutes)).toEqual([0, 0.1, 0, 1.5, 10]);
});
