import { folderOf, parseJson, sessionOfFile } from '../shared/decode';

/** Arguments that hold an absolute path, in the raw text of a record. The value may carry quotes of its own. */
const PATH = /"(Cwd|SearchPath|DirectoryPath|AbsolutePath|TargetFile)":("(?:[^"\\\n]|\\[^\n]){1,2000}")/g;
const MOST = 200;
const FOLDERS = new Set(['Cwd', 'SearchPath', 'DirectoryPath']);

/**
 * Returns the folder in which the agent works, as far as the calls in this text show: that of the first command, else of the
 * first file. The agent's notes to itself lie below `.gemini`, which does not count.
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

/** A path of the project: absolute, and none of the agent's own. */
export function isOwnPlace(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path) && !/[\\/]\.gemini[\\/]/.test(path);
}

/** `transcript.jsonl` has each argument as a text of JSON; a long one is cut, and is no JSON any more. Records and lists stay as they are written. */
export function unquoted(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return value;
  if (value.startsWith('"')) return parseJson(value) ?? value.slice(1);
  return /^(?:true|false|-?\d{1,15})$/.test(value) ? parseJson(value) : value;
}

/** The folder of the conversation is named after it; a copy elsewhere after nothing but itself. */
export function sessionOfPath(file: string): string {
  return /[\\/]brain[\\/]([^\\/]{1,200})[\\/]\.system_generated[\\/]/.exec(file)?.[1] ?? sessionOfFile(file);
}
