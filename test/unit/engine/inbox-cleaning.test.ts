import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { workspaceMail } from '../../../src/engine/inbox-mail';
import { InboxCleaning } from '../../../src/engine/inbox-cleaning';
import { inboxFolder, sendMessage } from '../../../src/agents/inbox';
import { type Log, silentLog } from '../../../src/base/util/log';
import { draft, filesIn, SESSION, value, workspace } from '../agents/inbox/inbox-kit';
import { FakeClock } from '../history/support/fake-clock';
import { engineOver } from './support';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 20, 17);

let clock: FakeClock;
let place: { root: string; remove: () => void };
const ends: (() => void)[] = [];
beforeEach(() => {
  clock = new FakeClock(NOW);
  place = workspace();
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  place.remove();
});

/** A message that was written at `at` and taken. */
async function takenMessage(root: string, at: number): Promise<string> {
  const { id } = value(await sendMessage(root, draft(), at, { newId: ulid })).message;
  const folder = inboxFolder(root, SESSION);
  renameSync(join(folder.new, `${id}.json`), join(folder.cur, `${id}.json`));
  return `${id}.json`;
}

function engine(isTrusted: () => boolean) {
  const home = join(place.root, 'home');
  mkdirSync(home);
  const made = engineOver(home, place.root, {
    clock,
    mail: workspaceMail(
      () => [place.root],
      () => clock.now(),
      silentLog,
      isTrusted,
    ),
  });
  ends.push(() => {
    made.engine.dispose();
    made.tail.dispose();
  });
  return made;
}

it('a message is deleted from cur 7 days after it was written, a minute after the engine starts', async () => {
  const old = await takenMessage(place.root, NOW - 7 * DAY - MINUTE);
  const young = await takenMessage(place.root, NOW - 7 * DAY + 5 * MINUTE);
  const { engine: started } = engine(() => true);
  started.start();
  clock.pass(MINUTE - 1);
  expect(filesIn(place.root, 'cur')).toEqual([old, young]);
  clock.pass(1);
  await vi.waitFor(() => expect(filesIn(place.root, 'cur')).toEqual([young]));
});

it('a day later it is checked again', async () => {
  await takenMessage(place.root, NOW - 6 * DAY - MINUTE);
  const { engine: started } = engine(() => true);
  started.start();
  clock.pass(MINUTE);
  clock.pass(DAY - 1);
  expect(filesIn(place.root, 'cur')).toHaveLength(1);
  clock.pass(1);
  await vi.waitFor(() => expect(filesIn(place.root, 'cur')).toEqual([]));
});

it('a folder that is opened later is cleaned a minute later', async () => {
  const later = workspace();
  ends.push(later.remove);
  await takenMessage(later.root, NOW - 8 * DAY);
  const { engine: started, settings } = engine(() => true);
  started.start();
  clock.pass(2 * MINUTE);
  started.configure({ ...settings, folders: [later.root] });
  clock.pass(MINUTE - 1);
  expect(filesIn(later.root, 'cur')).toHaveLength(1);
  clock.pass(1);
  await vi.waitFor(() => expect(filesIn(later.root, 'cur')).toEqual([]));
});

it('nothing is deleted in a folder that is not trusted, until it is', async () => {
  const old = await takenMessage(place.root, NOW - 8 * DAY);
  let trusted = false;
  const isTrusted = vi.fn(() => trusted);
  const { engine: started } = engine(isTrusted);
  started.start();
  clock.pass(MINUTE);
  expect(isTrusted).toHaveBeenCalledTimes(1);
  expect(filesIn(place.root, 'cur')).toEqual([old]);
  trusted = true;
  clock.pass(DAY);
  await vi.waitFor(() => expect(filesIn(place.root, 'cur')).toEqual([]));
});

it('a folder that cannot be cleaned does not stop the others from being cleaned', async () => {
  const cleaned: string[] = [];
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => void warned.push(message) };
  const mail = {
    clean: async (folder: string) => {
      if (folder === '/one') throw new Error('no');
      cleaned.push(folder);
    },
  };
  const cleaning = new InboxCleaning({ mail, clock, log, folders: () => ['/one', '/two'] });
  cleaning.plan();
  clock.pass(MINUTE);
  await vi.waitFor(() => expect(cleaned).toEqual(['/two']));
  expect(warned).toEqual(['the inboxes of /one could not be cleaned: Error: no']);
});

it('several changes of the folders cause one run, and none after the end', () => {
  const clean = vi.fn(async () => {});
  const cleaning = new InboxCleaning({ mail: { clean }, clock, log: silentLog, folders: () => ['/one'] });
  cleaning.plan();
  clock.pass(MINUTE / 2);
  cleaning.plan();
  clock.pass(MINUTE / 2);
  expect(clean).not.toHaveBeenCalled();
  clock.pass(MINUTE / 2);
  expect(clean).toHaveBeenCalledTimes(1);
  cleaning.dispose();
  cleaning.plan();
  clock.pass(2 * DAY);
  expect(clean).toHaveBeenCalledTimes(1);
});

it('a window that is closed within the first minute cleans nothing, and leaves no timer', () => {
  const clean = vi.fn(async () => {});
  const cleaning = new InboxCleaning({ mail: { clean }, clock, log: silentLog, folders: () => ['/one'] });
  cleaning.plan();
  cleaning.dispose();
  expect(clock.waiting).toBe(0);
  clock.pass(2 * DAY);
  expect(clean).not.toHaveBeenCalled();
});
