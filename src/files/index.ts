export type { FileProblem, FileReason } from './problem';
export { type FileBytes, readBytes, readPart, readPartNow, readText, readTextNow } from './read';
export { appendLine, writeNew } from './write';
