import { existsSync, readFileSync, rmSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deliveries, inboxFolder, sendMessage, takeMessages, writeGateFile } from '../../../../src/agents/inbox';
import { withdrawMessage } from '../../../../src/agents/inbox/messages/waiting';
import { reportEnd } from '../../../../src/agents/inbox/end-file';
import { draft, filesIn, NOW, SESSION, value, workspace } from './inbox-kit';

/** Files can be made, renamed and read, but nothing more can be written into them. */
const disk = vi.hoisted(() => ({ full: false }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>();
  const noSpace = () =>
    disk.full ? Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })) : null;
  const limited = (file: files.FileHandle): files.FileHandle =>
    new Proxy(file, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name, target);
        if (typeof found !== 'function') return found;
        const call = (...args: unknown[]): unknown => Reflect.apply(found, target, args) as unknown;
        return name === 'writeFile' || name === 'write' ? (...args: unknown[]) => noSpace() ?? call(...args) : call;
      },
    });
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => limited(await real.open(...args)),
    writeFile: (...args: Parameters<typeof real.writeFile>) => noSpace() ?? real.writeFile(...args),
  };
});

let place: { root: string; remove: () => void };
beforeEach(() => {
  place = workspace();
  disk.full = false;
});
afterEach(() => place.remove());

const all = { root: '', session: SESSION, by: 'test', now: NOW, choose: <T>(waiting: T) => waiting };
const receiptsOf = () => join(place.root, '.unstuck/inbox', SESSION, 'receipts.jsonl');

it('a message without room on the disk is not sent, is reported, and leaves nothing behind; it is sent once there is room', async () => {
  disk.full = true;
  const first = await sendMessage(place.root, draft(), NOW);
  expect(first).toMatchObject({
    ok: false,
    error: { code: 'disk_full', message: expect.stringContaining('the disk is full') },
  });
  disk.full = false;
  const { message } = value(await sendMessage(place.root, draft(), NOW));
  disk.full = true;
  const second = await sendMessage(place.root, draft({ text: 'Once more.' }), NOW);
  expect(second).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  expect([filesIn(place.root, 'new'), filesIn(place.root, 'tmp'), filesIn(place.root, 'cur')]).toEqual([
    [`${message.id}.json`],
    [],
    [],
  ]);
  expect(readFileSync(inboxFolder(place.root, SESSION).wake, 'utf8')).toBe(message.id);
});

it('a waiting message is still delivered, once, and shows as taken by its place, though no receipt can be written', async () => {
  const { message } = value(await sendMessage(place.root, draft(), NOW));
  const other = value(await sendMessage(place.root, draft({ text: 'Second.' }), NOW)).message;
  rmSync(receiptsOf());
  disk.full = true;
  value(await withdrawMessage(place.root, SESSION, other.id, NOW));
  const taken = value(await takeMessages({ ...all, root: place.root }));
  expect(taken.messages.map(({ id }) => id)).toEqual([message.id]);
  expect(value(await takeMessages({ ...all, root: place.root })).messages).toEqual([]);
  expect(readFileSync(receiptsOf(), 'utf8')).toBe('');
  const states = value(await deliveries(place.root, SESSION, Date.now())).deliveries.map(({ state }) => state);
  expect(states).toEqual(['taken', 'taken']);
});

it('neither the state of the gates nor the end of a turn is half written', async () => {
  value(await sendMessage(place.root, draft(), NOW));
  disk.full = true;
  const gate = { v: 1, session: SESSION, state: 'armed', at: NOW, until: NOW, wait: 1, pid: 1 } as const;
  expect(await writeGateFile(place.root, gate)).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  expect(await reportEnd(place.root, SESSION, NOW)).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  for (const name of ['gate.json', 'ended.json'])
    expect(existsSync(join(inboxFolder(place.root, SESSION).path, name))).toBe(false);
  expect(filesIn(place.root, 'tmp')).toEqual([]);
});
