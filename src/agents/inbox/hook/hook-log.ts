import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LARGEST = 64 * 1024;

/**
 * Appends one line to `hook.log` next to the hook, of which the last 64 to 128 KB are kept. Never throws: no log line is worth disturbing an agent.
 */
export function logHook(hookFolder: string, now: number, line: string): void {
  const path = join(hookFolder, 'hook.log');
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(path, `${path}.1`);
    appendFileSync(path, `${new Date(now).toISOString()} ${line}\n`, { mode: 0o600 });
  } catch {
    // Ignored on purpose: see above.
  }
}
