import { join } from 'node:path';
import * as z from 'zod/mini';
import { readText, replaceFile } from '../../base/files';
import { parseJson } from '../../base/util/json';
import { fail, ok, type Result } from '../../base/util/result';
import { inboxFailure, type InboxFailure } from './failure';
import { checkInbox, type InboxFolder, inboxFolder, prepareInbox } from './folder';

/**
 * `<session>/interruptions.json`: when a person interrupted the agent, and when they wrote to it again. Between the two no message is delivered, so
 * the clock of the messages stops. A window writes the file while a message waits (docs/inbox.md).
 */
const NAME = 'interruptions.json';
const LARGEST = 16 * 1024;
/** Number of interruptions kept, the newest: a message lives for minutes. */
const KEPT = 20;
/** Longest time in milliseconds for which the clock of one message can stop. */
export const LONGEST_HELD = 24 * 3_600_000;

const schema = z.object({
  v: z.literal(1),
  session: z.string().check(z.minLength(1), z.maxLength(1000)),
  spans: z
    .array(
      z.object({
        /** Milliseconds since the epoch. */
        from: z.number(),
        /** Null: the person has not written since then. */
        until: z.nullable(z.number()),
      }),
    )
    .check(z.maxLength(KEPT)),
});

export interface Interruption {
  readonly from: number;
  readonly until: number | null;
}

/** Returns the milliseconds for which the clock of a message stopped: the interruptions between its writing and now, at most 24 hours. */
export function heldFor(interruptions: readonly Interruption[], written: number, now: number): number {
  let held = 0;
  for (const { from, until } of interruptions) {
    held += Math.max(0, Math.min(until ?? now, now) - Math.max(from, written));
  }
  return Math.min(held, LONGEST_HELD);
}

/** Returns the interruptions of a session, oldest first; empty if there are none, or if the file is not Unstuck's. Never throws. */
export async function readInterruptions(folder: InboxFolder): Promise<readonly Interruption[]> {
  const read = await readText(join(folder.path, NAME), { limit: LARGEST, noFollow: true });
  const parsed = z.safeParse(schema, parseJson(read.ok ? read.value : ''));
  return parsed.success ? parsed.data.spans : [];
}

/**
 * Returns the list after a check of the session. `since`: time at which the person interrupted it; null if the agent has been written to since. Pure.
 */
export function notedInterruptions(
  before: readonly Interruption[],
  since: number | null,
  now: number,
): readonly Interruption[] {
  // Windows read the transcript at their own pace: one that is behind must not note the same interruption a second time, or its time counts twice.
  const noted = before.map((one) => {
    if (one.from === since) return { ...one, until: null };
    return one.until === null ? { ...one, until: now } : one;
  });
  const isKnown = since === null || noted.some(({ from }) => from === since);
  return (isKnown ? noted : [...noted, { from: since, until: null }]).slice(-KEPT);
}

/** Records whether a person has interrupted the session, replacing the file atomically. Nothing is written if nothing changed. */
export async function noteInterruption(
  root: string,
  session: string,
  since: number | null,
  now: number,
): Promise<Result<void, InboxFailure>> {
  const folder = inboxFolder(root, session);
  const checked = await checkInbox(folder);
  if (!checked.ok) return checked;
  if (checked.value === 'absent') return ok(undefined);
  const before = await readInterruptions(folder);
  const spans = notedInterruptions(before, since, now);
  if (JSON.stringify(spans) === JSON.stringify(before)) return ok(undefined);
  const prepared = await prepareInbox(folder);
  if (!prepared.ok) return prepared;
  try {
    await replaceFile(join(folder.path, NAME), JSON.stringify({ v: 1, session, spans }), { drafts: folder.tmp });
    return ok(undefined);
  } catch (error) {
    return fail(inboxFailure(error, 'write the interruptions to', folder.path));
  }
}
