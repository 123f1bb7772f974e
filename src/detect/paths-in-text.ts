/** File names in a text: at most so many are taken. */
const MOST = 64;
/** Characters that are looked at. */
const LOOKED_AT = 4096;
/** A name with an extension, or a path with a slash in it. */
const FILE = /[\w.@~+-]*(?:\/[\w.@+-]+)+|[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7}\b/g;

/** Calls `found` with the last part of each path that a text names, in its first 4,096 characters. */
export function namesInText(text: string, found: (name: string) => void): void {
  const head = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  let count = 0;
  for (const [path] of head.matchAll(FILE)) {
    if (++count > MOST) return;
    found(nameOf(path));
  }
}

/** The last part of a path. */
export function nameOf(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return path.slice(at + 1);
}
