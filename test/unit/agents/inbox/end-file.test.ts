import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inboxFolder } from '../../../../src/agents/inbox';
import { reportEnd, watchEnds } from '../../../../src/agents/inbox/end-file';
import { prepareInbox } from '../../../../src/agents/inbox/folder';
import { PATIENCE } from '../../../support/patience';
import { NOW, SESSION, value, workspace } from './inbox-kit';

let place: { root: string; remove: () => void };
beforeEach(async () => {
  place = workspace();
  value(await prepareInbox(inboxFolder(place.root, SESSION)));
});
afterEach(() => place.remove());

const file = () => join(inboxFolder(place.root, SESSION).path, 'ended.json');

/** The ends that a window is told about; each is awaited by the next one. */
function watching(since = NOW) {
  const told: number[] = [];
  const watcher = watchEnds(place.root, SESSION, since, (at) => told.push(at));
  const isTold = (...ends: number[]) => vi.waitFor(() => expect(told).toEqual(ends), PATIENCE);
  return { told, watcher, isTold };
}

it('a window is told about each end of a turn once, as the hook reports it', async () => {
  const { watcher, isTold } = watching();
  value(await reportEnd(place.root, SESSION, NOW));
  await isTold(NOW);
  value(await reportEnd(place.root, SESSION, NOW));
  value(await reportEnd(place.root, SESSION, NOW - 5));
  value(await reportEnd(place.root, SESSION, NOW + 1));
  await isTold(NOW, NOW + 1);
  watcher.dispose();
});

it('an end that was reported while the watching began is passed on, and an earlier one is not', async () => {
  value(await reportEnd(place.root, SESSION, NOW));
  const early = watching(NOW);
  await early.isTold(NOW);
  early.watcher.dispose();
  const late = watching(NOW + 1);
  value(await reportEnd(place.root, SESSION, NOW + 2));
  await late.isTold(NOW + 2);
  late.watcher.dispose();
});

it('a report by another session, by another program or with a large file is no end', async () => {
  const { watcher, isTold } = watching();
  const ends: number[] = [];
  for (const text of [
    JSON.stringify({ v: 1, session: 'another', at: NOW + 8 }),
    JSON.stringify({ v: 2, session: SESSION, at: NOW + 8 }),
    JSON.stringify({ v: 1, session: SESSION, at: NOW + 8, more: 'x'.repeat(5_000) }),
    'no JSON',
  ]) {
    writeFileSync(file(), text);
    const at = NOW + ends.length;
    value(await reportEnd(place.root, SESSION, at));
    ends.push(at);
    // Awaited before the next one replaces it: only the newest end is in the file.
    await isTold(...ends);
  }
  watcher.dispose();
});

it('nothing is reported once the watching has stopped, and a folder that is gone is no error', async () => {
  const { told, watcher } = watching();
  watcher.dispose();
  const other = watching();
  value(await reportEnd(place.root, SESSION, NOW));
  await other.isTold(NOW);
  expect(told).toEqual([]);
  other.watcher.dispose();
  expect(() => watchEnds(place.root, 'nowhere', NOW, () => {}).dispose()).not.toThrow();
});

it('a hook that cannot report the end gets the reason', async () => {
  const blocked = inboxFolder(place.root, 'blocked');
  mkdirSync(blocked.path, { recursive: true });
  writeFileSync(blocked.tmp, 'a file in its place');
  const said = await reportEnd(place.root, 'blocked', NOW);
  expect(said.ok).toBe(false);
});
