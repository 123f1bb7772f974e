export type { FileProblem } from './problem';
export { realPath } from './real-path';
export { spool } from './spool';
export { readBytes, readBytesNow, readPart, readPartNow, readText, readTextNow } from './read';
export { appendLine, writeNew } from './write';
