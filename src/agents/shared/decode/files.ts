/** Paths as they appear in transcripts: of this machine or of another one, with `/` or `\`. Text only, no file access. */

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const DOT = 0x2e;

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

export function isAbsolutePath(path: string): boolean {
  return ABSOLUTE.test(path);
}

/** Returns the path with `/` as separator, without `.`, `..`, doubled and trailing separators. Drive letters are in upper case. */
export function normalisePath(path: string): string {
  if (isNormal(path)) return path;
  const slashed = path.includes('\\') ? path.replaceAll('\\', '/') : path;
  const root = /^(?:[A-Za-z]:\/|\/{1,2})/.exec(slashed)?.[0] ?? '';
  const parts: string[] = [];
  for (const part of slashed.slice(root.length).split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '..' || root === '') parts.push(part);
  }
  const head = /^[a-z]:/.test(root) ? root.toUpperCase() : root;
  return head + parts.join('/') || '.';
}

/** True for a path that is obviously normal: `/a/b`, without dots after a separator. Most paths in transcripts are. */
function isNormal(path: string): boolean {
  if (path.charCodeAt(0) !== SLASH || path.length < 2) return false;
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code === BACKSLASH) return false;
    if (code !== SLASH) continue;
    const next = path.charCodeAt(at + 1);
    if (next === SLASH || next === DOT || at + 1 === path.length) return false;
  }
  return true;
}

/**
 * Returns the length of the folder and its separator in a path inside it, the whole length for the folder itself, and -1 for any other path. Both
 * paths are normalised.
 */
function lengthOfFolder(child: string, parent: string): number {
  if (!child.startsWith(parent)) return -1;
  if (child.length === parent.length || parent.endsWith('/')) return parent.length;
  return child.charCodeAt(parent.length) === SLASH ? parent.length + 1 : -1;
}

/** Returns the path as a person in this folder would write it: relative if it is inside, else as it is. */
export function relativeTo(path: string, folder: string | undefined): string {
  if (!folder || !isAbsolutePath(path)) return path;
  const child = normalisePath(path);
  const length = lengthOfFolder(child, normalisePath(folder));
  if (length < 0) return path;
  return length === child.length ? '.' : child.slice(length);
}

/** Returns the last part of a path. */
export function baseName(path: string): string {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return path.slice(end + 1);
}

/** Returns the folder that contains a file, without the separator; '' if the path has none. */
export function folderOf(path: string): string {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return end < 0 ? '' : end === 0 ? path.slice(0, 1) : path.slice(0, end);
}

/** Returns the session id for a transcript that names none: the file's name without its extension (`x` for `x.jsonl` and `x.agent.jsonl`). */
export function sessionOfFile(file: string): string {
  const name = baseName(file);
  return name.replace(/(?:\.agent)?\.[A-Za-z0-9]{1,12}$/, '') || name;
}
