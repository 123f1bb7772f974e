import { whole } from '../../../base/util/counts';
import {
  type Delivery,
  type DeliveryState,
  type InboxMessage,
  type MessageKind,
  WATCHED_STEPS,
  arrivedAt,
} from '../../model';
import { age, clock, clockSeconds } from '../format';

/** State of one message. Times in milliseconds since the epoch. */
export interface DeliveryFacts {
  /** Kind of the message; a nudge where absent. */
  readonly kind?: MessageKind;
  readonly state: DeliveryState;
  readonly times: Readonly<Partial<Record<DeliveryState, number>>>;
  readonly outcome?: 'changed' | 'same';
  /** Number of steps of the agent since it was taken. */
  readonly watched: number;
  /** False if nothing is set up to hand messages to this agent. */
  readonly connected: boolean;
  /** When it will be taken while it waits, as written by `arrivalOf`. */
  readonly arrival?: string;
  readonly agentName: string;
  /** Longest wait for delivery, milliseconds. */
  readonly expiry: number;
  readonly reason?: string;
  /** State of a queued message that is not yet in the inbox of its agent. */
  readonly onTheWay?: Delivery['onTheWay'];
  /** Name of the other machine on which the agent runs. */
  readonly machine?: string;
}

/** One of the dots on the line of a delivery: filled when done. */
export interface Dot {
  readonly done: boolean;
  readonly name: string;
  readonly note: string;
}

export interface DeliveryLine {
  readonly dots: readonly Dot[];
  /** Actions available for it here. */
  readonly actions: readonly ('undo' | 'edit' | 'send_again' | 'connect')[];
}

/** Returns the name of a message: `Nudge 2`, `Gate feedback`. `number` counts the nudges of an incident; 0 for a nudge without one. */
export function deliveryName(kind: MessageKind, number: number): string {
  switch (kind) {
    case 'nudge':
      return number > 0 ? `Nudge ${whole(number)}` : 'Nudge';
    case 'gate':
      return 'Gate feedback';
    case 'block':
      return 'Blocked call';
    case 'stop':
      return 'Stop';
    case 'restart':
    case 'escalate':
      return 'Restart';
    case 'reassign':
      return 'Reassigned';
    case 'checkpoint':
      return 'Checkpoint';
  }
}

/** Returns three dots on a line with their texts; `Acted` is followed by `changed` or `same result`. */
export function deliveryLine(facts: DeliveryFacts): DeliveryLine {
  if (facts.machine === undefined) return lineOf(facts);
  const { dots, actions } = facts.onTheWay ? wayLine(facts.onTheWay, facts.machine) : lineOf(facts);
  // A message that was sent to another machine cannot be withdrawn from here.
  return { dots, actions: actions.filter((action) => action === 'send_again') };
}

/** The way to another machine's inbox: to the message server, then to its relay. */
function wayLine({ state, at: since }: NonNullable<Delivery['onTheWay']>, machine: string): DeliveryLine {
  const sent: Dot =
    state === 'sent' ? { done: true, name: 'Sent', note: at(since) } : { done: false, name: 'Sent', note: '' };
  return {
    dots: [sent, { done: false, name: 'Queued', note: `on ${machine}` }, { done: false, name: 'Taken', note: '' }],
    actions: [],
  };
}

function lineOf(facts: DeliveryFacts): DeliveryLine {
  const { kind = 'nudge' } = facts;
  // Only a nudge can go through the box again; the others have to be requested where they were first requested.
  const isNudge = kind === 'nudge';
  // A supervisor, which ends and starts processes, reads the inbox without a hook.
  const isRestart = kind === 'restart' || kind === 'escalate';
  const isSupervised = isRestart || (kind === 'stop' && !facts.connected);
  const queued: Dot = { done: true, name: 'Queued', note: at(facts.times.queued) };
  const taken: Dot = { done: true, name: 'Taken', note: at(arrivedAt(facts)) };
  switch (facts.state) {
    case 'queued':
      if (!facts.connected && !isSupervised) {
        return {
          dots: [queued, { done: false, name: 'Not delivered', note: `${facts.agentName} is not connected` }],
          actions: ['connect', 'undo', ...(isNudge ? (['edit'] as const) : [])],
        };
      }
      return {
        dots: [
          queued,
          {
            done: false,
            name: 'Taken',
            note: isSupervised ? 'by its supervisor' : (facts.arrival ?? 'at the next tool call'),
          },
          { done: false, name: 'Acted', note: '' },
        ],
        actions: ['undo', ...(isNudge ? (['edit'] as const) : [])],
      };
    case 'taken':
    case 'seen': {
      const calls = Math.min(facts.watched, WATCHED_STEPS);
      // Another machine does not send its steps.
      const watching = facts.machine === undefined ? `watching, ${whole(calls)} of ${WATCHED_STEPS} calls` : 'watching';
      const shows: Dot = facts.state === 'seen' ? { ...taken, note: `${taken.note}, seen in its transcript` } : taken;
      return {
        dots: [
          queued,
          shows,
          // After a stop there are no calls to watch.
          { done: false, name: 'Acted', note: kind === 'stop' ? '' : watching },
        ],
        actions: [],
      };
    }
    case 'acted': {
      const outcome = facts.outcome ? `, ${outcomeWords(facts.outcome)}` : '';
      return {
        dots: [queued, taken, { done: true, name: 'Acted', note: `${at(facts.times.acted)}${outcome}` }],
        actions: [],
      };
    }
    case 'expired':
      return {
        dots: [
          queued,
          { done: false, name: 'Expired', note: `${at(facts.times.expired)}, not taken in ${age(facts.expiry)}` },
        ],
        actions: isNudge ? ['send_again'] : [],
      };
    case 'withdrawn': {
      const reason = facts.reason ? `, ${facts.reason}` : '';
      return {
        dots: [queued, { done: false, name: 'Withdrawn', note: `${at(facts.times.withdrawn)}${reason}` }],
        actions: [],
      };
    }
    case 'failed':
      return {
        dots: [
          queued,
          {
            done: false,
            name: 'Not delivered',
            note: facts.reason ? facts.reason : 'taken, but missing from the transcript',
          },
        ],
        actions: isNudge ? ['send_again'] : [],
      };
  }
}

/** Returns the longest wait of a message for delivery, in milliseconds. */
export function longestWait({ t, expires }: Pick<InboxMessage, 't' | 'expires'>): number {
  return Date.parse(expires) - Date.parse(t);
}

function outcomeWords(outcome: 'changed' | 'same'): string {
  return outcome === 'changed' ? 'changed' : 'same result';
}

/** One line for a tree row: `acted 17:08, same result`. */
export function deliveryInShort(facts: DeliveryFacts): string {
  switch (facts.state) {
    case 'queued':
      if (facts.onTheWay) return facts.onTheWay.state === 'sent' ? `sent ${minute(facts.onTheWay.at)}` : 'sending';
      return facts.connected ? `queued ${minute(facts.times.queued)}` : 'not delivered';
    case 'taken':
    case 'seen':
      return `taken ${minute(arrivedAt(facts))}`;
    case 'acted':
      return facts.outcome
        ? `acted ${minute(facts.times.acted)}, ${outcomeWords(facts.outcome)}`
        : `acted ${minute(facts.times.acted)}`;
    case 'failed':
      return 'not delivered';
    case 'expired':
      return `expired ${minute(facts.times.expired)}`.trim();
    case 'withdrawn':
      return `withdrawn ${minute(facts.times.withdrawn)}`.trim();
  }
}

function at(time: number | undefined): string {
  return time === undefined ? '' : clockSeconds(time);
}

function minute(time: number | undefined): string {
  return time === undefined ? '' : clock(time);
}
