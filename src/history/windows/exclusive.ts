import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { errorCode } from '../../base/util/error-code';
import { parseJson } from '../../base/util/json';
import { isAbsent } from '../errors';
import type { ProcessTable } from './process-id';

/**
 * Something that only one process may have: the right to compact, or to send one message.
 *
 * It is a folder of generations, files named 1, 2, 3 and so on. The process that creates the next number (exclusively) has it; the highest number
 * counts. A holder that died is succeeded by the next number, which only one process can create, so two that notice the death at once cannot both
 * win. Numbers are never used again: a holder deletes lower ones, the highest stays.
 */
export interface Hold {
  /** True while it has no successor. */
  isMine(): Promise<boolean>;
  /** Releases it for the next holder. */
  release(): Promise<void>;
  /** Closes it for good. */
  finish(): Promise<void>;
}

export interface Owner {
  readonly processes: ProcessTable;
  readonly window: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Content of the file of a generation. */
const generation = z.object({
  state: z.enum(['held', 'free', 'done']),
  process: z.object({ host: z.string(), boot: z.string(), pid: z.number(), start: z.string() }),
  at: z.number(),
});
type Generation = Readonly<z.infer<typeof generation>>;

/** Time after which a holder on another machine, whose process cannot be checked, counts as dead. */
const STALE_ELSEWHERE_MS = 10 * 60 * 1000;
/** A file that was created and is still empty: its creator is about to write it, unless it died. */
const STALE_EMPTY_MS = 5_000;
const MOST_ATTEMPTS = 4;

/** Acquires it. Null if another process has it, or it is finished. */
export async function acquire(folder: string, owner: Owner): Promise<Hold | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const highest = (await generations(folder)).at(-1) ?? 0;
    if (highest > 0 && !(await isVacant(folder, highest, owner))) return null;
    const mine = highest + 1;
    const text = JSON.stringify({
      state: 'held',
      process: owner.processes.self,
      at: owner.now(),
      window: owner.window,
    });
    if (!(await create(folder, mine, text, owner))) continue;
    const all = await generations(folder);
    if (all.at(-1) !== mine) {
      // The list was out of date: another process is ahead.
      await remove(folder, mine);
      continue;
    }
    for (const lower of all) if (lower < mine) await remove(folder, lower);
    return holdOf(folder, mine, owner);
  }
  return null;
}

function holdOf(folder: string, mine: number, owner: Owner): Hold {
  let ended = false;
  const isMine = async () => (await generations(folder)).at(-1) === mine;
  const end = async (state: 'free' | 'done') => {
    if (ended) return;
    ended = true;
    if (!(await isMine())) return;
    const temporary = join(folder, `${mine}.${owner.processes.self.pid}.tmp`);
    await writeFile(
      temporary,
      JSON.stringify({ state, process: owner.processes.self, at: owner.now(), window: owner.window }),
      { mode: 0o600 },
    );
    await rename(temporary, join(folder, String(mine)));
  };
  return { isMine, release: () => end('free'), finish: () => end('done') };
}

/** Creates a generation together with its content, so that after a crash it is either whole or absent. False if another process was first. */
async function create(folder: string, generation: number, text: string, owner: Owner): Promise<boolean> {
  const path = join(folder, String(generation));
  const temporary = join(folder, `${generation}.${owner.processes.self.pid}.${randomBytes(6).toString('hex')}.tmp`);
  await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    // On a file system without second names it is created empty and written right after that.
    return await createInPlace(path, text);
  } finally {
    await unlink(temporary).catch(() => {});
  }
}

async function createInPlace(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Returns the numbers of the generations, ascending. */
async function generations(folder: string): Promise<number[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => /^[1-9]\d{0,14}$/.test(file))
    .map(Number)
    .sort((a, b) => a - b);
}

async function isVacant(folder: string, generation: number, owner: Owner): Promise<boolean> {
  const path = join(folder, String(generation));
  const found = await read(path);
  if (found === 'absent') return true;
  if (found === 'unreadable') {
    const age = await stat(path).then(
      ({ mtimeMs }) => owner.now() - mtimeMs,
      () => Infinity,
    );
    return age > STALE_EMPTY_MS;
  }
  if (found.state === 'done') return false;
  if (found.state === 'free') return true;
  switch (owner.processes.liveness(found.process)) {
    case 'alive':
      return false;
    case 'dead':
      return true;
    case 'unknown':
      return owner.now() - found.at > STALE_ELSEWHERE_MS;
  }
}

async function read(path: string): Promise<Generation | 'absent' | 'unreadable'> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return 'absent';
    throw error;
  }
  const parsed = z.safeParse(generation, parseJson(text));
  return parsed.success ? parsed.data : 'unreadable';
}

async function remove(folder: string, generation: number): Promise<void> {
  try {
    await unlink(join(folder, String(generation)));
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
