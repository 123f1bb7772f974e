/** Measures what the extension host holds at one moment, counted from outside through /proc and from inside by the probe. */
import fs from 'node:fs';
import { join } from 'node:path';
import { ask } from '../bench/editor/probe.mjs';

/**
 * @typedef {object} Reading
 * @property {number} minute since the first one
 * @property {number} rss MB of the process
 * @property {number} heap MB in use after a full garbage collection
 * @property {number} outside MB of buffers that V8 counts
 * @property {number} watches of inotify
 * @property {number} instances of inotify
 * @property {number} descriptors
 * @property {number} timers
 * @property {number} handles all that keeps the event loop busy, with timers
 * @property {number} children processes that it started
 * @property {number} threads
 * @property {number} store KB of the history's file
 * @property {number} journal KB of journals
 * @property {number} cpu seconds since it began
 * @property {Record<string, number>} kinds of handles
 */

/**
 * @param {{ socket: string, dir: string, since: number }} options dir: temporary folder of the host
 * @returns {Promise<Reading>}
 */
export async function measure({ socket, dir, since }) {
  const inside = await ask(socket, '/state');
  const folder = `/proc/${inside.pid}`;
  const links = fs.readdirSync(`${folder}/fd`).map((fd) => {
    try {
      return fs.readlinkSync(`${folder}/fd/${fd}`);
    } catch {
      return ''; // closed between listing and reading
    }
  });
  const watches = fs
    .readdirSync(`${folder}/fdinfo`)
    .map((fd) => (readIfThere(`${folder}/fdinfo/${fd}`).match(/^inotify wd:/gm) ?? []).length);
  const status = readIfThere(`${folder}/status`);
  const storage = join(dir, 'user/User/globalStorage/unstuck.unstuck/incidents');
  return {
    minute: (Date.now() - since) / 60_000,
    rss: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    heap: inside.memory.heapUsed / 2 ** 20,
    outside: inside.memory.external / 2 ** 20,
    watches: watches.reduce((sum, count) => sum + count, 0),
    instances: links.filter((link) => link.includes('inotify')).length,
    descriptors: links.length,
    timers: inside.kinds.Timeout ?? 0,
    handles: Object.values(inside.kinds).reduce((sum, count) => sum + count, 0),
    children: childrenOf(inside.pid),
    threads: Number(/Threads:\s+(\d+)/.exec(status)?.[1]),
    store: sizeOf(storage, (path) => path.endsWith('.sqlite')),
    journal: sizeOf(storage, (path) => path.includes('journal/')),
    cpu: inside.cpu,
    kinds: inside.kinds,
  };
}

function childrenOf(/** @type {number} */ pid) {
  return fs
    .readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => new RegExp(`^PPid:\\s+${pid}$`, 'm').test(readIfThere(`/proc/${id}/status`))).length;
}

function sizeOf(/** @type {string} */ folder, /** @type {(path: string) => boolean} */ wanted) {
  const paths = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(wanted);
  return (
    paths.reduce((sum, path) => sum + (fs.statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0), 0) / 1024
  );
}

function readIfThere(/** @type {string} */ path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
