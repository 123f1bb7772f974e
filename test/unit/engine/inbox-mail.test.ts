import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inboxFolder, receipt, sendMessage } from '../../../src/agents/inbox';
import { silentLog } from '../../../src/base/util/log';
import { workspaceMail } from '../../../src/engine/inbox-mail';
import { recordingLog } from '../support/log';
import { draft, filesIn, NOW, SESSION, value, workspace } from '../agents/inbox/inbox-kit';

const MINUTE = 60_000;

let place: { root: string; remove: () => void };
beforeEach(() => {
  place = workspace();
});
afterEach(() => place.remove());

function mail(now: () => number, isTrusted = true) {
  return workspaceMail(
    () => [place.root],
    now,
    silentLog,
    () => isTrusted,
  );
}

const send = async (): Promise<string> =>
  value(await sendMessage(place.root, draft(), NOW, { newId: ulid })).message.id;

/** Every file below the folder with its content. */
function files(): Readonly<Record<string, string>> {
  const names = readdirSync(place.root, { recursive: true, encoding: 'utf8' }).sort();
  const paths = names.map((name) => join(place.root, name)).filter((path) => statSync(path).isFile());
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

it('nothing is written to the inbox of a folder that is not trusted, even if the folder came with one', async () => {
  const id = await send();
  const before = files();
  expect(await mail(() => NOW + MINUTE, false).passOn(SESSION, 'next', place.root)).toBe(false);
  const restricted = mail(() => NOW + 60 * MINUTE, false);
  expect((await restricted.read(SESSION, place.root)).map(({ state }) => state)).toEqual(['expired']);
  await restricted.write(SESSION, place.root, receipt(id, 'seen', 'unstuck', NOW));
  await restricted.interrupted(SESSION, place.root, NOW);
  await restricted.call(SESSION, place.root, id);
  await restricted.expire(SESSION, place.root);
  await restricted.clean(place.root);
  expect(files()).toEqual(before);
});

it('a stop for a run that is over does not stop the next one', async () => {
  const { id } = value(await sendMessage(place.root, draft({ kind: 'stop' }), NOW, { newId: ulid })).message;
  await mail(() => NOW + MINUTE).passOn(SESSION, 'next', place.root);
  expect(filesIn(place.root, 'new')).toEqual([`${id}.json`]);
  expect(readdirSync(join(place.root, '.unstuck/inbox'))).not.toContain('next');
});

it('a message that is taken at the last moment is not sent to the next run as well', async () => {
  const name = `${await send()}.json`;
  const folder = inboxFolder(place.root, SESSION);
  let looks = 0;
  // The first reading of the clock is for what waits, the second for its withdrawal.
  const passing = mail(() => {
    if (++looks === 2) renameSync(join(folder.new, name), join(folder.cur, name));
    return NOW + 1_000;
  });
  await passing.passOn(SESSION, 'next', place.root);
  expect(looks).toBeGreaterThan(1);
  expect(filesIn(place.root, 'cur')).toEqual([name]);
  expect(readdirSync(join(place.root, '.unstuck/inbox'))).not.toContain('next');
});

it('an inbox that cannot be read or written is logged, each time with what failed', async () => {
  const log = recordingLog();
  mkdirSync(join(place.root, '.unstuck'), { recursive: true });
  writeFileSync(join(place.root, '.unstuck/inbox'), 'a file in its place');
  const broken = workspaceMail(
    () => [place.root],
    () => NOW,
    log,
    () => true,
  );
  const lines = async (did: Promise<unknown>) => {
    await did;
    return log.lines.splice(0).map((line) => line.slice(0, 5));
  };
  expect(await lines(broken.write(SESSION, place.root, receipt(ulid(), 'seen', 'unstuck', NOW)))).toEqual(['warn:']);
  expect(await lines(broken.interrupted(SESSION, place.root, NOW))).toEqual(['warn:']);
  expect(await broken.passOn(SESSION, 'next', place.root)).toBe(false);
  expect(await broken.read(SESSION, undefined)).toEqual([]);
});

it('an agent is called by the file that its hook waits for', async () => {
  const id = await send();
  await mail(() => NOW).call(SESSION, place.root, id);
  expect(Object.keys(files()).filter((path) => !path.includes('/new/')).length).toBeGreaterThan(0);
});

it('cleaning logs what it deleted, and nothing if there was nothing', async () => {
  const log = recordingLog();
  const cleans = (now: number) =>
    workspaceMail(
      () => [place.root],
      () => now,
      log,
      () => true,
    ).clean(place.root);
  await send();
  await cleans(NOW + MINUTE);
  expect(log.lines).toEqual([]);
  await cleans(NOW + 60 * MINUTE);
  expect(log.lines).toEqual([`info: ${place.root}: expired messages: 1; deleted: old messages 0, silent inboxes 0`]);
});

it('says whether anything was passed on, which expires at its original time', async () => {
  expect(await mail(() => NOW).passOn(SESSION, 'next', place.root)).toBe(false);
  await send();
  const [before] = await mail(() => NOW).read(SESSION, place.root);
  expect(await mail(() => NOW + 1_000).passOn(SESSION, 'next', place.root)).toBe(true);
  // It waits no longer than it would have before.
  const [after] = await mail(() => NOW + 1_000).read('next', place.root);
  expect(after?.message.expires).toBe(before?.message.expires);
});
