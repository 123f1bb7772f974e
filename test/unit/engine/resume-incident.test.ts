import { expect, it } from 'vitest';
import type { Incident } from '../../../src/core/model';
import { resumeIncident } from '../../../src/engine/resume-incident';
import { MINUTE, T0, incident } from '../history/support/incidents';
import { attempt } from '../recover/kit';

/** Returns what is done to a recognised incident whose stored form this is. */
function resumed(stored: Partial<Incident>): readonly string[] {
  const did: string[] = [];
  const session = {
    changeIncident: (id: string, { type, ...input }: { type: string; at?: number }) =>
      did.push(`${id} ${type} ${input.at === undefined ? '' : input.at - T0}`.trim()) > 0,
  };
  resumeIncident(session, 'I', incident({ updatedAt: T0, notified: false, attempts: [], ...stored }));
  return did;
}

it.each<[string, Partial<Incident>, readonly string[]]>([
  ['nothing was done to it', {}, []],
  ['a person was notified', { notified: true }, ['I notified 0']],
  ['a message was sent', { attempts: [attempt()] }, ['I attempt']],
  ['a person muted it', { state: 'muted' }, ['I mute 0']],
  ['a person said Not Stuck', { state: 'ended', outcome: 'not_stuck' }, ['I not_stuck 0']],
  ['its recovery ended without success', { state: 'escalated' }, ['I escalate 0']],
])('an incident that is found again is as it was left if %s', (_, stored, does) =>
  expect(resumed(stored)).toEqual(does),
);

it('is over if the session that took over continued, which its own transcript does not say', () => {
  const freed = { state: 'recovered', outcome: 'restart', cleared: null, resolvedAt: T0 + MINUTE } as const;
  expect(resumed(freed)).toEqual(['I succeeded 60000']);
  expect(resumed({ ...freed, outcome: 'nudge' })).toEqual([]);
  expect(resumed({ ...freed, cleared: { reason: 'different_result', at: T0 } as never })).toEqual([]);
  expect(resumed({ ...freed, state: 'open' })).toEqual([]);
});
