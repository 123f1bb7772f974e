import { errorCode } from '../util/error-code';

/**
 * Reason why a file was not read.
 *
 * - `missing`: no file has this name
 * - `not_regular`: a folder, pipe, socket or device
 * - `link`: a symbolic link where none is followed, or links that form a circle
 * - `too_large`: larger than the caller's limit
 * - `no_permission`: the system denies access
 * - `too_many_open`: the process or the machine has no free descriptor
 * - `other`: any other system error
 */
export type FileReason = 'missing' | 'not_regular' | 'link' | 'too_large' | 'no_permission' | 'too_many_open' | 'other';

export interface FileProblem {
  readonly reason: FileReason;
  /** The system's code (`ENOENT`, `EACCES`), or `NOTFILE` and `TOOLARGE` where the system had no objection. */
  readonly code: string;
  readonly path: string;
}

const REASONS: Readonly<Record<string, FileReason>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  NOTFILE: 'not_regular',
  EISDIR: 'not_regular',
  ENXIO: 'not_regular',
  ELOOP: 'link',
  TOOLARGE: 'too_large',
  EACCES: 'no_permission',
  EPERM: 'no_permission',
  EMFILE: 'too_many_open',
  ENFILE: 'too_many_open',
};

export function problemOf(code: string, path: string): FileProblem {
  return { reason: REASONS[code] ?? 'other', code, path };
}

export function problemOfError(error: unknown, path: string): FileProblem {
  return problemOf(errorCode(error) ?? 'UNKNOWN', path);
}
