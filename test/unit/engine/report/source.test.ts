import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { registry } from '../../../../src/agents/registry';
import { eventsOf } from '../../../../src/engine/report/source';
import { homeFolder } from '../support';

const said = (session: string, text: string) =>
  JSON.stringify({ v: 1, t: '2026-11-20T12:00:00Z', session, type: 'assistant', text });

it('a report uses only its own session from a file of several sessions', async () => {
  const file = join(homeFolder(), 'both.agent.jsonl');
  writeFileSync(file, `${said('mine', 'One.')}\n${said('other', 'A secret of another.')}\n${said('mine', 'Two.')}\n`);
  const ports = { adapters: registry, sqlite: undefined, readSmall: () => undefined };
  const events = (await eventsOf({ file, session: 'mine' }, ports)) ?? [];
  expect(events.flatMap((event) => (event.type === 'assistant' ? [event.text] : []))).toEqual(['One.', 'Two.']);
  expect(new Set(events.map(({ session }) => session))).toEqual(new Set(['mine']));
  expect(await eventsOf({ file, session: 'nobody' }, ports)).toBeNull();
});
