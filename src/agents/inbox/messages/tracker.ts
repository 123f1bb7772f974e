import type { Delivery, DeliveryState, Receipt } from '../../../core/model';
import { CLOCK, SEEN_WITHIN } from './deliveries';
import { receipt } from './receipts';

/** Steps after which a seen message counts as acted upon (docs/inbox.md). */
const STEPS_UNTIL_ACTED = 5;
/** Number of messages kept that appear in the transcript before their file is known. */
const KEPT_UNKNOWN = 20;

/** State of one message that is on its way. */
export interface TrackedMessage {
  readonly id: string;
  readonly incident: string | null;
  /** Null while the message appears in the transcript, but its file has not been read yet. */
  readonly state: DeliveryState | null;
  readonly takenAt: number | null;
  readonly seenAt: number | null;
  /** A request to the model began after the message was taken. */
  readonly requested: boolean;
  /** Steps since it was seen. */
  readonly steps: number;
  /** One of these steps repeated the result of the incident. */
  readonly same: boolean;
  readonly actedAt: number | null;
}

/** The messages of one session that are not settled yet, by id. Never mutated. */
export type Tracker = ReadonlyMap<string, TrackedMessage>;

export const emptyTracker: Tracker = new Map();

export type TrackerInput =
  /** The message as `deliveries` returns it: at the start, and whenever the inbox changed. */
  | { readonly type: 'delivery'; readonly delivery: Delivery }
  /** Its mark appeared in the transcript (`message_taken`). */
  | { readonly type: 'seen'; readonly id: string; readonly at: number }
  /** A request to the model has begun. */
  | { readonly type: 'request'; readonly at: number }
  /** The model answered: text or a call. */
  | { readonly type: 'answer'; readonly at: number }
  /**
   * A step ended whose call was written at `calledAt`. `repeats` returns whether it repeated the result of this incident; null: for a message without
   * an incident.
   */
  | {
      readonly type: 'step';
      readonly at: number;
      readonly calledAt: number;
      readonly repeats: (incident: string | null) => boolean;
    }
  /** Time passed. */
  | { readonly type: 'tick'; readonly at: number };

export interface Tracked {
  readonly tracker: Tracker;
  /** New receipts, for `appendReceipt`. */
  readonly receipts: readonly Receipt[];
}

const BY = 'unstuck';

/**
 * Follows messages from when they are taken to when they are acted upon. Pure: (what is known, what happened) → (what is known now, which receipts to
 * write).
 *
 * A message is `failed` if it was taken and does not appear within 60 s, or if a request that began after it was taken was answered without it. A
 * message that appears later is still `seen`. `acted` comes with the fifth step after it was seen: `same` if one of the five repeated the incident's
 * result, else `changed`.
 */
export function track(tracker: Tracker, input: TrackerInput): Tracked {
  switch (input.type) {
    case 'delivery':
      return delivered(tracker, input.delivery);
    case 'seen':
      return seen(tracker, input.id, input.at);
    case 'request':
      return each(tracker, (message) => ({
        message:
          message.state === 'taken' && message.takenAt !== null && input.at >= message.takenAt
            ? { ...message, requested: true }
            : message,
      }));
    case 'answer':
      return each(tracker, (message) =>
        message.state === 'taken' && message.requested ? failed(message, input.at, 'not_in_request') : { message },
      );
    case 'step':
      return each(tracker, (message) => stepped(message, input, input.repeats(message.incident)));
    case 'tick':
      return each(tracker, (message) =>
        message.state === 'taken' && message.takenAt !== null && input.at - message.takenAt >= SEEN_WITHIN
          ? failed(message, input.at, 'not_seen')
          : { message },
      );
  }
}

interface Change {
  /** Null: settled, nothing more to follow. */
  readonly message: TrackedMessage | null;
  readonly receipt?: Receipt;
}

function each(tracker: Tracker, change: (message: TrackedMessage) => Change): Tracked {
  if (tracker.size === 0) return { tracker, receipts: [] };
  const next = new Map<string, TrackedMessage>();
  const receipts: Receipt[] = [];
  for (const message of tracker.values()) {
    const changed = change(message);
    if (changed.message) next.set(message.id, changed.message);
    if (changed.receipt) receipts.push(changed.receipt);
  }
  return { tracker: next, receipts };
}

function failed(message: TrackedMessage, at: number, reason: string): Change {
  // Kept: it may still appear.
  return { message: { ...message, state: 'failed' }, receipt: receipt(message.id, 'failed', BY, at, { reason }) };
}

function acted(message: TrackedMessage, at: number): Change {
  const outcome = message.same ? 'same' : 'changed';
  return { message: null, receipt: receipt(message.id, 'acted', BY, at, { outcome }) };
}

function stepped(before: TrackedMessage, { at, calledAt }: { at: number; calledAt: number }, repeats: boolean): Change {
  if (before.seenAt === null || before.actedAt !== null) return { message: before };
  // The message came with the result of this call: the agent could not know about it when it made the call.
  if (calledAt < before.seenAt) return { message: before };
  const message = { ...before, steps: before.steps + 1, same: before.same || repeats };
  if (message.steps < STEPS_UNTIL_ACTED) return { message };
  if (message.state === null) return { message: { ...message, actedAt: at } };
  return acted(message, at);
}

function seen(tracker: Tracker, id: string, at: number): Tracked {
  const known = tracker.get(id);
  if (known && known.seenAt !== null) return { tracker, receipts: [] };
  const next = new Map(tracker);
  if (known) {
    next.set(id, { ...known, state: 'seen', seenAt: at });
    return { tracker: next, receipts: [receipt(id, 'seen', BY, at)] };
  }
  const unknown = [...tracker.values()].filter((message) => message.state === null);
  if (unknown.length >= KEPT_UNKNOWN && unknown[0]) next.delete(unknown[0].id);
  next.set(id, {
    id,
    incident: null,
    state: null,
    takenAt: null,
    seenAt: at,
    requested: false,
    steps: 0,
    same: false,
    actedAt: null,
  });
  return { tracker: next, receipts: [] };
}

function delivered(tracker: Tracker, delivery: Delivery): Tracked {
  const { id } = delivery.message;
  const known = tracker.get(id);
  const next = new Map(tracker);
  if (!isOnItsWay(delivery.state)) {
    if (!known) return { tracker, receipts: [] };
    next.delete(id);
    return { tracker: next, receipts: [] };
  }
  const receipts: Receipt[] = [];
  if (
    delivery.state === 'failed' &&
    delivery.by === CLOCK &&
    (known?.seenAt ?? null) === null &&
    known?.state !== 'failed'
  ) {
    receipts.push(
      receipt(id, 'failed', BY, delivery.times.failed ?? Date.parse(delivery.message.t), { reason: 'not_seen' }),
    );
  }
  const takenAt = delivery.times.taken ?? null;
  const incident = delivery.message.incident ?? null;
  if (!known) {
    const seenAt = delivery.times.seen ?? null;
    next.set(id, {
      id,
      incident,
      state: delivery.state,
      takenAt,
      seenAt,
      requested: false,
      steps: 0,
      same: false,
      actedAt: null,
    });
    return { tracker: next, receipts };
  }
  let message: TrackedMessage = { ...known, incident, takenAt: takenAt ?? known.takenAt };
  if (message.seenAt === null) message = { ...message, state: delivery.state };
  else {
    // It appeared in the transcript first.
    if (delivery.state !== 'seen' && known.state === null) receipts.push(receipt(id, 'seen', BY, message.seenAt));
    message = { ...message, state: 'seen' };
  }
  if (message.actedAt !== null) {
    const last = acted(message, message.actedAt);
    if (last.receipt) receipts.push(last.receipt);
    next.delete(id);
  } else next.set(id, message);
  return { tracker: next, receipts };
}

function isOnItsWay(state: DeliveryState): boolean {
  switch (state) {
    case 'queued':
    case 'taken':
    case 'failed':
    case 'seen':
      return true;
    case 'acted':
    case 'expired':
    case 'withdrawn':
      return false;
  }
}
