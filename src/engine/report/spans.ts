import type { AgentEvent, Incident } from '../../core/model';

/** A run of events of a session, and the time until which nothing else happened (milliseconds since the epoch). */
export interface Span {
  readonly events: readonly AgentEvent[];
  readonly until: number;
}

/** Steps before the first repeat that are included, to show where the agent came from. */
const BEFORE = 3;

/**
 * Yields pieces of a session that may raise an incident again, shortest first: from a few steps before it up to its highest level; the same from the
 * last message of a person; from the start; and the whole session.
 */
export function* spansOf(incident: Incident, events: readonly AgentEvent[]): Generator<Span> {
  const to = lastOf(incident, events) + 1;
  const from = firstOf(incident, events);
  const promptAt = lastIndex(events, from + 1, isFromPerson);
  const near = stepsBefore(events, from, BEFORE);
  const until = Math.max(incident.stuckAt ?? incident.openedAt, events[to - 1]?.at ?? 0);
  const spans: readonly (readonly [from: number, to: number])[] = [
    [Math.max(near, promptAt), to],
    [promptAt, to],
    [0, to],
    [promptAt, events.length],
    [0, events.length],
  ];
  const seen = new Set<string>();
  for (const [start, end] of spans) {
    const first = Math.max(0, start);
    if (end <= first || seen.has(`${first} ${end}`)) continue;
    seen.add(`${first} ${end}`);
    const facts = events.slice(0, first).filter((event) => event.type === 'session_info');
    const prompt = promptAt >= 0 && promptAt < first ? events.slice(promptAt, promptAt + 1) : [];
    const whole = end === to ? until : (events[end - 1]?.at ?? until);
    yield { events: [...facts, ...prompt, ...events.slice(first, end)], until: whole };
  }
}

/** Returns the index of the first event that the incident counted. */
function firstOf({ evidence, firstAt }: Incident, events: readonly AgentEvent[]): number {
  const [first] = evidence;
  const place = first
    ? events.findIndex(({ source }) => source.line === first.source.line && source.offset === first.source.offset)
    : -1;
  if (place >= 0) return place;
  const time = events.findIndex(({ at }) => at >= firstAt);
  return time >= 0 ? time : 0;
}

/** Returns the index of the last event up to its highest level: what came later may have cleared it. */
function lastOf({ stuckLine, alertLine, stuckAt, openedAt }: Incident, events: readonly AgentEvent[]): number {
  const line = stuckLine ?? alertLine;
  const at = stuckAt ?? openedAt;
  const isThere = line > 0 && events.some(({ source }) => source.line === line);
  const last = lastIndex(events, events.length, (event) => (isThere ? event.source.line <= line : event.at <= at));
  return last >= 0 ? last : events.length - 1;
}

function stepsBefore(events: readonly AgentEvent[], from: number, steps: number): number {
  let [index, left] = [from, steps];
  while (index > 0 && left > 0) if (events[--index]?.type === 'tool_call') left--;
  return index;
}

function lastIndex(events: readonly AgentEvent[], before: number, fits: (event: AgentEvent) => boolean): number {
  for (let index = Math.min(before, events.length) - 1; index >= 0; index--) {
    const event = events[index];
    if (event && fits(event)) return index;
  }
  return -1;
}

function isFromPerson(event: AgentEvent): boolean {
  return event.type === 'user' && !event.automated;
}
