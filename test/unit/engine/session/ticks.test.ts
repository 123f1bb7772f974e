import { expect, it } from 'vitest';
import { ticksUpTo } from '../../../../src/engine/session/ticks';
import { source } from '../../support/findings';
import { sessionWith } from './support';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 26, 12);

/** A session whose moments are these, with what it is told. */
function withMoments(...moments: readonly number[]) {
  const told: number[] = [];
  let last = 0;
  const deadline = () => moments.find((at) => at > last) ?? Number.POSITIVE_INFINITY;
  return { told, deadline, tick: (at: number) => void told.push((last = at)) };
}

it('four days of silence are reported up to their last doubling, although no line is written that could report them', () => {
  const session = sessionWith();
  const asked = { type: 'user', text: 'Fix it', automated: false } as const;
  session.push({ agent: 'generic', session: 's', at: START, source: source(1), ...asked });
  ticksUpTo(session, START + 4 * 24 * 60 * MINUTE);
  expect(session.book.active()).toMatchObject([{ detector: 'stall', count: 10 * 2 ** 9 }]);
});

it('each moment up to a record is reported in order, and none after it', () => {
  const session = withMoments(...Array.from({ length: 30 }, (_, index) => index + 1));
  ticksUpTo(session, 20);
  expect(session.told).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

it('ends at a moment that does not pass when it is reported, and after 64', () => {
  const stands = { told: [] as number[], deadline: () => 5, tick: (at: number) => void stands.told.push(at) };
  ticksUpTo(stands, 10);
  expect(stands.told).toEqual([5]);
  const many = withMoments(...Array.from({ length: 100 }, (_, index) => index + 1));
  ticksUpTo(many, 1000);
  expect(many.told).toHaveLength(64);
});
