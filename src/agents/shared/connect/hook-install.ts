import {
  type BridgeFailure,
  forgetRoot,
  type InboxFailure,
  installHook,
  prepareUnstuck,
  recordRoot,
} from '../../inbox';
import { fail, ok, type Result } from '../../../base/util/result';
import { type ConnectionRecord, readRecords, writeRecord } from './connection-record';
import type { HookBridgeEnvironment } from './hook-agent';
import { fileFailure } from './settings-file';

/** Installs or updates what agents run, and makes it check these folders. `what`: its name for people. */
export async function installInto(
  roots: readonly string[],
  { hookFolder, hookFiles }: HookBridgeEnvironment,
  what: 'hook' | 'plugin',
): Promise<Result<void, BridgeFailure>> {
  try {
    const installed = await installHook(hookFolder, await hookFiles());
    if (!installed.ok) return fail(inboxFailed(installed.error));
  } catch (error) {
    return fail(fileFailure(error, `read the ${what} for`, hookFolder));
  }
  for (const root of roots) {
    for (const done of [await prepareUnstuck(root), await recordRoot(hookFolder, root)]) {
      if (!done.ok) return fail(inboxFailed(done.error));
    }
  }
  return ok(undefined);
}

/** Records that a connection serves these folders as well. If the record cannot be written, they are merely not forgotten later. */
export async function addRoots(record: ConnectionRecord, roots: readonly string[], hookFolder: string): Promise<void> {
  if (roots.every((root) => record.roots.includes(root))) return;
  const all = [...new Set([...record.roots, ...roots])];
  await writeRecord(hookFolder, { ...record, roots: all }).catch(() => undefined);
}

/** Stops the hook from checking folders that no other connection needs. */
export async function forgetRoots(roots: readonly string[], hookFolder: string): Promise<void> {
  const needed = new Set((await readRecords(hookFolder)).flatMap((record) => record.roots));
  for (const root of roots) if (!needed.has(root)) await forgetRoot(hookFolder, root);
}

function inboxFailed({ code, message, path }: InboxFailure): BridgeFailure {
  switch (code) {
    case 'symbolic_link':
    case 'disk_full':
    case 'read_only':
    case 'no_permission':
      return { code, message, file: path };
    default:
      return { code: 'hook', message, file: path };
  }
}
