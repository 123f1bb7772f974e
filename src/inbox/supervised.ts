import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../util/result';
import { failureOf, type InboxFailure } from './failure';
import { writeNew } from './files';
import { inboxFolder, prepareInbox } from './folder';

/** The process of a supervisor; its start time tells it from another one that got its id later. */
export interface SupervisorProcess {
  readonly pid: number;
  /** As `processStart` gives it. */
  readonly start: string;
}

/** Where a supervisor says that it obeys a session's inbox. */
export function supervisorFile(root: string, session: string): string {
  return join(inboxFolder(root, session).path, 'supervisor.json');
}

/** Says that this process obeys restarts of a session, until `unmarkSupervised`, or until it is gone. */
export async function markSupervised(
  root: string,
  session: string,
  { pid, start }: SupervisorProcess,
): Promise<Result<void, InboxFailure>> {
  const folder = inboxFolder(root, session);
  const prepared = await prepareInbox(folder);
  if (!prepared.ok) return prepared;
  const file = supervisorFile(root, session);
  const draft = join(folder.tmp, `supervisor.${pid}`);
  try {
    await unlink(draft).catch(() => undefined);
    await writeNew(draft, `${JSON.stringify({ v: 1, pid, start })}\n`);
    await rename(draft, file);
    return ok(undefined);
  } catch (error) {
    return { ok: false, error: failureOf(error, 'write', file) };
  }
}

export async function unmarkSupervised(root: string, session: string): Promise<void> {
  await unlink(supervisorFile(root, session)).catch(() => undefined);
}

/** The supervisor that obeys a session's inbox now; null where there is none, or where it is gone. */
export function supervisorOf(
  root: string,
  session: string,
  probe: {
    readonly read: (path: string) => string | undefined;
    readonly processStart: (pid: number) => string | null;
  },
): SupervisorProcess | null {
  const text = probe.read(supervisorFile(root, session));
  if (text === undefined) return null;
  try {
    const { pid, start } = JSON.parse(text) as { pid?: unknown; start?: unknown };
    if (typeof pid !== 'number' || typeof start !== 'string' || !Number.isInteger(pid) || pid <= 0) return null;
    return probe.processStart(pid) === start ? { pid, start } : null;
  } catch {
    return null;
  }
}
