import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { keptExcerptOf } from '../../../../src/editor/history/kept-evidence';
import { incident } from '../../history/support/incidents';

function store(current: readonly Incident[], past: readonly Incident[]) {
  const asked: unknown[] = [];
  return {
    asked,
    current: () => current,
    incidents: (filter: unknown) => {
      asked.push(filter);
      return Promise.resolve(past);
    },
  };
}

describe('evidence whose transcript is gone', () => {
  const one = incident();
  const place = one.evidence[0]?.source ?? { file: '', line: 0, offset: 0 };

  it('comes from what the window knows, without reading the history', async () => {
    const known = store([one], []);
    expect(await keptExcerptOf(known, place, 'session-1')).toMatchObject({ isKept: true, file: one.file });
    expect(known.asked).toEqual([]);
  });

  it('comes from the history of its session', async () => {
    const known = store([incident({ session: 'other' })], [incident({ evidence: [] }), one]);
    expect(await keptExcerptOf(known, place, 'session-1')).toMatchObject({ isKept: true });
    expect(known.asked).toEqual([{ session: 'session-1', limit: 200 }]);
  });

  it('is not found if it was not kept', async () => {
    expect(await keptExcerptOf(store([], [one]), { ...place, line: 1 }, 'session-1')).toBeNull();
  });
});
