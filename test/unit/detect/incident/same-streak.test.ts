import { describe, expect, it } from 'vitest';
import { sameStreak } from '../../../../src/detect/incident';
import { open } from '../../../../src/detect/incident/reducer';
import type { Incident } from '../../../../src/core/model';
import { finding } from '../../support/findings';

const SESSION = { agent: 'vscode-chat', agentName: 'VS Code Chat', session: 's', title: 'Fix it', file: '/t' } as const;
const found = finding(6, { subject: 'node check.js' });

function kept(id: string, fields: Partial<Incident> = {}): Incident {
  return { ...open(found, SESSION, id, false), ...fields };
}

describe('the incident of an earlier reading', () => {
  it.each([
    ['a hook told its steps 5 ms later', [kept('A', { firstAt: 2_005, openedAt: 6_003 })], 'A'],
    ['its path was not known to be one of the folder', [kept('A', { subject: 'node /work/check.js' })], 'A'],
    ['two calls loop at once', [kept('A', { subject: 'Read a.txt' }), kept('B')], 'B'],
    ['it was raised much later', [kept('A', { openedAt: 60_000 })], undefined],
    ['it began much earlier', [kept('A', { firstAt: -60_000 })], undefined],
    ['another rule raised it', [kept('A', { detector: 'monologue' })], undefined],
    ['neither of two is about this call', [kept('A', { subject: 'x' }), kept('B', { subject: 'y' })], undefined],
    ['nothing is stored', [], undefined],
  ])('is found by rule and time: %s', (_what, stored, expected) => {
    expect(sameStreak(stored, found)?.id).toBe(expected);
  });
});
