import type { Incident } from '../../core/model';
import { mergeStored, shownIncident } from './merge';
import type { StoredIncident, StoreRecord } from '../journal/records';
import type { Learning, SessionSeen, StoreEvent } from '../types';

/** Everything that is known, whether from the snapshot, from journals or from this window. */
export interface Contents {
  /** Incidents by id. */
  readonly incidents: Map<string, StoredIncident>;
  /** Ids by streak: more than one if it came back long after, or if two windows opened it at different moments. */
  readonly streaks: Map<string, Set<string>>;
  readonly events: Map<string, StoreEvent>;
  readonly learnings: Map<string, Learning>;
  readonly sessions: Map<string, SessionSeen>;
  /** Deleted records, by id. */
  readonly removed: Map<string, Removal>;
}

/** A person deleted an incident. */
interface Removal {
  readonly at: number;
  /** Number of times it had come back by then. When it comes back once more, it is news. */
  readonly reopened: number;
}

export function createContents(): Contents {
  return {
    incidents: new Map(),
    streaks: new Map(),
    events: new Map(),
    learnings: new Map(),
    sessions: new Map(),
    removed: new Map(),
  };
}

/** Applies a record. False if it contained nothing new. */
export function applyRecord(contents: Contents, record: StoreRecord): boolean {
  switch (record.k) {
    case 'journal':
      return false;
    case 'incident':
      return applyIncident(contents, record);
    case 'event':
      return applyEvent(contents, record.event);
    case 'learning':
      return applyLearning(contents, record.learning);
    case 'session':
      return applySession(contents, record.session);
    case 'remove':
      return applyRemoval(contents, record.id, record);
  }
}

function applyIncident(contents: Contents, { incident, stateAt, mute }: StoredIncident): boolean {
  const incoming: StoredIncident = { incident, stateAt, mute };
  if (isRemoved(contents, incoming)) return false;
  const known = contents.incidents.get(incident.id);
  const merged = known ? mergeStored(known, incoming) : incoming;
  if (known && isSame(known, merged)) return false;
  contents.incidents.set(incident.id, merged);
  if (!known) {
    const streak = streakKey(incident);
    const ids = contents.streaks.get(streak);
    if (ids) ids.add(incident.id);
    else contents.streaks.set(streak, new Set([incident.id]));
  }
  return true;
}

function isSame(a: StoredIncident, b: StoredIncident): boolean {
  return (
    a === b ||
    (a.stateAt === b.stateAt && JSON.stringify([a.mute, a.incident]) === JSON.stringify([b.mute, b.incident]))
  );
}

function isRemoved(contents: Contents, kept: StoredIncident): boolean {
  const removal = contents.removed.get(kept.incident.id);
  return removal !== undefined && kept.incident.reopened <= removal.reopened;
}

function applyRemoval(contents: Contents, id: string, { at, reopened }: Removal): boolean {
  const before = contents.removed.get(id);
  if (before && before.at >= at && before.reopened >= reopened) return false;
  contents.removed.set(id, { at: Math.max(at, before?.at ?? 0), reopened: Math.max(reopened, before?.reopened ?? 0) });
  const kept = contents.incidents.get(id);
  if (kept && isRemoved(contents, kept)) forgetIncident(contents, kept);
  const learning = contents.learnings.get(id);
  if (learning && learning.at <= at) contents.learnings.delete(id);
  for (const event of contents.events.values())
    if (event.incident === id && event.t <= at) contents.events.delete(event.id);
  return true;
}

/** Deletes an incident, also from its streak. */
export function forgetIncident(contents: Contents, { incident }: StoredIncident): void {
  contents.incidents.delete(incident.id);
  const streak = streakKey(incident);
  const ids = contents.streaks.get(streak);
  ids?.delete(incident.id);
  if (ids?.size === 0) contents.streaks.delete(streak);
}

function applyEvent(contents: Contents, event: StoreEvent): boolean {
  const known = contents.events.get(event.id);
  if (event.incident !== undefined && event.t <= (contents.removed.get(event.incident)?.at ?? -1)) return false;
  const merged = known ? mergeEvents(known, event) : event;
  if (known && known.t === merged.t && compareEvents(known, merged) >= 0) return false;
  contents.events.set(event.id, merged);
  return true;
}

/**
 * Merges two events of one identity into what was known later. An ending is as old as the first reading that saw it; otherwise what was learnt from
 * it could come before it.
 */
function mergeEvents(one: StoreEvent, other: StoreEvent): StoreEvent {
  const newer = compareEvents(one, other) >= 0 ? one : other;
  const isEnding = newer.type === 'Resolution' || newer.type === 'Learning';
  return isEnding ? { ...newer, t: Math.min(one.t, other.t) } : newer;
}

/** Orders two events of one identity: the one that was known later wins, then the one that says more; any remaining tie has a fixed order. */
function compareEvents(a: StoreEvent, b: StoreEvent): number {
  const later = numberIn(a, 'knownAt') - numberIn(b, 'knownAt');
  if (later !== 0) return later;
  const more = newsOf(a.data) - newsOf(b.data);
  if (more !== 0) return more;
  const [left, right] = [JSON.stringify(a.data), JSON.stringify(b.data)];
  return left < right ? -1 : left > right ? 1 : a.t - b.t;
}

function numberIn({ data }: StoreEvent, name: string): number {
  const value = data[name];
  return typeof value === 'number' ? value : 0;
}

/** Ranks endings and states by what they say about how an agent was freed. */
function newsOf({ outcome, state }: StoreEvent['data']): number {
  const isFreed = ['nudge', 'restart', 'block', 'gate', 'user', 'not_stuck'].includes(String(outcome));
  if (isFreed || state === 'recovered') return 3;
  if (outcome === 'by_itself' || state === 'ended') return 2;
  return outcome === undefined || outcome === null ? 0 : 1;
}

function applyLearning(contents: Contents, learning: Learning): boolean {
  if (learning.at <= (contents.removed.get(learning.id)?.at ?? -1)) return false;
  const known = contents.learnings.get(learning.id);
  if (known && compareLearnings(known, learning) >= 0) return false;
  contents.learnings.set(learning.id, learning);
  return true;
}

/**
 * Orders two learnings. An edit by a person wins over derived content. Otherwise the later one wins; of two equally late ones the one that knows of
 * an attempt, then the one that knows of a recovery; any remaining tie has a fixed order.
 */
function compareLearnings(a: Learning, b: Learning): number {
  if ((a.editedAt ?? 0) !== (b.editedAt ?? 0)) return (a.editedAt ?? 0) - (b.editedAt ?? 0);
  if (a.at !== b.at) return a.at - b.at;
  const known = Number(a.tried !== 'by_itself') - Number(b.tried !== 'by_itself');
  if (known !== 0) return known;
  const freed = Number(a.state === 'recovered') - Number(b.state === 'recovered');
  if (freed !== 0) return freed;
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function applySession(contents: Contents, session: SessionSeen): boolean {
  const key = agentSessionKey(session);
  const known = contents.sessions.get(key);
  if (!known) {
    contents.sessions.set(key, session);
    return true;
  }
  const newer = compareSessions(known, session) >= 0 ? known : session;
  const merged = { ...newer, firstAt: Math.min(known.firstAt, session.firstAt) };
  if (merged.firstAt === known.firstAt && newer === known) return false;
  contents.sessions.set(key, merged);
  return true;
}

function compareSessions(a: SessionSeen, b: SessionSeen): number {
  if (a.lastAt !== b.lastAt) return a.lastAt - b.lastAt;
  const text = ({ model, role, folder, steps }: SessionSeen) =>
    JSON.stringify([steps ?? 0, model ?? null, role ?? null, folder ?? null]);
  const [left, right] = [text(a), text(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

export function agentSessionKey(session: { readonly agent: string; readonly session: string }): string {
  return `${session.agent}\n${session.session}`;
}

export function streakKey(incident: {
  readonly agent: string;
  readonly session: string;
  readonly key: string;
}): string {
  return `${incident.agent}\n${incident.session}\n${incident.key}`;
}

/** Yields every incident once, in no order: those that are one and the same are joined. */
export function* allIncidents(contents: Contents): Generator<Incident> {
  for (const ids of contents.streaks.values()) {
    if (ids.size === 1) {
      for (const id of ids) {
        const kept = contents.incidents.get(id);
        if (kept) yield shownIncident(kept);
      }
    } else for (const { kept } of clusters(contents, ids)) yield shownIncident(kept);
  }
}

/** An incident of an id, and the id under which it is shown: its own, or that of the incident with which it is one and the same. */
export interface ShownIncident {
  readonly head: string;
  /** As it is shown, if `head` is its own id; otherwise as it is kept. */
  readonly view: Incident;
}

/** Returns all incidents by id, with the id under which each is shown. */
export function shownIncidents(contents: Contents): ReadonlyMap<string, ShownIncident> {
  const shown = new Map<string, ShownIncident>();
  for (const ids of contents.streaks.values()) {
    for (const cluster of clusters(contents, ids)) {
      const [head = ''] = cluster.ids;
      for (const id of cluster.ids) {
        const kept = id === head ? cluster.kept : contents.incidents.get(id);
        if (kept) shown.set(id, { head, view: shownIncident(kept) });
      }
    }
  }
  return shown;
}

/** Returns the incident of this id, or of an id that another window assigned to it. */
export function findIncident(contents: Contents, id: string): Incident | undefined {
  return clusterOf(contents, id)?.view;
}

/** Returns the incident of this id and all ids under which it is kept. */
export function clusterOf(
  contents: Contents,
  id: string,
): { readonly view: Incident; readonly ids: readonly string[] } | undefined {
  const kept = contents.incidents.get(id);
  if (!kept) return undefined;
  const ids = contents.streaks.get(streakKey(kept.incident));
  if (!ids || ids.size === 1) return { view: shownIncident(kept), ids: [id] };
  const cluster = clusters(contents, ids).find((one) => one.ids.includes(id));
  return cluster && { view: shownIncident(cluster.kept), ids: cluster.ids };
}

/**
 * Groups incidents of one streak that are one and the same: their lives, from opening to resolution (or the last news), touch. Two windows that began
 * to read a session at different places open the same incident at different moments, and so assign different ids to it; a streak that comes back
 * after it was over begins after the end of the one before. A group has the id of the incident that opened first.
 */
function clusters(
  contents: Contents,
  ids: ReadonlySet<string>,
): { kept: StoredIncident; ids: string[]; end: number }[] {
  const kept = [...ids].flatMap((id) => contents.incidents.get(id) ?? []);
  kept.sort((a, b) => a.incident.openedAt - b.incident.openedAt || (a.incident.id < b.incident.id ? -1 : 1));
  const result: { kept: StoredIncident; ids: string[]; end: number }[] = [];
  for (const one of kept) {
    const end = one.incident.resolvedAt ?? one.incident.updatedAt;
    const last = result.at(-1);
    if (last && one.incident.openedAt <= last.end) {
      last.kept = mergeStored(last.kept, one);
      last.ids.push(one.incident.id);
      last.end = Math.max(last.end, end);
    } else result.push({ kept: one, ids: [one.incident.id], end });
  }
  return result;
}
