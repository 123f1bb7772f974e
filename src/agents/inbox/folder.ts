import { createHash } from 'node:crypto';
import { lstat, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../base/util/result';
import { errorCode } from '../../base/util/error-code';
import { inboxFailure, type InboxFailure } from './failure';

const PLAIN_SESSION = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the name of a session's folder: the session's id if that is a plain name, else `s-` and 16 hex digits of its SHA-256 (docs/inbox.md). */
export function sessionFolderName(session: string): string {
  if (PLAIN_SESSION.test(session)) return session;
  return `s-${createHash('sha256').update(session, 'utf8').digest('hex').slice(0, 16)}`;
}

/** Folder of the messages of one session. */
export interface InboxFolder {
  /** The workspace folder. */
  readonly root: string;
  readonly session: string;
  readonly path: string;
  readonly tmp: string;
  readonly new: string;
  readonly cur: string;
  readonly wake: string;
  readonly receipts: string;
}

/** Returns `.unstuck` of a workspace folder. */
export function unstuckFolder(root: string): string {
  return join(root, '.unstuck');
}

/** Returns the folder that holds the sessions' folders. */
export function inboxesOf(root: string): string {
  return join(root, '.unstuck', 'inbox');
}

export function inboxFolder(root: string, session: string): InboxFolder {
  return inboxFolderNamed(root, session, sessionFolderName(session));
}

/** The same for a folder whose name is known, but whose session is not. */
export function inboxFolderNamed(root: string, session: string, name: string): InboxFolder {
  const path = join(inboxesOf(root), name);
  return {
    root,
    session,
    path,
    tmp: join(path, 'tmp'),
    new: join(path, 'new'),
    cur: join(path, 'cur'),
    wake: join(path, 'wake'),
    receipts: join(path, 'receipts.jsonl'),
  };
}

type Kind = 'absent' | 'folder';

async function kindOf(path: string): Promise<Result<Kind, InboxFailure>> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) {
      return fail({
        code: 'symbolic_link',
        message: `${path} is a symbolic link, so Unstuck does not use it.`,
        path,
      });
    }
    if (!found.isDirectory()) {
      return fail({ code: 'not_a_folder', message: `${path} is not a folder, so Unstuck cannot use it.`, path });
    }
    return ok('folder');
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? ok('absent') : fail(inboxFailure(error, 'read', path));
  }
}

/** Refuses a symbolic link anywhere below the workspace folder. `absent`: the inbox has no messages yet. */
export async function checkInbox(folder: InboxFolder): Promise<Result<Kind, InboxFailure>> {
  for (const path of [unstuckFolder(folder.root), inboxesOf(folder.root), folder.path, folder.new]) {
    const kind = await kindOf(path);
    if (!kind.ok || kind.value === 'absent') return kind;
  }
  // A foreign writer may have created only `new`.
  return makeFolder(folder.cur);
}

async function makeFolder(path: string): Promise<Result<Kind, InboxFailure>> {
  const before = await kindOf(path);
  if (!before.ok || before.value === 'folder') return before;
  try {
    await mkdir(path, { mode: 0o700 });
    return ok('folder');
  } catch (error) {
    // Another writer was faster: what it made is checked like anything else.
    return errorCode(error) === 'EEXIST' ? kindOf(path) : fail(inboxFailure(error, 'create', path));
  }
}

/** Creates `.unstuck` with its `.gitignore`, which keeps everything in it out of git. */
export async function prepareUnstuck(root: string): Promise<Result<void, InboxFailure>> {
  try {
    if (!(await stat(root)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    return fail(inboxFailure(error, 'use', root));
  }
  const made = await makeFolder(unstuckFolder(root));
  if (!made.ok) return made;
  const ignore = join(unstuckFolder(root), '.gitignore');
  try {
    await writeFile(ignore, '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') return fail(inboxFailure(error, 'write', ignore));
  }
  return ok(undefined);
}

/** Creates whatever an inbox lacks, refusing a symbolic link anywhere below the workspace folder. */
export async function prepareInbox(folder: InboxFolder): Promise<Result<void, InboxFailure>> {
  const prepared = await prepareUnstuck(folder.root);
  if (!prepared.ok) return prepared;
  for (const path of [inboxesOf(folder.root), folder.path, folder.tmp, folder.new, folder.cur]) {
    const made = await makeFolder(path);
    if (!made.ok) return made;
  }
  return ok(undefined);
}
