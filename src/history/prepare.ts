import { createHash } from 'node:crypto';
import { decodeTime, isValid, ulid } from 'ulid';
import type { Evidence, Incident, Sample } from '../core/model';
import { redact, redactDeep, redactWithRanges } from '../base/util/redact';
import { copied } from '../base/util/text';
import type { EventIdentity, Learning, NewStoreEvent, SessionSeen, StoreEvent } from './types';

/** The limits of the model (model/finding.ts), enforced where transcript text reaches the disk. */
const LINE = 400;
const PARAGRAPH = 4_000;
const SAMPLE = 8_192;
const MOST_EVIDENCE = 24;
const MOST_MOVED = 8;
const MOST_ATTEMPTS = 50;
const MOST_STEPS = 200;
const MOST_LETTERS = 12;
/** JSON of an event's data, in characters. */
const EVENT_DATA = 16_384;
/** Characters of a ULID that encode its time. */
const TIME_OF_ID = 10;
/** Cycles of an incident that are distinguished within one millisecond. */
const MOST_CYCLES = 99;

/** Prepares an incident for storage: without secrets, and no larger than the model allows. */
export function prepareIncident(incident: Incident): Incident {
  const { firstSample, lastSample, pattern, ...rest } = incident;
  return {
    ...rest,
    key: text(incident.key, PARAGRAPH),
    agentName: text(incident.agentName, LINE),
    title: text(incident.title, LINE),
    ...placed(incident),
    subject: text(incident.subject, LINE),
    why: text(incident.why, PARAGRAPH),
    suggestion: text(incident.suggestion, PARAGRAPH),
    clears: incident.clears.slice(0, 12).map((clause) => text(clause, LINE)),
    ...(incident.moved && { moved: incident.moved.slice(-MOST_MOVED).map((value) => text(value, LINE)) }),
    ...(incident.progressed && {
      progressed: { at: incident.progressed.at, text: text(incident.progressed.text, LINE) },
    }),
    evidence: headAndTail(incident.evidence, MOST_EVIDENCE).map(prepareEvidence),
    attempts: incident.attempts.slice(-MOST_ATTEMPTS),
    ...(firstSample && { firstSample: prepareSample(firstSample) }),
    ...(lastSample && { lastSample: prepareSample(lastSample) }),
    ...(pattern && {
      pattern: pattern.slice(0, MOST_LETTERS).map((letter) => ({
        ...letter,
        subject: text(letter.subject, LINE),
        steps: letter.steps.slice(-MOST_STEPS),
      })),
    }),
  };
}

/** Returns the key under which an incident of this streak is stored. */
export function prepareKey(key: string): string {
  return text(key, PARAGRAPH);
}

/** Prepares an event for storage. Without an id it gets one from its identity, or else from its content. */
export function prepareEvent(event: NewStoreEvent): StoreEvent {
  const { id, t, type, session, agent, incident, identity } = event;
  const data = prepareData(event.data);
  const own = identity ? idOf(identity, [type, session, agent]) : undefined;
  return {
    id: id ?? own ?? contentId(t, JSON.stringify([type, session, agent, incident ?? null, data])),
    t,
    type,
    session,
    agent,
    ...(incident !== undefined && { incident }),
    data,
  };
}

/**
 * Returns the time under which an incident's events are filed, milliseconds since the epoch: that of its id. If outcomes come late, another reading
 * of the session dates the same incident differently by some milliseconds, and finds its id again.
 */
export function identityTime({ id, openedAt }: Pick<Incident, 'id' | 'openedAt'>): number {
  return isValid(id) ? decodeTime(id) : openedAt;
}

/** Returns an id in which the place follows the time: events of the same time are read in the order of their ids. */
function idOf({ since, cycle, place, words }: EventIdentity, of: readonly string[]): string {
  const id = contentId(since, JSON.stringify([...of, ...words]));
  const order = `${Math.min(cycle, MOST_CYCLES).toString().padStart(2, '0')}${place}`;
  return `${id.slice(0, TIME_OF_ID)}${order}${id.slice(TIME_OF_ID + order.length)}`;
}

/** Returns the ULID that this moment and this content always have. */
function contentId(at: number, content: string): string {
  const digest = createHash('sha256').update(content).digest();
  let left = 16;
  // `ulid` calls this once per character, from the last to the first, for a number from 0 to 1.
  return ulid(ulidTime(at), () => ((digest[--left] ?? 0) & 31) / 32);
}

/** Returns a time that `ulid` accepts: whole milliseconds within its 48 bits. It takes 0 as "now". */
export function ulidTime(at: number): number {
  return Math.min(Math.max(1, Math.floor(at)), 2 ** 48 - 1);
}

/** Removes secrets from a person's text. */
export function prepareLearning(learning: Learning): Learning {
  return { ...learning, content: text(learning.content, PARAGRAPH) };
}

export function prepareSession(seen: SessionSeen): SessionSeen {
  const { agent, session, firstAt, lastAt, model, role, folder, steps, rereads } = seen;
  return {
    agent,
    session,
    firstAt,
    lastAt,
    ...placed({ model, role, folder }),
    ...(steps !== undefined && { steps }),
    ...(rereads && { rereads }),
  };
}

/** Returns the agent's model, role and folder from its transcript. */
function placed({ model, role, folder }: { readonly [Name in 'model' | 'role' | 'folder']?: string | undefined }) {
  return {
    ...(model !== undefined && { model: text(model, LINE) }),
    ...(role !== undefined && { role: text(role, LINE) }),
    ...(folder !== undefined && { folder: text(folder, PARAGRAPH) }),
  };
}

function prepareData(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let json: string;
  try {
    json = JSON.stringify(redactDeep(data));
  } catch {
    return { unreadable: true };
  }
  if (json.length <= EVENT_DATA) return JSON.parse(json) as Record<string, unknown>;
  return { cut: true, characters: json.length, head: redact(json.slice(0, EVENT_DATA / 2)) };
}

function prepareEvidence(evidence: Evidence): Evidence {
  return { ...evidence, subject: text(evidence.subject, LINE), text: text(evidence.text, LINE) };
}

function prepareSample(sample: Sample): Sample {
  const redacted = redactWithRanges(sample.text, sample.ignored);
  const ranges = redacted.ranges
    .filter(([start]) => start < SAMPLE)
    .map(([start, end]) => [start, Math.min(end, SAMPLE)] as const);
  return { ...sample, text: copied(redacted.text.slice(0, SAMPLE)), ignored: ranges };
}

/**
 * Redacts a text before it is cut, so that no half of a secret is left, and copies it, so that it does not keep a whole transcript line in memory.
 */
function text(value: string, longest: number): string {
  const redacted = redact(value);
  return redacted.length <= longest ? redacted : `${copied(redacted.slice(0, longest - 1))}…`;
}

function headAndTail<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  const head = Math.floor(most / 3);
  return [...items.slice(0, head), ...items.slice(items.length - (most - head))];
}
