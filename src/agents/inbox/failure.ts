import { errorCode } from '../../base/util/error-code';

/** Reason why an operation of the inbox failed. */
export type InboxFailureCode =
  | 'symbolic_link'
  | 'not_a_folder'
  | 'no_folder'
  | 'disk_full'
  | 'read_only'
  | 'no_permission'
  | 'not_waiting'
  | 'expired'
  | 'invalid'
  | 'duplicate'
  | 'io';

export interface InboxFailure {
  readonly code: InboxFailureCode;
  /** One sentence for a person, without the text of the message. */
  readonly message: string;
  readonly path: string;
}

/** Sentence parts by the code of the system error, for "Cannot <doing> <path>: …". */
const SYSTEM_ERRORS: Readonly<Record<string, readonly [InboxFailureCode, string]>> = {
  ENOSPC: ['disk_full', 'the disk is full'],
  EDQUOT: ['disk_full', 'the disk quota is used up'],
  EROFS: ['read_only', 'the file system is read-only'],
  EACCES: ['no_permission', 'permission was denied'],
  EPERM: ['no_permission', 'permission was denied'],
  ENOENT: ['no_folder', 'it no longer exists'],
  ENOTDIR: ['not_a_folder', 'a part of the path is not a folder'],
  NOTFILE: ['io', 'it is not a regular file'],
  TOOLARGE: ['io', 'it is too large'],
  EMFILE: ['io', 'too many files are open'],
  ELOOP: ['symbolic_link', 'a part of the path is a symbolic link'],
};

/** Returns a system error as a failure with a reason code and a sentence. `doing` continues "Cannot ", for example `write`. */
export function inboxFailure(error: unknown, doing: string, path: string): InboxFailure {
  const code = errorCode(error) ?? 'unknown error';
  const known = SYSTEM_ERRORS[code];
  if (known) return { code: known[0], message: `Cannot ${doing} ${path}: ${known[1]}.`, path };
  return { code: 'io', message: `Cannot ${doing} ${path}: ${code}.`, path };
}
