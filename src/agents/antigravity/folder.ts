import { folderOf, parseJson, sessionOfFile } from '../shared/decode';

/** Arguments that hold an absolute path, in the raw text of a record. The value may contain quotes. */
const PATH = /"(Cwd|SearchPath|DirectoryPath|AbsolutePath|TargetFile)":("(?:[^"\\\n]|\\[^\n]){1,2000}")/g;
const MOST = 200;
const FOLDERS = new Set(['Cwd', 'SearchPath', 'DirectoryPath']);

/**
 * Returns the folder in which the agent works, as far as the calls in this text show it: that of the first command, else of the first file. The
 * agent's notes to itself are below `.gemini`, which does not count.
 */
export function folderIn(text: string): string | undefined {
  let folder: string | undefined;
  let seen = 0;
  for (const [, name = '', raw = ''] of text.matchAll(PATH)) {
    if (++seen > MOST) break;
    const path = unquoted(parseJson(raw));
    if (typeof path !== 'string' || !isOwnPlace(path)) continue;
    if (name === 'Cwd') return path;
    folder ??= FOLDERS.has(name) ? path : folderOf(path);
  }
  return folder || undefined;
}

/** True for a path of the project: absolute, and not one of the agent's own. */
export function isOwnPlace(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path) && !/[\\/]\.gemini[\\/]/.test(path);
}

/**
 * Parses an argument of `transcript.jsonl`, which has each argument as JSON text; a long one is cut and no longer valid JSON. Records and lists stay
 * as they are written.
 */
export function unquoted(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value;
  if (value.startsWith('"')) return parseJson(value) ?? value.slice(1);
  return /^(?:true|false|-?\d{1,15})$/.test(value) ? parseJson(value) : value;
}

/** Returns the session of a path. The conversation's folder is named after it; a copy elsewhere is known only by its own name. */
export function sessionOfPath(file: string): string {
  return /[\\/]brain[\\/]([^\\/]{1,200})[\\/]\.system_generated[\\/]/.exec(file)?.[1] ?? sessionOfFile(file);
}
