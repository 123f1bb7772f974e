import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InboxMessage } from '../../../../../src/core/model';
import { deliveries, expireMessages, inboxFolder, sendMessage, takeMessages } from '../../../../../src/agents/inbox';
import { takeFromAll } from '../../../../../src/agents/inbox/messages/take-all';
import { MOST_MESSAGES, readMessages, withdrawMessage } from '../../../../../src/agents/inbox/messages/waiting';
import { NOW, SESSION, draft, filesIn, value, workspace } from '../inbox-kit';

let place: { root: string; remove: () => void };
beforeEach(() => {
  place = workspace();
});
afterEach(() => place.remove());

const MINUTE = 60_000;
const send = async (more = {}, now = NOW) => value(await sendMessage(place.root, draft(more), now)).message;
const folder = () => inboxFolder(place.root, SESSION);
const take = async (now = NOW, choose = (all: readonly InboxMessage[]) => all) =>
  value(await takeMessages({ root: place.root, session: SESSION, by: 'hook', now, choose }));
const state = async (id: string, now = NOW) =>
  value(await deliveries(place.root, SESSION, now)).deliveries.find((one) => one.message.id === id);

/** Puts a file with this text into `new`, next to a good message. Returns its id. */
async function beside(text: (id: string, good: string) => string, name?: string): Promise<string> {
  const good = await send();
  const id = ulid(NOW);
  const whole = readFileSync(join(folder().new, `${good.id}.json`), 'utf8');
  writeFileSync(join(folder().new, name ?? `${id}.json`), text(id, whole.replaceAll(good.id, id)));
  return id;
}

describe('a file in an inbox that can never be delivered', () => {
  it.each<[string, (id: string, good: string) => string, string, string]>([
    ['no JSON', () => '{', 'json', 'not valid JSON'],
    [
      'not as the format says',
      (_, good) => good.replace('"nudge"', '"order"'),
      'schema',
      '"kind" is not as the format says',
    ],
    ['of another id', (id, good) => good.replaceAll(id, ulid(NOW + 5)), 'name', 'its id is not the name of its file'],
    ['of another session', (_, good) => good.replaceAll(SESSION, 'else'), 'session', 'it is for another session'],
    ['too large', (_, good) => good + ' '.repeat(1024 * 1024), 'size', 'it is larger than 1 MB'],
  ])('is put aside: %s', async (_, text, code, why) => {
    const id = await beside(text);
    const { messages, problems } = await take();
    expect(messages).toHaveLength(1);
    expect(problems).toMatchObject([{ code, why, path: join(folder().new, `${id}.json`) }]);
    expect(filesIn(place.root, 'new')).toEqual([]);
    expect(filesIn(place.root, 'cur')).toContain(`${id}.json`);
    expect(readFileSync(folder().receipts, 'utf8')).toContain(`"id":"${id}","state":"failed"`);
  });

  it('stays if it starts nothing: links and other names', async () => {
    await beside(() => '', 'notes.txt');
    symlinkSync('/etc/passwd', join(folder().new, `${ulid(NOW)}.json`));
    const { messages, problems } = await take();
    expect(messages).toHaveLength(1);
    expect(problems.map(({ code, why }) => `${code}: ${why}`)).toEqual([
      'symbolic_link: it is a symbolic link',
      'name: its name is not a message id and .json',
    ]);
    expect(filesIn(place.root, 'new')).toHaveLength(2);
  });

  it('is left to a later version until it expires', async () => {
    const id = await beside((_, good) => good.replace('"v":1', '"v":2'));
    expect((await take()).problems).toMatchObject([{ code: 'version' }]);
    expect(filesIn(place.root, 'new')).toEqual([`${id}.json`]);
    await take(NOW + 10 * MINUTE);
    expect(filesIn(place.root, 'new')).toEqual([]);
    expect(readFileSync(folder().receipts, 'utf8')).toContain(`"id":"${id}","state":"expired"`);
  });
});

describe('a message that waits', () => {
  it('is delivered once, where it was chosen', async () => {
    const [one, two] = [await send(), await send()];
    expect((await take(NOW, (all) => all.slice(1))).messages.map(({ id }) => id)).toEqual([two.id]);
    expect((await take()).messages.map(({ id }) => id)).toEqual([one.id]);
    expect(await take()).toEqual({ messages: [], problems: [] });
    expect((await state(one.id))?.by).toBe('hook');
  });

  it('is not delivered twice, even if it is there again', async () => {
    const { id } = await send();
    const text = readFileSync(join(folder().new, `${id}.json`));
    await take();
    writeFileSync(join(folder().new, `${id}.json`), text);
    expect((await take()).messages).toEqual([]);
    expect(await withdrawMessage(place.root, SESSION, id, NOW)).toMatchObject({
      ok: false,
      error: { code: 'duplicate', message: `Message ${id} was already delivered.` },
    });
  });

  it('expires to the millisecond', async () => {
    const { id } = await send();
    expect(value(await expireMessages(place.root, SESSION, NOW + 10 * MINUTE - 1))).toBe(0);
    expect(value(await expireMessages(place.root, SESSION, NOW + 10 * MINUTE))).toBe(1);
    expect((await state(id))?.state).toBe('expired');
    const other = await send();
    expect((await take(NOW + 10 * MINUTE)).messages).toEqual([]);
    expect((await state(other.id))?.state).toBe('expired');
  });

  it('can be withdrawn until it is taken', async () => {
    const { id } = await send();
    expect((await withdrawMessage(place.root, SESSION, id, NOW)).ok).toBe(true);
    expect((await state(id))?.state).toBe('withdrawn');
    const gone = { ok: false, error: { code: 'not_waiting', message: `Message ${id} is no longer waiting.` } };
    expect(await withdrawMessage(place.root, SESSION, id, NOW)).toMatchObject(gone);
    expect(await withdrawMessage(place.root, 'absent', id, NOW)).toMatchObject(gone);
    expect(await withdrawMessage(place.root, SESSION, '../x', NOW)).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: 'This is not the id of a message.' },
    });
  });

  it('does not exist without an inbox', async () => {
    expect(await take()).toEqual({ messages: [], problems: [] });
    expect(value(await expireMessages(place.root, SESSION, NOW))).toBe(0);
    expect(await readMessages(folder().new)).toEqual({ found: [], problems: [] });
  });
});

it('of very many files in a folder a thousand messages are checked, the oldest or the newest', async () => {
  await send();
  const ids = Array.from({ length: MOST_MESSAGES + 1 }, (_, n) => ulid(NOW + n));
  for (const id of ids) writeFileSync(join(folder().cur, `${id}.json`), '{');
  const looked = async (keep?: 'oldest' | 'newest') => (await readMessages(folder().cur, keep)).problems;
  const [first, ...rest] = await looked();
  expect(first?.why).toBe(`it holds ${MOST_MESSAGES + 1} files; ${MOST_MESSAGES} of them are looked at`);
  expect(rest).toHaveLength(MOST_MESSAGES);
  expect(rest[0]?.path).toContain(ids[0]);
  expect((await looked('newest'))[1]?.path).toContain(ids[1]);
});

it('messages of all inboxes are taken, no more than would be chosen of all of them', async () => {
  const other = workspace();
  try {
    const first = await send();
    await send();
    value(await sendMessage(other.root, draft(), NOW));
    const said: string[] = [];
    const taken = await takeFromAll({
      roots: [place.root, other.root],
      sessions: [SESSION, 'none'],
      by: 'hook',
      now: NOW,
      choose: (all) => all.slice(0, 1),
      log: (line) => void said.push(line),
    });
    expect(taken.map(({ id }) => id)).toEqual([first.id]);
    expect(taken[0]?.text).toContain(`[unstuck ${first.id}]`);
    expect(said).toEqual([]);
  } finally {
    other.remove();
  }
});

it('an inbox that cannot be used does not affect the messages of another, and is reported in the log', async () => {
  const other = workspace();
  try {
    writeFileSync(join(other.root, '.unstuck'), 'a file in its place');
    const { id } = await send();
    const said: string[] = [];
    const taken = await takeFromAll({
      roots: [other.root, place.root],
      sessions: [SESSION],
      by: 'hook',
      now: NOW,
      choose: (all) => all,
      log: (line) => void said.push(line),
    });
    expect(taken.map((one) => one.id)).toEqual([id]);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^\w+: /);
  } finally {
    other.remove();
  }
});

it('a file that is no message is reported in the log of the hook', async () => {
  await send();
  const id = ulid(NOW);
  writeFileSync(join(inboxFolder(place.root, SESSION).new, `${id}.json`), '{');
  const said: string[] = [];
  const log = (line: string) => void said.push(line);
  await takeFromAll({ roots: [place.root], sessions: [SESSION], by: 'hook', now: NOW, choose: () => [], log });
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(`json: ${join(inboxFolder(place.root, SESSION).new, id)}.json: `);
});
