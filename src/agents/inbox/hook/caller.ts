import { readTextNow } from '../../../base/files';

/** Largest command line in bytes: the longest that Linux starts. */
const LONGEST = 4 * 1024 * 1024;

/**
 * Returns the command line of the program that called the hook: hook.sh names its parent process. Null if it cannot be read word by word: only Linux
 * separates the words; elsewhere an option could not be distinguished from a prompt that contains one.
 */
export function callerWords(env: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  const pid = env['UNSTUCK_CALLER'] ?? '';
  if (!/^\d+$/.test(pid)) return null;
  const read = readTextNow(`/proc/${pid}/cmdline`, { limit: LONGEST });
  const words = read.ok ? read.value.split('\0') : [];
  return words.length > 1 ? words.slice(0, -1) : null;
}
