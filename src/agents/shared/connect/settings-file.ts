import { constants } from 'node:fs';
import { access, lstat, mkdir, realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readBytes, replaceFile } from '../../../base/files';
import { errorCode } from '../../../base/util/error-code';
import type { BridgeFailure, BridgeFailureCode, ConnectScope } from '../../inbox';
import { fail, ok, type Result } from '../../../base/util/result';

/** Size limit in bytes; a larger file does not count as settings. */
const LARGEST = 4 * 1024 * 1024;

export interface SettingsFile {
  /** Path of the file, with links resolved in the user's own settings. */
  readonly path: string;
  /** Null if there is no file. */
  readonly text: string | null;
}

const SYSTEM_ERRORS: Readonly<Record<string, readonly [BridgeFailureCode, string]>> = {
  ENOSPC: ['disk_full', 'the disk is full'],
  EDQUOT: ['disk_full', 'the disk quota is used up'],
  EROFS: ['read_only', 'the file system is read-only'],
  EACCES: ['no_permission', 'permission was denied'],
  EPERM: ['no_permission', 'permission was denied'],
};

export function fileFailure(error: unknown, doing: string, file: string): BridgeFailure {
  const code = errorCode(error) ?? 'unknown error';
  const [reason, words] = SYSTEM_ERRORS[code] ?? (['io', code] as const);
  return { code: reason, message: `Cannot ${doing} ${file}: ${words}.`, file };
}

/** Resolves the path. A user's settings may be elsewhere and linked; a project's may not, since a repository can bring a link along. */
async function resolved(path: string, scope: ConnectScope): Promise<Result<string, BridgeFailure>> {
  for (const part of [dirname(path), path]) {
    try {
      if (!(await lstat(part)).isSymbolicLink()) continue;
      if (scope === 'user') return ok(await realpath(path));
      const message = `${part} is a symbolic link, so Unstuck does not write there.`;
      return fail({ code: 'symbolic_link', message, file: path, alternative: 'user' });
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') return fail(fileFailure(error, 'read', path));
    }
  }
  return ok(path);
}

/** Reads a settings file, refusing one that could not be written back as it was. */
export async function readSettingsFile(
  path: string,
  scope: ConnectScope,
): Promise<Result<SettingsFile, BridgeFailure>> {
  const real = await resolved(path, scope);
  if (!real.ok) return real;
  const read = await readBytes(real.value, { limit: LARGEST, noFollow: true });
  if (!read.ok) {
    const { reason, code } = read.error;
    if (code === 'ENOENT') return ok({ path: real.value, text: null });
    if (reason === 'not_regular' || reason === 'too_large') {
      return fail({
        code: 'unexpected_form',
        message: `${path} is not a file that Unstuck can edit.`,
        file: path,
      });
    }
    return fail(fileFailure(read.error, 'read', path));
  }
  const { bytes } = read.value;
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) {
    return fail({
      code: 'not_utf8',
      message: `${path} is not UTF-8 text, so it was not changed.`,
      file: path,
    });
  }
  return ok({ path: real.value, text });
}

/**
 * Replaces a settings file atomically, keeping its mode. A file that its owner made read-only is not replaced, although its folder would allow it.
 */
export async function writeSettings(
  file: string,
  text: string,
): Promise<Result<{ readonly createdFolder: boolean }, BridgeFailure>> {
  try {
    let mode = 0o600;
    try {
      mode = (await stat(file)).mode & 0o777;
      await access(file, constants.W_OK);
      if ((mode & 0o222) === 0) throw Object.assign(new Error('read-only'), { code: 'EACCES' });
    } catch (error) {
      if (errorCode(error) === 'EACCES') {
        return fail({ code: 'read_only', message: `${file} is read-only, so it was not changed.`, file });
      }
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    const createdFolder = (await mkdir(dirname(file), { recursive: true })) !== undefined;
    await replaceFile(file, text, { mode });
    return ok({ createdFolder });
  } catch (error) {
    return fail(fileFailure(error, 'write', file));
  }
}

/** Removes a settings file that we created, and its folder if we created that and nothing else is in it. */
export async function removeSettings(file: string, withFolder: boolean): Promise<Result<void, BridgeFailure>> {
  try {
    await unlink(file);
    if (withFolder) await rmdir(dirname(file)).catch(() => undefined);
    return ok(undefined);
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? ok(undefined) : fail(fileFailure(error, 'remove', file));
  }
}
