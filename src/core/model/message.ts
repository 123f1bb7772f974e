import type { AgentId } from './agent-id';

/** Kinds of inbox message (docs/inbox.md). */
export const MESSAGE_KINDS = [
  'nudge',
  'gate',
  'reassign',
  'checkpoint',
  'stop',
  'restart',
  'escalate',
  'block',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Returns whether messages of this kind are delivered as text; the others act on the agent itself. */
export function isTextKind(kind: MessageKind): boolean {
  switch (kind) {
    case 'nudge':
    case 'gate':
    case 'reassign':
    case 'checkpoint':
      return true;
    case 'stop':
    case 'block':
    case 'restart':
    case 'escalate':
      return false;
  }
}

/** One message of an agent's inbox, version 1. */
export interface InboxMessage {
  readonly v: 1;
  /** ULID, also the file's name. */
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly t: string;
  readonly session: string;
  readonly agent: AgentId;
  readonly kind: MessageKind;
  /** Ends with `[unstuck <id>]`. */
  readonly text: string;
  readonly incident?: string;
  /** 1-based recovery attempt of the incident. */
  readonly attempt?: number;
  readonly from: 'unstuck';
  /** The viewer on another machine that sent it (docs/fleet.md). */
  readonly via?: string;
  readonly automated: boolean;
  /** ISO 8601; the message is not taken after this time. */
  readonly expires: string;
  readonly task?: { readonly to: string | null; readonly avoid: readonly string[]; readonly prompt: string };
  readonly restart?: {
    readonly mode: 'resume' | 'fork' | 'fresh';
    readonly prompt: string;
    readonly model?: string;
    readonly thinking?: string;
  };
  /** The exact call to refuse once. */
  readonly call?: { readonly name: string; readonly args: unknown };
}

export const DELIVERY_STATES = ['queued', 'taken', 'seen', 'acted', 'expired', 'withdrawn', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Number of steps that are watched after a message was taken, before its effect is judged. */
export const WATCHED_STEPS = 5;

/** One line of `receipts.jsonl`. */
export interface Receipt {
  readonly v: 1;
  readonly t: string;
  readonly id: string;
  readonly state: DeliveryState;
  /** Part that noticed: `unstuck`, `hook:PostToolBatch`, `supervisor`, ... */
  readonly by: string;
  readonly outcome?: 'changed' | 'same';
  readonly reason?: string;
}

/** State of a message, with the times of each change (milliseconds since the epoch). */
export interface Delivery {
  readonly message: InboxMessage;
  readonly state: DeliveryState;
  readonly times: Readonly<Partial<Record<DeliveryState, number>>>;
  /** State of a queued message to another machine that is not yet in the agent's inbox, and since when. */
  readonly onTheWay?: { readonly state: 'sending' | 'sent'; readonly at: number };
  readonly by?: string;
  readonly outcome?: 'changed' | 'same';
  readonly reason?: string;
}

/** Returns when a message reached its agent, milliseconds since the epoch; undefined if it did not, as far as is known. */
export function arrivedAt({ times }: Pick<Delivery, 'times'>): number | undefined {
  return times.taken ?? times.seen ?? times.acted;
}
