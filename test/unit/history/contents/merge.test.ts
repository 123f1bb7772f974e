import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { toStored, mergeStored, shownIncident } from '../../../../src/history/contents/merge';
import type { StoredIncident } from '../../../../src/history/journal/records';
import { MINUTE, T0, attempt, incident, recovered } from '../support/make';

const base = incident();
const kept = (changes: Partial<Incident>, before?: StoredIncident): StoredIncident =>
  toStored({ ...base, ...changes }, before);

const smallTime = fc.integer({ min: 0, max: 6 }).map((n) => T0 + n);
const anyAttempt = fc.record({
  attempt: fc.constantFrom(1, 2),
  kind: fc.constantFrom('nudge' as const, 'restart' as const),
  message: fc.constantFrom('m1', 'm2', 'm3'),
  at: smallTime,
  automated: fc.boolean(),
  state: fc.constantFrom('queued' as const, 'taken' as const, 'acted' as const),
});
const anyKept: fc.Arbitrary<StoredIncident> = fc
  .record({
    state: fc.constantFrom(
      'open' as const,
      'nudged' as const,
      'recovered' as const,
      'escalated' as const,
      'muted' as const,
      'unknown' as const,
    ),
    stateAt: smallTime,
    mute: fc.option(fc.record({ on: fc.boolean(), at: smallTime })),
    updatedAt: smallTime,
    openedAt: smallTime,
    firstAt: smallTime,
    stuckAt: fc.option(smallTime),
    resolvedAt: fc.option(smallTime),
    lines: fc.integer({ min: 0, max: 3 }),
    count: fc.integer({ min: 2, max: 4 }),
    reopened: fc.integer({ min: 0, max: 2 }),
    id: fc.constantFrom('A', 'B'),
    why: fc.constantFrom('x', 'y'),
    model: fc.option(fc.constantFrom('sonnet', 'opus'), { nil: undefined }),
    attempts: fc.uniqueArray(anyAttempt, { maxLength: 3, selector: (one) => one.message }),
    notified: fc.boolean(),
    history: fc.boolean(),
    outcome: fc.constantFrom(null, 'by_itself' as const, 'nudge' as const),
  })
  .map(({ stateAt, mute, lines, model, stuckAt, ...rest }) => {
    const { model: _, ...without } = base;
    return {
      stateAt,
      mute,
      incident: {
        ...without,
        ...rest,
        ...(model && { model }),
        stuckAt,
        stuckLine: stuckAt === null ? null : lines,
        alertLine: lines,
        firstLine: lines,
        level: stuckAt === null ? 'warn' : 'stuck',
        attempts: [...rest.attempts].sort((a, b) => a.at - b.at || (a.message < b.message ? -1 : 1)),
      },
    };
  });

const canonical = (one: StoredIncident) => JSON.parse(JSON.stringify(one)) as unknown;

describe('joining the views of two windows on one incident', () => {
  it('does not depend on which comes first', () => {
    fc.assert(
      fc.property(anyKept, anyKept, (a, b) => {
        expect(canonical(mergeStored(a, b))).toEqual(canonical(mergeStored(b, a)));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on which are joined first', () => {
    fc.assert(
      fc.property(anyKept, anyKept, anyKept, (a, b, c) => {
        expect(canonical(mergeStored(mergeStored(a, b), c))).toEqual(canonical(mergeStored(a, mergeStored(b, c))));
      }),
      { numRuns: 3000 },
    );
  });

  it('does not depend on how often the same view comes', () => {
    fc.assert(
      fc.property(anyKept, anyKept, (a, b) => {
        expect(canonical(mergeStored(a, structuredClone(a)))).toEqual(canonical(a));
        const joined = mergeStored(a, b);
        expect(canonical(mergeStored(joined, b))).toEqual(canonical(joined));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not lose the nudge of one window to the counting of another', () => {
    const opened = kept({});
    const nudged = kept({ state: 'nudged', attempts: [attempt()], updatedAt: T0 + 11 * MINUTE }, opened);
    const counted = kept({ count: 9, updatedAt: T0 + 13 * MINUTE }, opened);
    expect(shownIncident(mergeStored(nudged, counted))).toMatchObject({
      state: 'nudged',
      count: 9,
      attempts: [attempt()],
    });
  });

  it('keeps a withdrawn nudge withdrawn, though another window still reports it', () => {
    const opened = kept({});
    const nudged = kept({ state: 'nudged', attempts: [attempt()], updatedAt: T0 + 11 * MINUTE }, opened);
    const withdrawn = kept(
      { state: 'open', attempts: [attempt({ state: 'withdrawn' })], updatedAt: T0 + 12 * MINUTE },
      nudged,
    );
    expect(shownIncident(mergeStored(withdrawn, nudged))).toMatchObject({
      state: 'open',
      attempts: [{ state: 'withdrawn' }],
    });
  });

  it('keeps an incident muted whatever the detectors of another window report, until a person unmutes it', () => {
    const opened = kept({});
    const muted = kept({ state: 'muted', updatedAt: T0 + 11 * MINUTE }, opened);
    const cleared = kept({ state: 'unknown', resolvedAt: T0 + 12 * MINUTE, updatedAt: T0 + 12 * MINUTE }, opened);
    const joined = mergeStored(muted, cleared);
    expect(shownIncident(joined)).toMatchObject({ state: 'muted', resolvedAt: T0 + 12 * MINUTE });
    const unmuted = kept(
      { state: 'unknown', resolvedAt: T0 + 12 * MINUTE, updatedAt: T0 + 15 * MINUTE },
      { ...joined, incident: shownIncident(joined) },
    );
    expect(shownIncident(mergeStored(joined, unmuted))).toMatchObject({ state: 'unknown' });
  });

  it('does not let a window unmute that is only now reading the transcript', () => {
    const muted = kept({ state: 'muted', updatedAt: T0 + 11 * MINUTE }, kept({}));
    expect(shownIncident(mergeStored(muted, kept({ updatedAt: T0 + 60 * MINUTE, count: 12 }))).state).toBe('muted');
  });

  it('gives the credit to the attempt that the other window does not know', () => {
    const replayed = kept({ ...recovered(), id: base.id, key: base.key, outcome: 'by_itself', attempts: [] });
    const nudged = kept({
      state: 'nudged',
      attempts: [attempt({ state: 'taken', takenAt: T0 + 12 * MINUTE })],
      updatedAt: T0 + 12 * MINUTE,
    });
    expect(shownIncident(mergeStored(replayed, nudged))).toMatchObject({ state: 'recovered', outcome: 'nudge' });
  });

  it('reopens when any window saw it come back, and never notifies again', () => {
    const closed = kept({
      state: 'unknown',
      resolvedAt: T0 + 12 * MINUTE,
      updatedAt: T0 + 12 * MINUTE,
      notified: true,
    });
    const reopened = kept({
      state: 'open',
      resolvedAt: null,
      reopened: 1,
      updatedAt: T0 + 14 * MINUTE,
      notified: false,
    });
    expect(shownIncident(mergeStored(closed, reopened))).toMatchObject({
      state: 'open',
      resolvedAt: null,
      reopened: 1,
      notified: true,
    });
  });

  it('prefers a known line to one that is not counted yet', () => {
    expect(
      shownIncident(mergeStored(kept({ firstLine: 0, alertLine: 0 }), kept({ firstLine: 88, alertLine: 93 }))),
    ).toMatchObject({ firstLine: 88, alertLine: 93 });
  });

  it('is history only if no window saw it live', () => {
    expect(shownIncident(mergeStored(kept({ history: true }), kept({ history: false }))).history).toBe(false);
    expect(shownIncident(mergeStored(kept({ history: true }), kept({ history: true }))).history).toBe(true);
  });
});
