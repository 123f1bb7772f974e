export { isOutOfDescriptors } from './errors';
export { HEAD_BYTES } from './heads';
export { readWholeFile } from './read-whole';
export { createTail } from './tail';
export type { Candidate, LinePlace, Reader, RootOptions, Tail, TranscriptLine, WatchFailure } from './types';
