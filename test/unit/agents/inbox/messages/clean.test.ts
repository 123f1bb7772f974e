import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanInboxes, inboxFolder, sendMessage, takeMessages } from '../../../../../src/agents/inbox';
import { draft, filesIn, NOW, SESSION, value, workspace } from '../inbox-kit';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let place: { root: string; remove: () => void };
beforeEach(() => {
  place = workspace();
});
afterEach(() => place.remove());

const folder = () => inboxFolder(place.root, SESSION);
/** Ids of one process only increase, and earlier tests may have moved the clock further: each message gets an id at its own time. */
const send = async (at: number, session = SESSION) =>
  value(await sendMessage(place.root, draft({ session }), at, { newId: ulid })).message.id;
const take = (at: number) =>
  takeMessages({ root: place.root, session: SESSION, by: 'hook:Stop', now: at, choose: (all) => all });
const clean = (at: number, isAlive = (_pid: number) => false) => cleanInboxes(place.root, at, isAlive);
/** In whole seconds: fractions lose their last digits on the way to the disk. */
const writtenAt = (path: string, at: number) => utimesSync(path, Math.ceil(at / 1000), Math.ceil(at / 1000));

/** Everything in the folder of the session was last written at this time. */
function lastTouched(at: number): void {
  const { path, receipts, wake, new: fresh, cur, tmp } = folder();
  for (const one of [receipts, wake, join(path, 'calls.jsonl'), join(path, 'gate.json'), fresh, cur, tmp, path])
    if (existsSync(one)) writtenAt(one, at);
}

describe('messages', () => {
  //      sent        10 min            7 days
  //      |-----------|-----------------|
  //      waits       expires, to cur   gone
  it('that were not taken expire after ten minutes, and are removed seven days after they were sent', async () => {
    const id = await send(NOW);
    expect(await clean(NOW + 9 * MINUTE)).toEqual({ expired: 0, messages: 0, folders: 0 });
    expect(filesIn(place.root, 'new')).toEqual([`${id}.json`]);
    expect(await clean(NOW + 10 * MINUTE)).toEqual({ expired: 1, messages: 0, folders: 0 });
    expect(filesIn(place.root, 'cur')).toEqual([`${id}.json`]);
    expect(await clean(NOW + 7 * DAY)).toEqual({ expired: 0, messages: 0, folders: 0 });
    expect(await clean(NOW + 7 * DAY + 1)).toMatchObject({ expired: 0, messages: 1 });
  });

  it('of three days: the one that is too old is removed, the others stay', async () => {
    const old = await send(NOW);
    const young = await send(NOW + DAY);
    await take(NOW + DAY);
    const waiting = await send(NOW + 7 * DAY);
    expect(await clean(NOW + 7 * DAY + MINUTE)).toEqual({ expired: 0, messages: 1, folders: 0 });
    expect(filesIn(place.root, 'cur')).toEqual([`${young}.json`]);
    expect(filesIn(place.root, 'new')).toEqual([`${waiting}.json`]);
    expect(old).not.toBe(young);
  });

  it('are not touched if a file has another name', async () => {
    await send(NOW);
    writeFileSync(join(folder().cur, 'notes.json'), '');
    await clean(NOW + 30 * DAY);
    expect(filesIn(place.root, 'cur')).toContain('notes.json');
  });
});

describe('drafts of a writer that died', () => {
  it('are removed after an hour: messages by their id, states by the time of writing', async () => {
    const id = await send(NOW);
    const states = ['gate.json', 'ended.json', 'interruptions.json', 'supervisor.json', 'wake'];
    const left = [`${id}.json`, ...states.map((state) => `${state}.0123456789ab.tmp`), 'gate.0123456789ab.tmp'].sort();
    const kept = ['gate.0123456789ab.tmp.txt', 'my-gate.0123456789ab.tmp', 'gate.012.tmp'];
    for (const name of [...left, ...kept]) {
      writeFileSync(join(folder().tmp, name), '');
      writtenAt(join(folder().tmp, name), NOW);
    }
    await clean(NOW + HOUR);
    expect(filesIn(place.root, 'tmp')).toEqual([...left, ...kept].sort());
    await clean(NOW + HOUR + 1000);
    expect(filesIn(place.root, 'tmp')).toEqual(kept.sort());
  });
});

describe('the folder of a session', () => {
  const states = ['calls.jsonl', 'ended.json', 'interruptions.json', 'gate.json', 'supervisor.json'];

  it('is removed when nothing has happened in it for seven days, with all states in it', async () => {
    await send(NOW);
    await take(NOW);
    for (const name of states) writeFileSync(join(folder().path, name), '{}');
    const later = NOW + 8 * DAY;
    lastTouched(NOW);
    expect(await clean(later)).toEqual({ expired: 0, messages: 1, folders: 0 });
    // Removing the message has just changed its folder.
    lastTouched(later - 7 * DAY);
    expect(await clean(later)).toEqual({ expired: 0, messages: 0, folders: 0 });
    lastTouched(later - 7 * DAY - 1000);
    expect(await clean(later)).toEqual({ expired: 0, messages: 0, folders: 1 });
    expect(readdirSync(join(place.root, '.unstuck/inbox'))).toEqual([]);
  });

  it('stays while a supervisor or a window that gives verdicts runs', async () => {
    await send(NOW);
    await take(NOW);
    await clean(NOW + 8 * DAY);
    writeFileSync(join(folder().path, 'gate.json'), '{"pid":4711}');
    lastTouched(NOW);
    expect(await clean(NOW + 8 * DAY, (pid) => pid === 4711)).toMatchObject({ folders: 0 });
    expect(existsSync(folder().path)).toBe(true);
    expect(await clean(NOW + 8 * DAY, (pid) => pid !== 4711)).toMatchObject({ folders: 1 });
  });

  it.each(['receipts', 'new', 'calls.jsonl'])('stays if %s was written since', async (name) => {
    await send(NOW);
    await take(NOW);
    await clean(NOW + 8 * DAY);
    writeFileSync(join(folder().path, 'calls.jsonl'), '');
    lastTouched(NOW);
    writtenAt(name === 'receipts' ? folder().receipts : join(folder().path, name), NOW + 5 * DAY);
    expect(await clean(NOW + 8 * DAY)).toMatchObject({ folders: 0 });
    expect(await clean(NOW + 13 * DAY)).toMatchObject({ folders: 1 });
  });

  it("stays if it contains someone's own file", async () => {
    await send(NOW);
    await take(NOW);
    await clean(NOW + 8 * DAY);
    writeFileSync(join(folder().path, 'notes.md'), 'mine');
    lastTouched(NOW);
    expect(await clean(NOW + 8 * DAY)).toMatchObject({ folders: 0 });
    expect(readdirSync(folder().path)).toEqual(['notes.md']);
  });

  it('is one of several: a file in its place, or a folder without inboxes, affects only itself', async () => {
    await send(NOW, 'one');
    await send(NOW, 'two');
    writeFileSync(join(place.root, '.unstuck/inbox/a-file'), '');
    mkdirSync(join(place.root, '.unstuck/inbox/a-folder'));
    expect(await clean(NOW + HOUR)).toMatchObject({ expired: 2, messages: 0 });
    const nowhere = workspace();
    expect(await cleanInboxes(nowhere.root, NOW)).toEqual({ expired: 0, messages: 0, folders: 0 });
    nowhere.remove();
  });
});
