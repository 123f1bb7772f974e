import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readdir, readlink, realpath, stat, symlink, unlink } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { readText, replaceFile } from '../../../base/files';
import { fail, ok, type Result } from '../../../base/util/result';
import { errorCode } from '../../../base/util/error-code';
import { inboxFailure, type InboxFailure } from '../failure';

/**
 * The folder in the extension's own storage that agents' settings point to. Its path survives updates; its files are replaced.
 *
 * - `hook.sh`, `hook.js`: what an agent's hook runs
 * - `opencode-plugin.mjs`: what OpenCode loads
 * - `runtime`: JavaScript runtimes, one absolute path per line; the first that can be run is used
 * - `roots/`: a link for each workspace folder whose inbox the hook checks. Links, because a shell can search all of them with one pattern and
 *   without reading a file, and because windows can add and remove them without a lock
 * - `proofs/`: which agents have called their hook (hook-proof.ts)
 * - `connections/`: what Connect wrote, to undo it
 * - `hook.log`: why a hook said nothing, at most 64 KB and one older file
 */
export interface HookFiles {
  /** Text of hook.sh. */
  readonly script: string;
  /** Text of hook.js. */
  readonly bundle: string;
  /** Text of opencode-plugin.mjs; absent if it is not shipped. */
  readonly plugin?: string;
  /** Absolute paths of JavaScript runtimes, the best first. */
  readonly runtimes: readonly string[];
}

const PLUGIN = 'opencode-plugin.mjs';

export type HookState = 'ready' | 'missing' | 'runtime_missing';

/** Size limit in bytes for a file of the hook, many times its real size. */
const LARGEST = 16 * 1024 * 1024;

async function textOf(path: string): Promise<string | null> {
  const read = await readText(path, { limit: LARGEST });
  return read.ok ? read.value : null;
}

async function replace(path: string, text: string, mode: number): Promise<void> {
  if ((await textOf(path)) !== text) await replaceFile(path, text, { mode });
}

function runtimeLines(runtimes: readonly string[]): string {
  return runtimes
    .filter((path) => path !== '' && !/[\r\n]/.test(path))
    .map((path) => `${path}\n`)
    .join('');
}

/** Installs or updates the hook, each file atomically, so that an agent that runs it meanwhile sees either the old or the new one. */
export async function installHook(folder: string, files: HookFiles): Promise<Result<void, InboxFailure>> {
  try {
    for (const name of ['roots', 'proofs']) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
    await replace(join(folder, 'runtime'), runtimeLines(files.runtimes), 0o600);
    await replace(join(folder, 'hook.js'), files.bundle, 0o600);
    if (files.plugin !== undefined) await replace(join(folder, PLUGIN), files.plugin, 0o600);
    await replace(join(folder, 'hook.sh'), files.script, 0o700);
    return ok(undefined);
  } catch (error) {
    return fail(inboxFailure(error, 'install the hook in', folder));
  }
}

/** Checks that the hook is there, of whatever version, with a runtime that can be run. */
export async function hookState(folder: string): Promise<HookState> {
  const read = (name: string): Promise<string | null> => textOf(join(folder, name));
  const [script, bundle, runtimes] = [await read('hook.sh'), await read('hook.js'), await read('runtime')];
  if (script === null || bundle === null) return 'missing';
  return (await anyCanRun((runtimes ?? '').split('\n'))) ? 'ready' : 'runtime_missing';
}

async function anyCanRun(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    if (path !== '' && (await canRun(path))) return true;
  }
  return false;
}

/** Returns whether this is an executable file. */
async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function linkOf(folder: string, root: string): string {
  return join(folder, 'roots', createHash('sha256').update(root, 'utf8').digest('hex').slice(0, 16));
}

/** Makes the hook check the inbox of a workspace folder. Can be repeated. */
export async function recordRoot(folder: string, root: string): Promise<Result<void, InboxFailure>> {
  const link = linkOf(folder, root);
  try {
    await mkdir(join(folder, 'roots'), { recursive: true, mode: 0o700 });
    // A junction needs no rights on Windows; elsewhere the kind means nothing.
    await symlink(root, link, 'junction');
    return ok(undefined);
  } catch (error) {
    return errorCode(error) === 'EEXIST' ? ok(undefined) : fail(inboxFailure(error, 'record a folder in', link));
  }
}

/** Stops the hook from checking the inbox of a workspace folder. */
export async function forgetRoot(folder: string, root: string): Promise<void> {
  // A link that cannot be removed costs each hook a look into one folder more.
  await unlink(linkOf(folder, root)).catch(() => undefined);
}

/** Returns the workspace folders whose inboxes the hook checks. */
export async function recordedRoots(folder: string): Promise<readonly string[]> {
  const roots: string[] = [];
  let names: string[];
  try {
    names = await readdir(join(folder, 'roots'));
  } catch {
    return roots;
  }
  for (const name of names.sort()) {
    const target = await readlink(join(folder, 'roots', name)).catch(() => null);
    if (target !== null) roots.push(target);
  }
  return roots;
}

/** Reads the hook as this version of the extension ships it: hook.sh, hook.js and the plugin, from one folder. Throws system errors. */
export async function readHookFiles(folder: string, runtimes: readonly string[]): Promise<HookFiles> {
  const read = async (name: string): Promise<string> => {
    const found = await readText(join(folder, name), { limit: LARGEST });
    if (found.ok) return found.value;
    throw Object.assign(new Error(`${found.error.path}: ${found.error.code}`), { code: found.error.code });
  };
  const [script, bundle, plugin] = await Promise.all([read('hook.sh'), read('hook.js'), read(PLUGIN)]);
  return { script, bundle, plugin, runtimes };
}

/**
 * Returns the JavaScript runtimes of this machine, the best first: the one that runs us, then every `node` on the search path. Links are followed,
 * because version managers link through folders that disappear with the terminal.
 */
export async function findRuntimes(execPath: string, searchPath: string | undefined): Promise<readonly string[]> {
  const candidates = (searchPath ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'));
  const found = new Set<string>();
  for (const path of [execPath, ...candidates]) {
    const real = await realpath(path).catch(() => null);
    if (real !== null && (await canRun(real))) found.add(real);
  }
  return [...found];
}
