import { readdir } from 'node:fs/promises';
import type { Delivery, DeliveryState, InboxMessage, Receipt } from '../../../core/model';
import { fail, ok, type Result } from '../../../base/util/result';
import { errorCode } from '../../../base/util/error-code';
import { inboxFailure, type InboxFailure } from '../failure';
import { checkInbox, inboxesOf, type InboxFolder, inboxFolder, inboxFolderNamed } from '../folder';
import { readReceipts } from './receipts';
import { expiresAt, type InboxProblem, readMessages } from './waiting';
import { type Interruption, readInterruptions } from '../interruptions';

/** Milliseconds after which a taken message that has not appeared in the transcript counts as failed (docs/inbox.md). */
export const SEEN_WITHIN = 60_000;

/** `by` of a state that comes from the time alone, not from a receipt. */
export const CLOCK = 'clock';

/** Order of the states: a later one hides an earlier one. A message that was seen late was still seen, so `seen` hides `failed`. */
const RANK: Readonly<Record<DeliveryState, number>> = {
  queued: 0,
  taken: 1,
  failed: 2,
  seen: 3,
  acted: 4,
  expired: 5,
  withdrawn: 5,
};

/** Folder of a message, with the time at which it arrived there, in milliseconds since the epoch. */
export interface MessagePlace {
  readonly folder: 'new' | 'cur';
  readonly changedAt: number;
}

/**
 * Returns the state of a message. The file's place decides between waiting and taken, the receipts decide the rest; a message in `cur` without a
 * receipt was taken by a process that was killed before it could write one.
 */
export function deliveryFrom(
  message: InboxMessage,
  place: MessagePlace,
  receipts: readonly Receipt[],
  now: number,
  interruptions: readonly Interruption[] = [],
): Delivery {
  const times: Partial<Record<DeliveryState, number>> = { queued: Date.parse(message.t) };
  let last: Receipt | null = null;
  for (const entry of receipts) {
    const at = Date.parse(entry.t);
    if (entry.state !== 'queued') times[entry.state] = Math.min(at, times[entry.state] ?? at);
    if (last === null || RANK[entry.state] > RANK[last.state]) last = entry;
  }
  const said: Delivery = {
    message,
    state: last?.state ?? 'queued',
    times,
    ...(last === null ? {} : { by: last.by }),
    ...(last?.outcome === undefined ? {} : { outcome: last.outcome }),
    ...(last?.reason === undefined ? {} : { reason: last.reason }),
  };
  const placed: Delivery =
    said.state === 'queued' && place.folder === 'cur'
      ? { ...said, state: 'taken', times: { ...times, taken: place.changedAt } }
      : said;
  return byClock(placed, interruptions, now);
}

/** Applies the time limits: the message can no longer be taken, or it was taken and never seen. */
function byClock(delivery: Delivery, interruptions: readonly Interruption[], now: number): Delivery {
  const { message, state, times } = delivery;
  const expiry = expiresAt(message, interruptions, now);
  if (state === 'queued' && expiry <= now) {
    return { ...delivery, state: 'expired', by: CLOCK, times: { ...times, expired: expiry } };
  }
  if (state === 'taken' && times.taken !== undefined && now - times.taken >= SEEN_WITHIN) {
    const failed = times.taken + SEEN_WITHIN;
    return { ...delivery, state: 'failed', by: CLOCK, reason: 'not_seen', times: { ...times, failed } };
  }
  return delivery;
}

export interface Deliveries {
  /** Oldest first. */
  readonly deliveries: readonly Delivery[];
  readonly problems: readonly InboxProblem[];
}

/** Returns all messages of a session and the state of each. `now` in milliseconds since the epoch. */
export function deliveries(root: string, session: string, now: number): Promise<Result<Deliveries, InboxFailure>> {
  return deliveriesIn(inboxFolder(root, session), now);
}

async function deliveriesIn(folder: InboxFolder, now: number): Promise<Result<Deliveries, InboxFailure>> {
  const checked = await checkInbox(folder);
  if (!checked.ok) return checked;
  if (checked.value === 'absent') return ok({ deliveries: [], problems: [] });
  // `new` first: a message that is taken meanwhile is then found in both folders, never in neither.
  const waiting = await readMessages(folder.new);
  const moved = await readMessages(folder.cur, 'newest');
  const read = await readReceipts(folder);
  // Without receipts, the place of a message still shows whether it was taken.
  const receipts = read.ok ? read.value : [];
  const unread: readonly InboxProblem[] = read.ok
    ? []
    : [{ path: read.error.path, code: 'unreadable', why: read.error.message }];
  const interruptions = waiting.found.length > 0 ? await readInterruptions(folder) : [];

  const byId = new Map<string, Receipt[]>();
  for (const entry of receipts) {
    const list = byId.get(entry.id);
    if (list) list.push(entry);
    else byId.set(entry.id, [entry]);
  }
  const places = new Map<string, { message: InboxMessage; place: MessagePlace }>();
  for (const { message, changedAt } of waiting.found)
    places.set(message.id, { message, place: { folder: 'new', changedAt } });
  for (const { message, changedAt } of moved.found)
    places.set(message.id, { message, place: { folder: 'cur', changedAt } });
  return ok({
    deliveries: [...places.values()]
      .map(({ message, place }) => deliveryFrom(message, place, byId.get(message.id) ?? [], now, interruptions))
      .sort(byAge),
    problems: [...unread, ...waiting.problems, ...moved.problems],
  });
}

/** Returns all messages of all sessions of a workspace folder. An unusable inbox becomes a problem; the others are read. */
export async function allDeliveries(root: string, now: number): Promise<Deliveries> {
  const list: Delivery[] = [];
  const problems: InboxProblem[] = [];
  const names = await inboxNames(root);
  if (!names.ok) problems.push({ path: names.error.path, code: 'unreadable', why: names.error.message });
  for (const name of names.ok ? names.value : []) {
    const one = await deliveriesIn(inboxFolderNamed(root, '', name), now);
    if (one.ok) {
      list.push(...one.value.deliveries);
      problems.push(...one.value.problems);
    } else problems.push({ path: one.error.path, code: 'unreadable', why: one.error.message });
  }
  return { deliveries: list.sort(byAge), problems };
}

function byAge(one: Delivery, other: Delivery): number {
  return one.message.id < other.message.id ? -1 : 1;
}

/** Returns the names of the sessions' folders in a workspace folder; none if there is no inbox. Links are left out. */
export async function inboxNames(root: string): Promise<Result<readonly string[], InboxFailure>> {
  const path = inboxesOf(root);
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return ok(
      entries
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort(),
    );
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? ok([]) : fail(inboxFailure(error, 'read', path));
  }
}
