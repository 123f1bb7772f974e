import { normalisedPath } from '../util/canonical';
import { remembered } from '../util/remembered';
import { segmentsOf } from './shell/segments';
import { unwrapped } from './shell/unwrap';
import { programName } from './shell/words';

/** Output of a build or a package manager, and the folders of tools: files there are not read before they are changed. */
const NOT_READ = /(?:^|\/)(?:\.[^/.][^/]{0,120}|node_modules|vendor|venv|dist|build|out|target)\//;
/** A path with a variable, or one in the home folder. */
const UNKNOWN_PLACE = /[$%*?~{}]/;
const EDITED = /^[\w@+./-]{1,300}\.[A-Za-z]\w{0,7}$/;
/** A quick test whether a line is worth splitting. */
const WORTH = /\b(?:sed|perl)\b/;
/** Longer commands are read only up to this many characters. */
const READ = 16_000;
const DEPTH = 3;

/**
 * Lists the files in the working folder that a command line edits in place, named relative to that folder: `sed -i s/a/b/ a.py`. Never throws.
 *
 * @param cwd the working folder; null where it is not known
 */
export function editedInPlace(commandLine: string, cwd: string | null): readonly string[] {
  if (!WORTH.test(commandLine)) return NONE;
  const edited = editedByText(commandLine.slice(0, READ));
  return edited.length === 0 ? edited : edited.filter((path) => isOwnFile(path, cwd));
}

const NONE: readonly string[] = [];
const editedByText = remembered<readonly string[]>((text) => editedIn(text, 0), { most: 256, longest: 2000 });

function isOwnFile(path: string, cwd: string | null): boolean {
  const inside = normalisedPath(path, cwd);
  return !inside.startsWith('/') && !inside.startsWith('../') && !UNKNOWN_PLACE.test(inside) && !NOT_READ.test(inside);
}

function editedIn(text: string, depth: number): string[] {
  return segmentsOf(text).flatMap((segment) => {
    const { words: all, line } = unwrapped(segment);
    if (line !== undefined) return depth < DEPTH ? editedIn(line, depth + 1) : [];
    const program = programName(all[0] ?? '');
    return program === 'sed' || program === 'perl' ? filesBehind(all.slice(1)) : [];
  });
}

/** Lists the files that follow the script. */
function filesBehind(rest: readonly string[]): string[] {
  if (!rest.some((word) => /^(?:-[a-zA-Z]{0,6}i|--in-place)/.test(word))) return [];
  return rest.slice(1).filter((word) => EDITED.test(word) && !word.startsWith('-'));
}
