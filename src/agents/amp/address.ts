/** The path of a `file:` address; undefined for another one. */
export function pathOf(uri: string | undefined): string | undefined {
  if (uri === undefined || !uri.startsWith('file://')) return undefined;
  try {
    const path = decodeURIComponent(uri.slice('file://'.length));
    return /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
  } catch {
    return undefined;
  }
}
