import { isActive } from '../../core/model';
import type { Breather } from '../breathe';
import { type Contents, forgetIncident } from '../contents/contents';
import { shownIncident } from '../contents/merge';
import type { StoredIncident } from '../journal/records';

const DAY = 24 * 60 * 60 * 1000;

export interface RetentionLimits {
  /** Characters of JSON in all tables. The file is about a sixth larger. */
  readonly characters: number;
  /** Incidents, events, learnings and sessions older than this are dropped. */
  readonly days: number;
  readonly incidents: number;
  readonly events: number;
  readonly learnings: number;
  readonly sessions: number;
}

/** Keeps the snapshot below 8 MB: sql.js exports it in one uninterrupted piece, which takes less than 16 ms at that size. */
export const RETENTION: RetentionLimits = {
  characters: 5_500_000,
  days: 90,
  incidents: 5_000,
  events: 4_000,
  learnings: 2_000,
  sessions: 5_000,
};

/** The rows of the snapshot: JSON by key. */
export interface SnapshotRows {
  readonly incidents: Map<string, string>;
  readonly events: Map<string, string>;
  readonly learnings: Map<string, string>;
  readonly sessions: Map<string, string>;
}

/** Result of retention, for the log. */
export interface RetentionResult {
  readonly rows: SnapshotRows;
  readonly trimmed: number;
  readonly dropped: number;
}

/**
 * Brings the contents below the limits: first drops what is too old or too many, then the evidence of old incidents (their samples and everything
 * between the first and the last two rows; the transcript still has it), then the oldest incidents. Active incidents with news within a week are
 * never touched.
 *
 * @param now milliseconds since the epoch
 */
export async function retain(
  contents: Contents,
  limits: RetentionLimits,
  now: number,
  breather: Breather,
): Promise<RetentionResult> {
  breather.restart();
  const oldest = now - limits.days * DAY;
  dropOld(contents.events, limits.events, oldest, (event) => event.t);
  dropOld(contents.learnings, limits.learnings, oldest, (learning) => learning.at);
  dropOld(contents.sessions, limits.sessions, oldest, (session) => session.lastAt);
  // A tombstone is needed while a journal or a window may still mention the incident.
  dropOld(contents.removed, limits.incidents, oldest, (removal) => removal.at);

  const isInUse = (kept: StoredIncident) =>
    isActive(shownIncident(kept).state) && kept.incident.updatedAt > now - 7 * DAY;
  const oldestFirst = [...contents.incidents.values()]
    .filter((kept) => !isInUse(kept))
    .sort((a, b) => a.incident.updatedAt - b.incident.updatedAt);
  const tooMany = contents.incidents.size - limits.incidents;
  const dropped = new Set<string>();
  const rest: StoredIncident[] = [];
  for (const kept of oldestFirst) {
    if (dropped.size < tooMany || kept.incident.updatedAt < oldest) drop(contents, kept, dropped);
    else rest.push(kept);
  }

  const rows: SnapshotRows = {
    incidents: await toRows(contents.incidents, breather),
    events: await toRows(contents.events, breather),
    learnings: await toRows(contents.learnings, breather),
    sessions: await toRows(contents.sessions, breather),
  };
  let total = 0;
  for (const table of Object.values(rows) as Map<string, string>[])
    for (const [key, json] of table) total += key.length + json.length;

  let trimmed = 0;
  for (const kept of rest) {
    if (total <= limits.characters) break;
    const slim = trimEvidence(kept);
    if (slim === kept) continue;
    const { id } = kept.incident;
    const json = JSON.stringify(slim);
    total -= (rows.incidents.get(id)?.length ?? 0) - json.length;
    contents.incidents.set(id, slim);
    rows.incidents.set(id, json);
    trimmed++;
    const pause = breather.breathe();
    if (pause) await pause;
  }
  for (const kept of rest) {
    if (total <= limits.characters) break;
    const { id } = kept.incident;
    total -= (rows.incidents.get(id)?.length ?? 0) + id.length;
    rows.incidents.delete(id);
    drop(contents, kept, dropped);
  }
  if (dropped.size > 0) {
    for (const [id, event] of contents.events) {
      if (event.incident === undefined || !dropped.has(event.incident)) continue;
      contents.events.delete(id);
      rows.events.delete(id);
    }
  }
  return { rows, trimmed, dropped: dropped.size };
}

/** Keeps the first and the last two rows of the evidence, no samples, no steps of the pattern. */
function trimEvidence(kept: StoredIncident): StoredIncident {
  const { firstSample, lastSample, pattern, evidence, ...rest } = kept.incident;
  if (!firstSample && !lastSample && !pattern && evidence.length <= 3) return kept;
  const few = evidence.length <= 3 ? evidence : [...evidence.slice(0, 1), ...evidence.slice(-2)];
  return { ...kept, incident: { ...rest, evidence: few } };
}

function drop(contents: Contents, kept: StoredIncident, dropped: Set<string>): void {
  dropped.add(kept.incident.id);
  forgetIncident(contents, kept);
}

function dropOld<T>(table: Map<string, T>, most: number, oldest: number, at: (value: T) => number): void {
  for (const [key, value] of table) if (at(value) < oldest) table.delete(key);
  const tooMany = table.size - most;
  if (tooMany <= 0) return;
  const oldestFirst = [...table].sort((a, b) => at(a[1]) - at(b[1]));
  for (const [key] of oldestFirst.slice(0, tooMany)) table.delete(key);
}

async function toRows<T>(table: ReadonlyMap<string, T>, breather: Breather): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  for (const [key, value] of table) {
    rows.set(key, JSON.stringify(value));
    const pause = breather.breathe();
    if (pause) await pause;
  }
  return rows;
}
