import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendMessageOnce } from '../../../../src/agents/inbox/messages/send-once';
import { takeMessages } from '../../../../src/agents/inbox/messages/waiting';
import { T0 } from '../../history/support/incidents';

const ID = '01JD0000000000000000000001';
const draft = {
  session: 's1',
  agent: 'codex' as const,
  kind: 'nudge' as const,
  text: 'Go on.',
  automated: false,
  via: 'me',
};
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'unstuck-once-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const inbox = (folder: string) => join(root, '.unstuck/inbox/s1', folder);
const send = () => sendMessageOnce(root, ID, draft, T0, { by: 'relay' });

it('a message that arrives twice is in the inbox once, with its sender', async () => {
  expect(await send()).toEqual({ ok: true, value: 'queued' });
  expect(await send()).toEqual({ ok: true, value: 'known' });
  expect(readdirSync(inbox('new'))).toEqual([`${ID}.json`]);
  const taken = await takeMessages({ root, session: 's1', by: 'test', now: T0, choose: (waiting) => waiting });
  expect(taken).toMatchObject({ value: { messages: [{ id: ID, via: 'me', text: `Go on. [unstuck ${ID}]` }] } });
});

it('a message that was taken is not written again', async () => {
  await send();
  await takeMessages({ root, session: 's1', by: 'test', now: T0, choose: (waiting) => waiting });
  expect(await send()).toEqual({ ok: true, value: 'known' });
  expect(readdirSync(inbox('new'))).toEqual([]);
});

it('a message whose writer died before it was complete is written again', async () => {
  for (const folder of ['new', 'cur', 'tmp']) mkdirSync(inbox(folder), { recursive: true });
  writeFileSync(join(inbox('tmp'), `${ID}.json`), '{"v":1');
  expect(await send()).toEqual({ ok: true, value: 'queued' });
  expect(readdirSync(inbox('tmp'))).toEqual([]);
});
