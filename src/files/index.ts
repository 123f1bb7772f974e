export type { FileProblem } from './problem';
export { readBytes, readPart, readPartNow, readText, readTextNow } from './read';
export { appendLine, writeNew } from './write';
