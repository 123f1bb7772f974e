import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { isWithin, programNames } from '../util/program-path';

interface Installed {
  readonly file: string;
  /** Path after following its links. */
  readonly real: string;
}

/** All programs of a name that `PATH` has, looked up once: what comes later into a folder of `PATH` is not taken. */
const known = new Map<string, readonly Installed[]>();

/**
 * The absolute path of a program, or null where `PATH` has none. Programs within a folder of the workspace are not taken, nor links that lead
 * into one: whoever wrote the folder would choose what is run.
 */
export function programPath(name: string, workspace: readonly string[]): string | null {
  let all = known.get(name);
  if (!all) {
    all = programNames(name, process.env, path).flatMap(installed);
    if (all.length > 0) known.set(name, all);
  }
  // Whoever works in the root of the file system has every program within the folder.
  const folders = workspace.filter((folder) => path.dirname(folder) !== folder).flatMap(bothNames);
  const isOutside = (file: string) => !folders.some((folder) => isWithin(file, folder, path));
  return all.find(({ file, real }) => isOutside(file) && isOutside(real))?.file ?? null;
}

function installed(file: string): readonly Installed[] {
  try {
    if (!statSync(file).isFile()) return [];
    accessSync(file, constants.X_OK);
    return [{ file, real: realpathSync(file) }];
  } catch {
    return [];
  }
}

function bothNames(folder: string): readonly string[] {
  try {
    return [folder, realpathSync(folder)];
  } catch {
    return [folder];
  }
}
