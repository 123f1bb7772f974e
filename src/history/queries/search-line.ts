import { DETECTOR_IDS, ENDINGS, type Level } from '../../core/model';
import type { IncidentFilter } from '../types';

/** A parsed search line: words and filters. */
export interface SearchLine {
  readonly words: string;
  readonly filter: IncidentFilter;
}

/** Keys before a colon. */
const SEARCH_KEYS = ['level', 'rule', 'agent', 'folder', 'outcome', 'since', 'until'] as const;
type SearchKey = (typeof SEARCH_KEYS)[number];

const PART = /(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g;
const PERIOD = /^(\d{1,4})([hdw])$/;
const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 };
const HOUR_MS = 3_600_000;

/**
 * Reads one line of the search, the same in the view and on the command line: words, and `level:stuck rule:cycle agent:codex outcome:nudge
 * folder:/home/me/app since:7d until:2026-11-20` anywhere among them. A value with spaces is in quotes; the same key twice means either. Anything
 * that is no such filter is a word: `src/a.ts:12` and `error: x` are searched for as they are.
 *
 * @param now milliseconds since the epoch; `since:7d` counts from it
 */
export function readSearchLine(line: string, now: number): SearchLine {
  const words: string[] = [];
  let filter: IncidentFilter = {};
  for (const [whole, key, quoted, plain] of line.slice(0, 2_000).matchAll(PART)) {
    const value = quoted ?? plain ?? '';
    const name = SEARCH_KEYS.find((one) => one === key);
    const next = name && value !== '' ? narrowed(filter, name, value, now) : null;
    if (next) filter = next;
    else words.push(key === undefined ? value : whole);
  }
  return { words: words.join(' '), filter };
}

/** Returns the filter with one more value; null if the value does not fit the key. */
export function narrowed(filter: IncidentFilter, key: SearchKey, value: string, now: number): IncidentFilter | null {
  switch (key) {
    case 'level': {
      const level = LEVELS[value];
      return level ? { ...filter, levels: [...(filter.levels ?? []), level] } : null;
    }
    case 'rule': {
      const detector = DETECTOR_IDS.find((id) => id === value.replaceAll('-', '_'));
      return detector ? { ...filter, detectors: [...(filter.detectors ?? []), detector] } : null;
    }
    case 'agent':
      return { ...filter, agents: [...(filter.agents ?? []), value] };
    case 'folder':
      return {
        ...filter,
        folders: [...(filter.folders ?? []), value.length > 1 ? value.replace(/[/\\]$/, '') : value],
      };
    case 'outcome': {
      const ending = OUTCOMES.find((one) => one === value.replaceAll('-', '_'));
      return ending ? { ...filter, endings: [...(filter.endings ?? []), ending] } : null;
    }
    case 'since':
    case 'until': {
      const at = timeOf(value, now);
      return at === null ? null : { ...filter, [key]: at };
    }
  }
}

/** Endings of an incident, or `open`. */
export const OUTCOMES = ['open', ...ENDINGS] as const;

const LEVELS: Readonly<Record<string, Level>> = { stuck: 'stuck', warn: 'warn', warning: 'warn' };

/** Reads `7d`, `24h` or `2w` before now, a day, or a time in ISO 8601, as milliseconds since the epoch. */
function timeOf(value: string, now: number): number | null {
  const [, number, unit] = PERIOD.exec(value) ?? [];
  if (number !== undefined && unit !== undefined) return now - Number(number) * (HOURS[unit] ?? 0) * HOUR_MS;
  // A day without a time begins at local midnight.
  const at = Date.parse(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00` : value);
  return /^\d{4}-/.test(value) && Number.isFinite(at) ? at : null;
}
