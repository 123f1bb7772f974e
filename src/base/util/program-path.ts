import type { PlatformPath } from 'node:path';

/** Extensions of programs where `PATHEXT` is not set. Scripts (`.cmd`) would need a shell, so they are left out. */
const EXTENSIONS = '.COM;.EXE';

/**
 * Returns the absolute names that a program may have, in the order of `PATH`. Relative entries of `PATH` depend on the working folder, and an empty
 * one means that folder itself: they are skipped, and the working folder is never searched.
 *
 * @param name without a folder
 * @param path the rules of the platform for paths
 */
export function programNames(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
  path: PlatformPath,
): readonly string[] {
  if (name === '' || name !== path.basename(name)) return [];
  const folders = (variables['PATH'] ?? variables['Path'] ?? '')
    .split(path.delimiter)
    .map((entry) => (path.sep === '\\' ? entry.replaceAll('"', '') : entry))
    .filter((entry) => isWhole(entry, path));
  const names = path.sep === '\\' ? windowsNames(name, variables['PATHEXT'] ?? EXTENSIONS) : [name];
  return folders.flatMap((folder) => names.map((one) => path.join(folder, one)));
}

/** True for the folder itself and everything below it. */
export function isWithin(file: string, folder: string, path: PlatformPath): boolean {
  const way = path.relative(folder, file);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** True for a complete path: `\bin` and `C:bin` depend on the current drive or folder. */
function isWhole(entry: string, path: PlatformPath): boolean {
  return path.sep === '\\' ? /^(?:[A-Za-z]:[\\/]|[\\/]{2})/.test(entry) : path.isAbsolute(entry);
}

function windowsNames(name: string, extensions: string): readonly string[] {
  const known = extensions.split(';').filter((one) => EXTENSIONS.split(';').includes(one.toUpperCase()));
  const isNamed = known.some((one) => name.toLowerCase().endsWith(one.toLowerCase()));
  return isNamed ? [name] : known.map((one) => name + one.toLowerCase());
}
