import type { CountedThing } from '../../model';
import { t, texts } from '../../util/l10n';
import { short } from '../format';

/** What was counted in a whole session: the heading, and the names of the numbers. */
export const HEALTH = texts({
  heading: 'Loop health',
  label: 'counted in the whole session; a number opens what it counts',
  calls: 'Calls',
  failures: 'Failed calls',
  malformed: 'Malformed calls',
  claims: 'Said it was done',
  blocked: 'Blocked plan items',
  tokens: 'Tokens',
  others: 'others',
  none: 'none',
  noUsage: 'the agent writes no usage',
});

/** `3 in a row` behind a number; nothing where there is no row. */
export function inARow(count: number): string {
  return count > 1 ? t`${count} in a row` : '';
}

/** `118k of 200k in the context, 1.9M in all` */
export function tokenWords(tokens: {
  readonly contextTokens?: number;
  readonly contextWindow?: number;
  readonly totalTokens?: number;
}): string {
  const { contextTokens, contextWindow, totalTokens } = tokens;
  const all = totalTokens === undefined ? '' : t`${short(totalTokens)} in all`;
  return [contextWords(contextTokens, contextWindow), all].filter(Boolean).join(', ');
}

function contextWords(tokens: number | undefined, window: number | undefined): string {
  if (tokens === undefined) return '';
  return window ? t`${short(tokens)} of ${short(window)} in the context` : t`${short(tokens)} in the context`;
}

/** Above the list of what a number counts: `23 failed calls, the newest first. Which one to open?` */
export function countedList(thing: CountedThing, listed: number, name: string | undefined): string {
  switch (thing) {
    case 'calls':
      return name === undefined
        ? t`${listed} {0:call|calls}, the newest first. Which one to open?`
        : t`${listed} {0:call|calls} of ${name}, the newest first. Which one to open?`;
    case 'failures':
      return t`${listed} failed {0:call|calls}, the newest first. Which one to open?`;
    case 'malformed':
      return t`${listed} malformed {0:call|calls}, the newest first. Which one to open?`;
    case 'claims':
      return t`It said ${listed} {0:time|times} that it was done, the newest first. Which one to open?`;
    case 'blocked':
      return t`“${name ?? ''}” was blocked ${listed} {1:time|times}, the newest first. Which one to open?`;
  }
}

/** Where nothing is listed: what is counted still runs, or is older than what is remembered. */
export function nothingListed(): string {
  return t`None of these can be opened now.`;
}
