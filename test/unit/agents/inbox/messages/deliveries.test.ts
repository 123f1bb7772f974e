import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  appendReceipt,
  cleanInboxes,
  deliveries,
  expireMessages,
  inboxFolder,
  receipt,
  sendMessage,
  takeMessages,
} from '../../../../../src/agents/inbox';
import { allDeliveries } from '../../../../../src/agents/inbox/messages/deliveries';
import { draftAgain } from '../../../../../src/agents/inbox/messages/send';
import { readReceipts } from '../../../../../src/agents/inbox/messages/receipts';
import type { Delivery } from '../../../../../src/core/model';
import { draft, filesIn, NOW, SESSION, value, workspace } from '../inbox-kit';

let place: { root: string; remove: () => void };
beforeEach(() => {
  place = workspace();
});
afterEach(() => place.remove());

const send = async (now = NOW): Promise<string> => value(await sendMessage(place.root, draft(), now)).message.id;
const take = async (now = NOW): Promise<readonly string[]> =>
  value(
    await takeMessages({ root: place.root, session: SESSION, by: 'hook:PostToolBatch', now, choose: (all) => all }),
  ).messages.map(({ id }) => id);
const only = async (now: number): Promise<Delivery | undefined> =>
  value(await deliveries(place.root, SESSION, now)).deliveries[0];

describe('the state of a message', () => {
  it('goes from queued over taken and seen to acted', async () => {
    const id = await send();
    const folder = inboxFolder(place.root, SESSION);
    expect(await only(NOW)).toMatchObject({ state: 'queued', by: 'unstuck' });
    await take(NOW + 1_000);
    expect(await only(NOW + 2_000)).toMatchObject({
      state: 'taken',
      by: 'hook:PostToolBatch',
      times: { taken: NOW + 1_000 },
    });
    await appendReceipt(folder, receipt(id, 'seen', 'unstuck', NOW + 3_000));
    await appendReceipt(folder, receipt(id, 'acted', 'unstuck', NOW + 9_000, { outcome: 'same' }));
    expect(await only(NOW + 90_000)).toMatchObject({
      state: 'acted',
      outcome: 'same',
      times: { queued: NOW, taken: NOW + 1_000, seen: NOW + 3_000, acted: NOW + 9_000 },
    });
  });

  it('is failed if it was taken and not seen within 60 s, and it can be sent again; if it is seen late, it counts as seen nevertheless', async () => {
    const id = await send();
    await take(NOW + 1_000);
    expect((await only(NOW + 60_999))?.state).toBe('taken');
    const failed = await only(NOW + 61_000);
    expect(failed).toMatchObject({ state: 'failed', reason: 'not_seen', times: { failed: NOW + 61_000 } });
    const folder = inboxFolder(place.root, SESSION);
    await appendReceipt(folder, receipt(id, 'failed', 'unstuck', NOW + 61_000, { reason: 'not_seen' }));
    expect((await only(NOW + 69_000))?.state).toBe('failed');
    await appendReceipt(folder, receipt(id, 'seen', 'unstuck', NOW + 70_000));
    expect((await only(NOW + 80_000))?.state).toBe('seen');
  });

  it('is taken, then failed, if a taker that was killed at once left it in cur without a receipt', async () => {
    const id = await send(Date.now());
    const folder = inboxFolder(place.root, SESSION);
    renameSync(join(folder.new, `${id}.json`), join(folder.cur, `${id}.json`));
    expect(await only(Date.now())).toMatchObject({ state: 'taken' });
    const failed = await only(Date.now() + 61_000);
    expect(failed?.state).toBe('failed');
    const again = value(await sendMessage(place.root, draftAgain(failed?.message as Delivery['message']), Date.now()));
    expect(again.message.id).not.toBe(id);
    expect(again.message.text).toBe(`The same command failed 6 times. [unstuck ${again.message.id}]`);
  });

  it('is expired if it was not taken in time, first by the clock alone, then with a receipt in cur', async () => {
    await send();
    expect(await only(NOW + 600_000)).toMatchObject({
      state: 'expired',
      by: 'clock',
      times: { expired: NOW + 600_000 },
    });
    expect(await take(NOW + 600_000)).toEqual([]);
    expect(await only(NOW + 700_000)).toMatchObject({ state: 'expired', by: 'hook:PostToolBatch' });
    await send();
    expect(value(await expireMessages(place.root, SESSION, NOW + 600_000))).toBe(1);
    expect(filesIn(place.root, 'new')).toEqual([]);
    expect(filesIn(place.root, 'cur')).toHaveLength(2);
  });

  it('does not allow a second delivery if its id is already in cur', async () => {
    const id = await send();
    const text = readFileSync(join(inboxFolder(place.root, SESSION).new, `${id}.json`), 'utf8');
    expect(await take()).toEqual([id]);
    writeFileSync(join(inboxFolder(place.root, SESSION).new, `${id}.json`), text);
    expect(await take()).toEqual([]);
  });

  it('stays the same if it is not chosen', async () => {
    const [one, two] = [await send(), await send()];
    const taken = await takeMessages({
      root: place.root,
      session: SESSION,
      by: 'supervisor',
      now: NOW,
      choose: (waiting) => waiting.slice(1),
    });
    expect(value(taken).messages.map(({ id }) => id)).toEqual([two]);
    expect(filesIn(place.root, 'new')).toEqual([`${one}.json`]);
  });

  it('names what is wrong with messages of others', async () => {
    await send();
    const folder = inboxFolder(place.root, SESSION);
    writeFileSync(join(folder.new, 'hello.json'), '{}');
    writeFileSync(join(folder.new, '01JDAAAAAAAAAAAAAAAAAAAAAA.json'), '{"v":1}');
    const { problems } = value(await deliveries(place.root, SESSION, NOW));
    expect(problems.map(({ code, why }) => `${code}: ${why}`)).toEqual([
      'schema: "id" is not as the format says',
      'name: its name is not a message id and .json',
    ]);
  });
});

describe('receipts', () => {
  it('lose only broken lines and a torn last one', async () => {
    const id = await send();
    const folder = inboxFolder(place.root, SESSION);
    appendFileSync(folder.receipts, 'not JSON\n{"v":1,"t":"x","id":"y","state":"taken","by":"z"}\n\n{"v":1,"t":"2026-');
    await appendReceipt(folder, receipt(id, 'seen', 'unstuck', NOW + 1));
    const read = value(await readReceipts(folder));
    expect(read.map(({ state }) => state)).toEqual(['queued', 'seen']);
  });

  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('if they are %s, the folders of the messages say where they are, and that is reported', async (_, make) => {
    const [waiting, taken] = [await send(), await send()];
    const folder = inboxFolder(place.root, SESSION);
    rmSync(folder.receipts);
    make(folder.receipts);
    renameSync(join(folder.new, `${taken}.json`), join(folder.cur, `${taken}.json`));
    const states = Object.fromEntries(
      value(await deliveries(place.root, SESSION, NOW)).deliveries.map(({ message, state }) => [message.id, state]),
    );
    expect(states).toEqual({ [waiting]: 'queued', [taken]: 'taken' });
    const all = await allDeliveries(place.root, NOW);
    expect(all.deliveries).toHaveLength(2);
    expect(all.problems).toMatchObject([{ path: folder.receipts, code: 'unreadable' }]);
    expect(all.problems[0]?.why).toMatch(/it is not a regular file/);
  });

  it('may be in any order in the file', async () => {
    const id = await send();
    const folder = inboxFolder(place.root, SESSION);
    writeFileSync(folder.receipts, '');
    for (const state of ['seen', 'taken', 'queued'] as const)
      await appendReceipt(folder, receipt(id, state, 'x', NOW + 1));
    expect((await only(NOW + 2))?.state).toBe('seen');
  });
});

describe('all inboxes of a folder', () => {
  it('are listed by age, whatever their sessions are called', async () => {
    const first = value(await sendMessage(place.root, draft({ session: 'an odd / name' }), NOW)).message.id;
    const second = await send(NOW + 1);
    const all = await allDeliveries(place.root, NOW + 2);
    expect(all.deliveries.map(({ message }) => message.id)).toEqual([first, second]);
    expect((await allDeliveries(join(place.root, 'nowhere'), NOW)).deliveries).toEqual([]);
  });

  it('are kept small: old messages are removed after 7 days, and so are silent sessions; what waits stays', async () => {
    const day = 24 * 3600_000;
    const old = Date.now() - 8 * day;
    const sendOld = async (): Promise<string> =>
      value(await sendMessage(place.root, draft({ expiresIn: 30 * day }), old, { newId: ulid })).message.id;
    const done = await sendOld();
    await take(old);
    const waiting = await sendOld();
    writeFileSync(join(inboxFolder(place.root, SESSION).tmp, `${done}.json`), '{');
    expect(await cleanInboxes(place.root, Date.now())).toEqual({ expired: 0, messages: 1, folders: 0 });
    expect(filesIn(place.root, 'new')).toEqual([`${waiting}.json`]);
    expect(filesIn(place.root, 'tmp')).toEqual([]);
    await take(old);
    expect(await cleanInboxes(place.root, Date.now() + 8 * day)).toEqual({ expired: 0, messages: 1, folders: 1 });
    expect((await allDeliveries(place.root, NOW)).deliveries).toEqual([]);
  });
});

it('states that a killed process left behind do not keep the folder of a silent session', async () => {
  const folder = inboxFolder(place.root, SESSION);
  await send();
  await take();
  for (const name of ['gate.json', 'ended.json', 'tmp/gate.0123456789ab.tmp', 'tmp/ended.0123456789ab.tmp'])
    writeFileSync(join(folder.path, name), '{}');
  expect((await cleanInboxes(place.root, Date.now())).folders).toBe(0);
  expect((await cleanInboxes(place.root, Date.now() + 8 * 24 * 3_600_000)).folders).toBe(1);
  expect(existsSync(folder.path)).toBe(false);
});

it.each(['supervisor.json', 'gate.json'])(
  'a running process keeps the silent folder that its %s marks',
  async (name) => {
    const folder = inboxFolder(place.root, SESSION);
    const later = Date.now() + 8 * 24 * 3_600_000;
    await send();
    await take();
    writeFileSync(join(folder.path, name), JSON.stringify({ v: 1, pid: 4711 }));
    expect((await cleanInboxes(place.root, later, (pid) => pid === 4711)).folders).toBe(0);
    expect(existsSync(join(folder.path, name))).toBe(true);
    expect((await cleanInboxes(place.root, later, () => false)).folders).toBe(1);
  },
);

it('the messages of all sessions are reported in the order in which they were written', async () => {
  const sent: string[] = [];
  for (const [at, session] of ['b', 'a', 'c', 'a', 'b'].entries())
    sent.push(value(await sendMessage(place.root, draft({ session }), NOW + at)).message.id);
  const { deliveries: all, problems } = await allDeliveries(place.root, NOW + 10);
  expect(all.map(({ message }) => message.id)).toEqual(sent);
  expect(problems).toEqual([]);
  const [, first] = sent;
  value(
    await takeMessages({
      root: place.root,
      session: 'a',
      by: 'hook',
      now: NOW + 10,
      choose: (waiting) => waiting.slice(0, 1),
    }),
  );
  const [taken, waits] = value(await deliveries(place.root, 'a', NOW + 20)).deliveries;
  expect([taken?.message.id, taken?.state, waits?.state]).toEqual([first, 'taken', 'queued']);
});
