import type { CountedThing } from '../../model';
import { counted, whole } from '../../../base/util/counts';
import { percentDigits, short } from '../format';

/** Texts for the counts of a whole session: the heading, and the names of the numbers. */
export const HEALTH = {
  heading: 'Loop health',
  label: 'for the whole session; click a number to see what it counts',
  calls: 'Calls',
  failures: 'Failed calls',
  malformed: 'Malformed calls',
  claims: 'Said it was done',
  blocked: 'Blocked plan items',
  tokens: 'Tokens',
  rereads: 'Read again after compaction',
  others: 'others',
  none: 'none',
  noUsage: 'not recorded by the agent',
} as const;

/** Text after a number: `3 in a row`; empty where nothing repeats. */
export function inARow(count: number): string {
  return count > 1 ? `${whole(count)} in a row` : '';
}

/** Returns `118k of 200k in the context, 1.9M in all`. */
export function tokenWords(tokens: {
  readonly contextTokens?: number;
  readonly contextWindow?: number;
  readonly totalTokens?: number;
}): string {
  const { contextTokens, contextWindow, totalTokens } = tokens;
  const all = totalTokens === undefined ? '' : `${short(totalTokens)} in all`;
  return [contextWords(contextTokens, contextWindow), all].filter(Boolean).join(', ');
}

/** Returns `context 86 %` from a share in percent on; empty below it, where it is 0, or where the agent does not record its context. */
export function contextMark(
  health: { readonly contextTokens?: number; readonly contextWindow?: number },
  from: number,
): string {
  const { contextTokens, contextWindow } = health;
  if (from <= 0 || contextTokens === undefined || !contextWindow) return '';
  const share = percentDigits(contextTokens / contextWindow);
  return share < from ? '' : `context ${share} %`;
}

function contextWords(tokens: number | undefined, window: number | undefined): string {
  if (tokens === undefined) return '';
  return window ? `${short(tokens)} of ${short(window)} in the context` : `${short(tokens)} in the context`;
}

/** Text above the list of the places that a number counts: `23 failed calls, newest first. Open which one?` */
export function countedList(thing: CountedThing, listed: number, name: string | undefined): string {
  switch (thing) {
    case 'calls':
      return name === undefined
        ? `${counted(listed, 'call')}, newest first. Open which one?`
        : `${counted(listed, 'call')} of ${name}, newest first. Open which one?`;
    case 'failures':
      return `${whole(listed)} failed ${listed === 1 ? 'call' : 'calls'}, newest first. Open which one?`;
    case 'malformed':
      return `${whole(listed)} malformed ${listed === 1 ? 'call' : 'calls'}, newest first. Open which one?`;
    case 'claims':
      return `It said it was done ${counted(listed, 'time')}, newest first. Open which one?`;
    case 'blocked':
      return `“${name ?? ''}” was blocked ${counted(listed, 'time')}, newest first. Open which one?`;
  }
}

/** Text of an empty list: the counted steps are still running, or are older than what is remembered. */
export function nothingListed(): string {
  return 'None of these can be opened right now.';
}
