import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readText, readTextNow, replaceFile } from '../../base/files';
import { ok, type Result, fail } from '../../base/util/result';
import { parseJson, parseRecord } from '../../base/util/json';
import { inboxFailure, type InboxFailure } from './failure';
import { checkInbox, inboxFolder, prepareInbox } from './folder';

/**
 * State of the quality gates of a session, for a hook that may wait for them: `<session>/gate.json`. It exists only while a window publishes verdicts
 * on this session (docs/gates.md).
 *
 * - `armed`: a claim of completion would make the gates run
 * - `running`: they run; a verdict comes by `until`
 * - `passed`, `failed`: the verdict. The message with the feedback is in the inbox before `failed` is written
 * - `none`: there will be no verdict
 */
const GATE_STATES = ['armed', 'running', 'passed', 'failed', 'none'] as const;
export type GateFileState = (typeof GATE_STATES)[number];

const schema = z.object({
  v: z.literal(1),
  session: z.string().check(z.minLength(1), z.maxLength(1000)),
  state: z.enum(GATE_STATES),
  /** Time at which this state was written, in milliseconds since the epoch. */
  at: z.number(),
  /** End of any wait, in milliseconds since the epoch. */
  until: z.number(),
  /** Longest wait of a hook, in milliseconds. */
  wait: z.number().check(z.gte(0), z.lte(3_600_000)),
  /** Process that publishes the verdict: a hook does not wait for a process that is gone. */
  pid: z.int().check(z.gte(1)),
});

export type GateFile = Readonly<z.infer<typeof schema>>;

const LARGEST = 4_096;

function pathOf(root: string, session: string): string {
  return join(inboxFolder(root, session).path, 'gate.json');
}

/** Replaces the state atomically, so that a reader sees either the old or the new one. */
export async function writeGateFile(root: string, file: GateFile): Promise<Result<void, InboxFailure>> {
  const folder = inboxFolder(root, file.session);
  const prepared = await prepareInbox(folder);
  if (!prepared.ok) return prepared;
  try {
    await replaceFile(pathOf(root, file.session), JSON.stringify(file), { drafts: folder.tmp });
    return ok(undefined);
  } catch (error) {
    return fail(inboxFailure(error, 'write the state of the gates to', folder.path));
  }
}

/** Returns the state; null if there is none, or if the file is not Unstuck's. Never throws. */
export async function readGateFile(root: string, session: string): Promise<GateFile | null> {
  const checked = await checkInbox(inboxFolder(root, session));
  if (!checked.ok || checked.value === 'absent') return null;
  const read = await readText(pathOf(root, session), { limit: LARGEST, noFollow: true });
  const parsed = z.safeParse(schema, parseJson(read.ok ? read.value : ''));
  return parsed.success && parsed.data.session === session ? parsed.data : null;
}

/** Removes the state if this process wrote it. Synchronous: it also runs while an editor closes. */
export function removeGateFile(root: string, session: string, pid: number): void {
  const path = pathOf(root, session);
  try {
    const read = readTextNow(path, { limit: LARGEST, noFollow: true });
    if (read.ok && parseRecord(read.value)?.['pid'] === pid) unlinkSync(path);
  } catch {
    // It is already gone, or not ours.
  }
}
