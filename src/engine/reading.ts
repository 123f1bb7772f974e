/**
 * Everything that reads sessions, with every rule. Loaded by `import()` with the first transcript, as a separate file: many windows never see one.
 */
export { Across } from './across';
export { TranscriptNotes } from './follow/notes';
export { FollowedTranscript } from './follow/followed-transcript';
export { makeFixture } from './report/fixture';
export { scanFile } from './scan-cache';
export { readExcerpt } from './session/excerpt';
export { Session } from './session/session';
export { sessionText } from './session/session-text';
