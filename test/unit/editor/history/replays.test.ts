import { expect, it, vi } from 'vitest';
import { withoutReplays } from '../../../../src/editor/history/incident-store';
import type { IncidentStore } from '../../../../src/history';
import { incident } from '../../history/support/incidents';

vi.mock('vscode', () => ({}));

it('the history keeps nothing of a replay, and everything that agents did', async () => {
  const kept: string[] = [];
  const store = {
    save: ({ id }: { readonly id: string }) => Promise.resolve(void kept.push(id)),
    sawSession: ({ session }: { readonly session: string }) => void kept.push(`saw ${session}`),
    appendEvent: ({ session }: { readonly session: string }) => Promise.resolve(void kept.push(`event of ${session}`)),
  };
  const ofAgents = withoutReplays(store as unknown as IncidentStore, {
    has: (session) => session === 'played',
  });
  for (const session of ['played', 'real']) {
    await ofAgents.save(incident({ id: `incident of ${session}`, session }));
    ofAgents.sawSession({ session } as never);
    await ofAgents.appendEvent({ session } as never);
  }
  expect(kept).toEqual(['incident of real', 'saw real', 'event of real']);
});
