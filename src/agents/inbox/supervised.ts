import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson, parseRecord } from '../../base/util/json';
import { ok, type Result } from '../../base/util/result';
import { inboxFailure, type InboxFailure } from './failure';
import { readText, replaceFile } from '../../base/files';
import { inboxFolder, prepareInbox } from './folder';

const LARGEST = 4_096;

const schema = z.object({
  pid: z.int().check(z.gte(1)),
  /** Start time, as returned by `processStart`. */
  start: z.string(),
});

/** Process of a supervisor; its start time distinguishes it from a later process with the same id. */
export type SupervisorProcess = Readonly<z.infer<typeof schema>>;

/** Returns the file in which a supervisor states that it obeys a session's inbox. */
export function supervisorFile(root: string, session: string): string {
  return join(inboxFolder(root, session).path, 'supervisor.json');
}

/** Records that this process obeys restarts of a session, until `unmarkSupervised`, or until it is gone. */
export async function markSupervised(
  root: string,
  session: string,
  { pid, start }: SupervisorProcess,
): Promise<Result<void, InboxFailure>> {
  const folder = inboxFolder(root, session);
  const prepared = await prepareInbox(folder);
  if (!prepared.ok) return prepared;
  const file = supervisorFile(root, session);
  try {
    await replaceFile(file, `${JSON.stringify({ v: 1, pid, start })}\n`, { drafts: folder.tmp });
    return ok(undefined);
  } catch (error) {
    return { ok: false, error: inboxFailure(error, 'write', file) };
  }
}

/** Removes the record of this process: that of another supervisor, which took the session over, stays. */
export async function unmarkSupervised(root: string, session: string, pid: number): Promise<void> {
  const file = supervisorFile(root, session);
  const read = await readText(file, { limit: LARGEST, noFollow: true });
  if (read.ok && parseRecord(read.value)?.['pid'] === pid) await unlink(file).catch(() => undefined);
}

/** Returns the supervisor that obeys a session's inbox now; null if there is none, or if it is gone. */
export function supervisorOf(
  root: string,
  session: string,
  probe: {
    readonly read: (path: string) => string | undefined;
    readonly processStart: (pid: number) => string | null;
  },
): SupervisorProcess | null {
  const parsed = z.safeParse(schema, parseJson(probe.read(supervisorFile(root, session)) ?? ''));
  return parsed.success && probe.processStart(parsed.data.pid) === parsed.data.start ? parsed.data : null;
}
