export { readWholeFile } from './read-whole';
export { createTail } from './tail';
export type { Candidate, Reader, RootOptions, Tail, WatchFailure } from './types';
