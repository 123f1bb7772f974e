import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { isWithin, programNames } from '../util/program-path';

interface Installed {
  readonly file: string;
  /** Path after following its links. */
  readonly real: string;
}

/** Programs by name, as found in `PATH`, looked up once: a program that is added to a folder of `PATH` later is not used. */
const known = new Map<string, readonly Installed[]>();

/**
 * Returns the absolute path of a program, or null where `PATH` has none. Ignores programs within a folder of the workspace, and links that lead into
 * one: otherwise the author of that folder would choose what is run.
 */
export function programPath(name: string, workspace: readonly string[]): string | null {
  let all = known.get(name);
  if (!all) {
    all = programNames(name, process.env, path).flatMap(installed);
    if (all.length > 0) known.set(name, all);
  }
  // If the workspace is the root of the file system, every program is within it, so that folder is left out.
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
