/** Path comparison for "does this session belong to an open folder". Paths are absolute; both separators are understood. */

/** The deepest of `folders` that is `path` or contains it, undefined when none does. */
export function folderOf(path: string, folders: readonly string[]): string | undefined {
  const normal = normalise(path);
  let best: string | undefined;
  for (const folder of folders) {
    const candidate = normalise(folder);
    if (normal !== candidate && !normal.startsWith(`${candidate}/`)) continue;
    if (best === undefined || candidate.length > normalise(best).length) best = folder;
  }
  return best;
}

function normalise(path: string): string {
  const slashes = path.replace(/\\/g, '/').replace(/\/+$/, '');
  return /^[A-Z]:\//.test(slashes) ? slashes.charAt(0).toLowerCase() + slashes.slice(1) : slashes;
}
