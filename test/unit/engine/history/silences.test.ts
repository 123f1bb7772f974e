import { describe, expect, it } from 'vitest';
import { foldSilences } from '../../../../src/engine/history/silences';
import type { Incident } from '../../../../src/core/model';
import { MINUTE, T0, attempt, incident } from '../../history/support/incidents';

const silence = (n: number, changes: Partial<Incident> = {}): Incident =>
  incident({
    id: `S${String(n).padStart(2, '0')}`,
    key: `stall:${n}`,
    detector: 'stall',
    level: 'warn',
    stuckAt: null,
    state: 'unknown',
    cleared: 'new_line',
    subject: 'the model',
    why: `silent ${n}`,
    firstAt: T0 + n * 10 * MINUTE,
    openedAt: T0 + n * 10 * MINUTE + 1,
    resolvedAt: T0 + n * 10 * MINUTE + 2,
    ...changes,
  });

describe('the silences of a session', () => {
  it('are one, from the first to the last, however many there were', () => {
    const loop = incident({ id: 'loop' });
    const sixty = Array.from({ length: 60 }, (_, n) => silence(n));
    const kept = foldSilences([...sixty, loop]);
    expect(kept).toHaveLength(2);
    expect(kept[0]).toBe(loop);
    expect(kept[1]).toMatchObject({
      id: 'S00',
      key: 'stall:0',
      subject: '60 silences',
      why: 'The agent was silent 60 times in this session. The last time: silent 59',
      firstAt: T0,
      resolvedAt: T0 + 590 * MINUTE + 2,
      reopened: 59,
    });
    expect(foldSilences(sixty.toReversed())).toEqual(foldSilences(sixty));
  });

  it('is as it was if there is only one', () => {
    const only = [silence(1)];
    expect(foldSilences(only)).toBe(only);
  });

  it('that is open, was nudged, muted or contested stays separate', () => {
    const own = [
      silence(3, { resolvedAt: null, state: 'open' }),
      silence(4, { attempts: [attempt()] }),
      silence(5, { state: 'muted' }),
      silence(6, { outcome: 'not_stuck', state: 'ended' }),
    ];
    const kept = foldSilences([silence(1), silence(2), ...own]);
    expect(kept.map(({ id }) => id)).toEqual(['S03', 'S04', 'S05', 'S06', 'S01']);
  });
});

it('a warning of another rule is not a silence, and a stuck one is not folded', () => {
  const kept = [silence(1), silence(2, { level: 'stuck' }), silence(3, { detector: 'max_runtime' })];
  expect(foldSilences(kept)).toBe(kept);
});
