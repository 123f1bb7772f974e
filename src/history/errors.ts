import { errorCode } from '../base/util/error-code';

/** Reason why the store cannot do something. */
export type StoreReason =
  /** The folder does not exist and cannot be created, for example because a file is in its place. */
  | 'folder_missing'
  /** The folder cannot be written. */
  | 'read_only'
  | 'disk_full'
  /** The snapshot cannot be read; it is set aside and rebuilt. */
  | 'corrupt'
  /** The snapshot was written by a newer version; it is read if possible and never written. */
  | 'newer_version'
  /** The SQLite engine or its WebAssembly file could not be loaded. */
  | 'engine_missing'
  /** The store was closed. */
  | 'closed'
  /** Any other error of reading or writing a file. */
  | 'io';

export class StoreError extends Error {
  constructor(
    readonly code: StoreReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreError';
  }
}

const SENTENCES: Readonly<Record<StoreReason, string>> = {
  folder_missing: 'The folder of the history does not exist and cannot be created',
  read_only: 'The folder of the history is not writable',
  disk_full: 'The disk is full, so the history is not saved',
  corrupt: 'The history file cannot be read',
  newer_version: 'The history was written by a newer version of Unstuck and is not changed by this one',
  engine_missing: 'The database engine could not be loaded',
  closed: 'The history is closed',
  io: 'The history could not be read or written',
};

export function storeError(code: StoreReason, cause?: unknown): StoreError {
  const detail = cause instanceof Error ? `: ${cause.message}` : '';
  return new StoreError(code, `${SENTENCES[code]}${detail}.`, { cause });
}

/** Returns the error for a lost snapshot whose sources cannot be read, or only in part. @param recent path of `recent.jsonl` */
export function historyGone(recent: string): StoreError {
  return new StoreError(
    'corrupt',
    `The history file incidents.sqlite is gone, and ${recent}, which has the newest incidents, cannot be read completely. Put incidents.sqlite back from a backup, or move that file away to start a new history.`,
  );
}

/** Returns the reason behind a file system error; an error that already has a reason keeps it. */
export function reasonOf(error: unknown): StoreReason {
  if (error instanceof StoreError) return error.code;
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'disk_full';
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'read_only';
    case 'ENOTDIR':
    case 'ENOENT':
    case 'EEXIST':
      return 'folder_missing';
    default:
      return 'io';
  }
}

export function asStoreError(error: unknown): StoreError {
  return error instanceof StoreError ? error : storeError(reasonOf(error), error);
}

/** True if there is no such file, even because a file is where a folder is needed. */
export function isAbsent(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
