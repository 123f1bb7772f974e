export { type TailClock, type Timer, systemClock } from './pace/clock';
export {
  type FileKind,
  type FileStatus,
  type FolderEntry,
  type FolderWatch,
  type TailFs,
  systemFs,
} from './file-system';
export { readWholeFile } from './read-whole';
export { createTail } from './tail';
export type {
  Candidate,
  OpenOptions,
  Reader,
  ResetReason,
  RootOptions,
  Tail,
  TailLine,
  TailOptions,
  TailProblem,
  TailProblemCode,
  WatchFailure,
  WholeFileOptions,
} from './types';
