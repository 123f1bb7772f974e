import { type Incident, isActive } from '../../model';
import type { SessionSeen, Share, Statistics, StatisticsRange, StatisticsRow } from '../types';

const MOST_DAYS = 366;

interface Counted {
  readonly incident: Incident;
  readonly stuckAt: number;
  /** When it stopped to cost time. */
  readonly end: number;
}

interface Session {
  readonly agent: string;
  readonly model: string | undefined;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly incidents: Counted[];
}

/**
 * The figures of a range of days.
 *
 * A session counts when an event of it lies within the range; it counts as stuck when an incident of it reached `stuck` there. Warnings and
 * what a person muted (a false alarm, by their word) do not count. Time is lost from the first of the equal results until the incident was
 * over, or until now; two incidents of one session at the same time cost it once. Tokens likewise: of overlapping incidents the larger figure.
 *
 * @param now milliseconds since the epoch
 */
export function statisticsOf(
  incidents: Iterable<Incident>,
  seen: Iterable<SessionSeen>,
  range: StatisticsRange,
  now: number,
): Statistics {
  const sessions = sessionsIn(incidents, seen, range, now);
  const all = [...sessions.values()];
  const counted = all.flatMap((session) => session.incidents);
  const over = counted.filter(({ incident }) => !isActive(incident.state));
  const recovered = over.filter(({ incident }) => incident.state === 'recovered');
  const times = recovered.map(({ incident, end }) => end - incident.firstAt).sort((a, b) => a - b);
  return {
    range,
    sessions: stuckOf(all),
    incidents: counted.length,
    ...lossOf(all, () => true),
    recovered: { n: recovered.length, of: over.length },
    medianRecoveryMs: median(times),
    perDay: perDay(all, range, now),
    byAgent: rows(all, (session) => session.agent),
    byModel: rows(all, (session) => session.model),
    byDetector: byDetector(all),
    whatRecovered: whatRecovered(over.map(({ incident }) => incident)),
  };
}

function sessionsIn(
  incidents: Iterable<Incident>,
  seen: Iterable<SessionSeen>,
  range: StatisticsRange,
  now: number,
): ReadonlyMap<string, Session> {
  const sessions = new Map<string, Session>();
  for (const one of seen) {
    if (one.lastAt < range.since || one.firstAt >= range.until) continue;
    const { agent, model, firstAt, lastAt } = one;
    sessions.set(`${agent}\n${one.session}`, { agent, model, firstAt, lastAt, incidents: [] });
  }
  for (const incident of incidents) {
    const { agent, stuckAt } = incident;
    if (incident.level !== 'stuck' || stuckAt === null) continue;
    if (incident.state === 'muted' || incident.outcome === 'not_stuck') continue;
    if (stuckAt < range.since || stuckAt >= range.until) continue;
    const key = `${agent}\n${incident.session}`;
    let session = sessions.get(key);
    // A session that was never reported was there all the same.
    if (!session)
      sessions.set(
        key,
        (session = {
          agent,
          model: incident.model,
          firstAt: incident.firstAt,
          lastAt: incident.updatedAt,
          incidents: [],
        }),
      );
    const end = incident.resolvedAt ?? (isActive(incident.state) ? now : incident.updatedAt);
    session.incidents.push({ incident, stuckAt, end: Math.max(end, incident.firstAt) });
  }
  return sessions;
}

function stuckOf(sessions: readonly Session[]): Share {
  return { n: sessions.filter((session) => session.incidents.length > 0).length, of: sessions.length };
}

/** Time and tokens lost, each moment of a session once. */
function lossOf(
  sessions: readonly Session[],
  isMeant: (incident: Incident) => boolean,
): { timeLostMs: number; tokensLost: number } {
  let timeLostMs = 0;
  let tokensLost = 0;
  for (const session of sessions) {
    const meant = session.incidents
      .filter(({ incident }) => isMeant(incident))
      .sort((a, b) => a.incident.firstAt - b.incident.firstAt);
    let end = -Infinity;
    let tokens = 0;
    for (const one of meant) {
      const start = one.incident.firstAt;
      const ofThis = one.incident.tokensSinceFirst ?? 0;
      if (start >= end) {
        tokensLost += tokens;
        tokens = ofThis;
        timeLostMs += one.end - start;
      } else {
        tokens = Math.max(tokens, ofThis);
        timeLostMs += Math.max(0, one.end - end);
      }
      end = Math.max(end, one.end);
    }
    tokensLost += tokens;
  }
  return { timeLostMs, tokensLost };
}

function recoveredOf(incidents: readonly Incident[]): Share {
  const over = incidents.filter((incident) => !isActive(incident.state));
  return { n: over.filter((incident) => incident.state === 'recovered').length, of: over.length };
}

/** Sessions whose model, say, is not known have no row of their own. */
function rows(sessions: readonly Session[], keyOf: (session: Session) => string | undefined): readonly StatisticsRow[] {
  const groups = new Map<string, Session[]>();
  for (const session of sessions) {
    const key = keyOf(session);
    if (key === undefined || key === '') continue;
    const group = groups.get(key);
    if (group) group.push(session);
    else groups.set(key, [session]);
  }
  return sorted(
    [...groups].map(([key, group]) => {
      const incidents = group.flatMap((session) => session.incidents.map(({ incident }) => incident));
      return {
        key,
        sessions: stuckOf(group),
        incidents: incidents.length,
        ...lossOf(group, () => true),
        recovered: recoveredOf(incidents),
      };
    }),
  );
}

function byDetector(sessions: readonly Session[]): readonly StatisticsRow[] {
  const groups = new Map<string, Incident[]>();
  for (const session of sessions) {
    for (const { incident } of session.incidents) {
      const group = groups.get(incident.detector);
      if (group) group.push(incident);
      else groups.set(incident.detector, [incident]);
    }
  }
  return sorted(
    [...groups].map(([key, incidents]) => ({
      key,
      sessions: {
        n: new Set(incidents.map((incident) => `${incident.agent}\n${incident.session}`)).size,
        of: sessions.length,
      },
      incidents: incidents.length,
      ...lossOf(sessions, (incident) => incident.detector === key),
      recovered: recoveredOf(incidents),
    })),
  );
}

function sorted(list: StatisticsRow[]): readonly StatisticsRow[] {
  return list.sort((a, b) => b.sessions.n - a.sessions.n || b.sessions.of - a.sessions.of || (a.key < b.key ? -1 : 1));
}

function whatRecovered(over: readonly Incident[]): Statistics['whatRecovered'] {
  type Kind = Statistics['whatRecovered'][number]['kind'];
  const counts = new Map<Kind, { recovered: number; not: number; unknown: number }>();
  const count = (kind: Kind, what: 'recovered' | 'not' | 'unknown') => {
    const known = counts.get(kind) ?? { recovered: 0, not: 0, unknown: 0 };
    counts.set(kind, { ...known, [what]: known[what] + 1 });
  };
  for (const incident of over) {
    const result = incident.state === 'recovered' ? 'recovered' : incident.state === 'unknown' ? 'unknown' : 'not';
    const sent = incident.attempts.filter(
      ({ state }) => state !== 'withdrawn' && state !== 'expired' && state !== 'failed',
    );
    // An attempt that another had to follow did not help.
    sent.forEach((attempt, index) => count(attempt.kind, index === sent.length - 1 ? result : 'not'));
    if (sent.length === 0) count(incident.outcome === 'user' ? 'user' : 'by_itself', result);
  }
  return [...counts]
    .map(([kind, one]) => ({ kind, ...one }))
    .sort((a, b) => b.recovered - a.recovered || b.not - a.not || (a.kind < b.kind ? -1 : 1));
}

function median(ascending: readonly number[]): number | null {
  if (ascending.length === 0) return null;
  const middle = Math.floor((ascending.length - 1) / 2);
  const low = ascending[middle] ?? 0;
  const high = ascending[ascending.length - 1 - middle] ?? low;
  return (low + high) / 2;
}

/** A session counts on each day between its first and last event; it is stuck on the days on which an incident of it became stuck. */
function perDay(sessions: readonly Session[], range: StatisticsRange, now: number): Statistics['perDay'] {
  const earliest = sessions.reduce((least, session) => Math.min(least, session.firstAt), Infinity);
  if (earliest === Infinity) return [];
  const last = Math.min(range.until - 1, now);
  const firstDay = startOfDay(Math.max(range.since, earliest, last - (MOST_DAYS - 1) * 24 * 60 * 60 * 1000));
  const days: { day: string; start: number; n: number; of: number }[] = [];
  for (let start = firstDay; start <= last; start = nextDay(start))
    days.push({ day: dayName(start), start, n: 0, of: 0 });
  const indexOf = (at: number): number => {
    let low = 0;
    let high = days.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((days[middle]?.start ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  for (const session of sessions) {
    const from = Math.max(0, indexOf(session.firstAt));
    const to = Math.max(indexOf(session.lastAt), ...session.incidents.map(({ stuckAt }) => indexOf(stuckAt)));
    for (let i = from; i <= to; i++) {
      const day = days[i];
      if (day) day.of++;
    }
    for (const i of new Set(session.incidents.map(({ stuckAt }) => indexOf(stuckAt)))) {
      const day = days[i];
      if (day) day.n++;
    }
  }
  return days.map(({ day, n, of }) => ({ day, sessions: { n, of } }));
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Not 24 hours on: days differ in length where clocks change. */
function nextDay(start: number): number {
  const date = new Date(start);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

function dayName(start: number): string {
  const date = new Date(start);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
