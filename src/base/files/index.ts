export type { FileProblem } from './problem';
export { cacheFolder, FileCache } from './file-cache';
export { readPieces } from './pieces';
export { programPath } from './program';
export { realPath } from './real-path';
export { spool } from './spool';
export { readBytes, readBytesNow, readPart, readPartNow, readText, readTextNow } from './read';
export { replaceFile } from './replace';
export { appendLine, writeNew } from './write';
