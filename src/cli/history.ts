import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../base/clock';
import { type IncidentStore, openStore } from '../history';
import { type DataPlace, editorData } from '../base/files';
import { type Log, silentLog } from '../base/util/log';
import { damageNotice } from '../core/words';
import { type Output, UsageError } from './output';

const A_CENTURY = 36_500;

/** The extension's id, under which editors keep its storage. */
const EXTENSION = /\.unstuck$/i;

/**
 * Opens the store of a command: `--store DIR`, else UNSTUCK_STORE, else the one that an editor keeps for the folder. A file in the workspace must not
 * name the store, because the store is read as a database.
 */
export async function openHistory(
  command: string,
  options: { readonly store?: string | undefined; readonly folder?: string | undefined },
  place: DataPlace = { home: homedir(), env: process.env, platform: process.platform },
): Promise<IncidentStore> {
  const named = options.store ?? (place.env['UNSTUCK_STORE'] || undefined);
  const folder = named === undefined ? findStore(resolve(options.folder ?? '.'), place) : resolve(named);
  if (folder === undefined) {
    throw new UsageError(
      'unreadable',
      `unstuck ${command}: no editor has a history for ${resolve(options.folder ?? '.')}. Name its folder with --store DIR.`,
    );
  }
  if (!isStore(folder)) throw new UsageError('unreadable', `unstuck ${command}: there is no history in ${folder}.`);
  return openStore({
    folder,
    wasm: wasm(),
    clock: systemClock,
    window: `cli-${process.pid}`,
    log: silentLog,
    stays: false,
  });
}

/**
 * Opens the store in which a command keeps incidents: `--store DIR`, made if it does not exist. It works like a window's store: several commands and
 * windows may use it at once.
 */
export async function openHistoryToKeep(command: string, folder: string, log: Log): Promise<IncidentStore> {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError('usage', `unstuck ${command}: --store must be a folder, and ${path} is not one.`);
  const store = await openStore({
    folder: path,
    wasm: wasm(),
    clock: systemClock,
    window: `cli-${process.pid}`,
    log,
    stays: false,
    settleMs: 0,
    // Reads incidents of any age.
    days: () => A_CENTURY,
  });
  const { mode, message } = store.status();
  if (mode !== 'memory_only') return store;
  await store.close();
  throw new UsageError('unreadable', `unstuck ${command}: cannot write to ${path}: ${message ?? 'unknown'}`);
}

/** Reports problems of a history that a command has read: what is missing in the answer, and why. */
export function noteTrouble(command: string, store: IncidentStore, output: Output): void {
  const { message, damage } = store.status();
  const [file] = damage?.files ?? [];
  if (message !== undefined) output.note(`unstuck ${command}: ${message}`);
  if (damage && file !== undefined) output.note(`unstuck ${command}: ${damageNotice({ ...damage, file })}`);
}

/** Finds the newest of the stores that editors keep for a workspace with only this folder. */
function findStore(folder: string, place: DataPlace): string | undefined {
  // This is the digest of the folder’s URI, as in src/editor/history/incident-store.ts.
  const name = createHash('sha256').update(folderUri(folder)).digest('hex').slice(0, 16);
  const found = storageFolders(place)
    .map((storage) => join(storage, 'incidents', name))
    .filter(isStore);
  const time = (path: string) => statSync(join(path, 'journal'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return found.sort((a, b) => time(b) - time(a))[0];
}

function storageFolders(place: DataPlace): readonly string[] {
  return editorData(place).flatMap((root) => {
    const storage = join(root, 'User/globalStorage');
    try {
      return readdirSync(storage)
        .filter((name) => EXTENSION.test(name))
        .map((name) => join(storage, name));
    } catch {
      return [];
    }
  });
}

/** Returns a folder's URI as the editor writes it, e.g. `file:///home/me/a%20b`: everything but unreserved characters and slashes is encoded. */
export function folderUri(folder: string): string {
  const slashes = folder.replace(/\\/g, '/').replace(/^([A-Z]):/, (_, drive: string) => `/${drive.toLowerCase()}:`);
  const path = slashes.startsWith('/') ? slashes : `/${slashes}`;
  const encoded = path
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    );
  return `file://${encoded.join('/')}`;
}

function isStore(folder: string): boolean {
  return existsSync(join(folder, 'journal')) || existsSync(join(folder, 'incidents.sqlite'));
}

/** Finds the file next to the bundle, or in a checkout in the package's folder. */
function wasm(): string {
  const places = ['sql-wasm.wasm', '../../dist/sql-wasm.wasm', '../../node_modules/sql.js/dist/sql-wasm.wasm'];
  return places.map((place) => join(__dirname, place)).find((place) => existsSync(place)) ?? 'sql-wasm.wasm';
}
