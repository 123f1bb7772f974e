import { redactDeep } from '../../base/util/redact';

/** The folder that fixtures name as their agent's working directory. */
const NEUTRAL_FOLDER = '/home/user/project';

/** A shorter path would match too much: `/`, `/srv`. */
const SHORTEST = 6;
const HOME = /(\/(?:home|Users)\/)[^/\s"'`:;,)\]}<>\\*?]+/g;
const WINDOWS_HOME = /([A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))[^\\/\s"'`:;,)\]}<>*?]+/gi;
/** Text after a path that makes it only the beginning of a longer name. A full stop that ends a sentence does not count. */
const NAME_CONTINUES = /^(?:[\w-]|\.\w)/;
/** The same in a name made from a path, where every special character is a dash. */
const DASHED_CONTINUES = /^[A-Za-z0-9]/;

/**
 * Makes a JSON value safe to pass on: secrets are redacted, the given folders become `/home/user/project`, and the names of people in paths of home
 * folders become `user`. Equal texts stay equal.
 *
 * @param folders absolute paths of the agent's working directory and of its workspace
 */
export function neutral(value: unknown, folders: readonly string[]): unknown {
  const known = [...new Set(folders)].filter((path) => path.length >= SHORTEST).sort((a, b) => b.length - a.length);
  // Twice: a shorter path may expose a secret that the long one hid from the rules.
  return redactDeep(mapped(redactDeep(value), (text) => neutralText(text, known)));
}

function neutralText(text: string, folders: readonly string[]): string {
  let result = text;
  for (const folder of folders) {
    result = replaced(result, folder, NEUTRAL_FOLDER, NAME_CONTINUES);
    // Windows' own spelling, as it appears in JSON within a text.
    if (folder.includes('\\'))
      result = replaced(result, folder.replaceAll('\\', '\\\\'), NEUTRAL_FOLDER, NAME_CONTINUES);
    // Some agents name their own folders after it: `-home-alice-app`.
    result = replaced(result, dashed(folder), dashed(NEUTRAL_FOLDER), DASHED_CONTINUES);
  }
  return result.replace(HOME, '$1user').replace(WINDOWS_HOME, '$1user');
}

function dashed(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-');
}

/** Replaces every occurrence of a path in a text, but not where a longer name only begins with it (`/work/app` in `/work/app2`). */
function replaced(text: string, path: string, by: string, continuation: RegExp): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + path.length)) {
    const behind = at + path.length;
    if (continuation.test(text.slice(behind, behind + 2))) continue;
    result += text.slice(from, at) + by;
    from = behind;
  }
  return from === 0 ? text : result + text.slice(from);
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), mapped(one, change)]));
}
