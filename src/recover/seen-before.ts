import type { Incident, MessageKind, RecoveryAction } from '../core/model';
import { fenced } from './quote';

/** Earlier incidents of the same pattern, and what was tried in them. */
export interface SeenBefore {
  readonly similar: readonly Incident[];
  /** The most often helpful first. */
  readonly tried: readonly {
    readonly kind: MessageKind;
    readonly recovered: { readonly n: number; readonly of: number };
  }[];
  /** A person's text about the best of them, or its known cause; empty if there is neither. */
  readonly noted: string;
}

/** Action behind a message of each kind. A restart may have been with feedback or fresh: the fresh one is the stronger remedy. */
const ACTIONS: Readonly<Partial<Record<MessageKind, RecoveryAction>>> = {
  nudge: 'nudge',
  restart: 'fresh',
  escalate: 'next_model',
  reassign: 'reassign',
  block: 'block',
};

/** Number of failures of the usual way after which another one is recommended in its place. */
const FAILED_OFTEN = 2;

/** Returns the way that helped if the usual one was tried and did not; null if the past says nothing against the usual one. */
export function betterWay(usual: RecoveryAction, before: SeenBefore | undefined): RecoveryAction | null {
  const ways = (before?.tried ?? []).flatMap(({ kind, recovered }) => {
    const action = ACTIONS[kind];
    return action ? [{ action, ...recovered }] : [];
  });
  const own = ways.find(({ action }) => action === usual);
  if (!own || own.of < FAILED_OFTEN || own.n > 0) return null;
  return ways.find(({ action, n }) => action !== usual && n > 0)?.action ?? null;
}

/** Words how often the same was seen before, with the note about it, for the agent to read; empty if there is no note. */
export function seenBeforeText(before: SeenBefore | undefined): string {
  if (!before || before.noted === '' || before.similar.length === 0) return '';
  const times = before.similar.length === 1 ? 'once before' : `${before.similar.length} times before`;
  return `This was seen ${times}. What was noted then:\n\n${fenced(before.noted)}`;
}
