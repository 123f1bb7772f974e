import { expect, it } from 'vitest';
import { MINUTE, T0, folder, incident, open, recovered } from '../support/make';

it('returns a file of what two windows opened as two incidents: all its events in order, and what one of them learned', async () => {
  const { store } = await open(folder());
  const key = 'repeating_action:shared';
  const first = incident({ key, openedAt: T0, updatedAt: T0 + 9 * MINUTE });
  const second = recovered({ key, openedAt: T0 + MINUTE });
  await store.save(second);
  await store.save(first);
  const event = (t: number, id: string) =>
    store.appendEvent({ t, type: 'Recovery', session: 'session-1', agent: 'claude-code', incident: id, data: { t } });
  await event(T0 + 5, first.id);
  await event(T0 + 1, second.id);
  await event(T0 + 9, first.id);
  await event(T0 + 2, incident().id);

  for (const id of [first.id, second.id]) {
    const file = JSON.parse((await store.exportIncident(id, 'json')) ?? '') as {
      incident: { id: string; state: string };
      learning: { id: string };
      events: { type: string; t: number }[];
    };
    expect(file.incident).toMatchObject({ id: first.id, state: 'recovered' });
    expect(file.learning.id).toBe(first.id);
    const sent = file.events.filter(({ type }) => type === 'Recovery').map(({ t }) => t);
    expect(sent).toEqual([T0 + 1, T0 + 5, T0 + 9]);
    expect(await store.exportIncident(id, 'markdown')).toMatch(/^# repeating/);
  }
});

it('returns a file of what is not over, from which nothing was learned', async () => {
  const { store } = await open(folder());
  const one = incident();
  await store.save(one);
  expect(JSON.parse((await store.exportIncident(one.id, 'json')) ?? '')).toMatchObject({ learning: null, events: [] });
});
