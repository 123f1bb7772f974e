import type { SessionSeen } from '../history/types';
import { seenOf } from './history/seen';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentAdapter } from '../agents/adapter';
import { createDecoder } from '../agents/decoders';
import { ownCallsOf } from '../agents/own-calls';
import type { SqlReader } from '../agents/sqlite/reader';
import type {
  AgentEvent,
  AgentId,
  AgentState,
  DetectorId,
  DetectorOptions,
  Incident,
  NearMiss,
  Problem,
} from '../core/model';
import { readWholeFile } from '../base/tail';
import { AcrossNotes, type AcrossResult, type TakenNote } from './across';
import { Session } from './session/session';
import { ticksUpTo } from './session/ticks';
import { Copies, type RecordOwners } from './follow/copies';
import { readCompanions } from './follow/session-files';
import { Transcript, type TranscriptClock } from './follow/transcript';

export interface ScanOptions {
  readonly adapter: AgentAdapter;
  readonly detectors: (agent: AgentId) => Readonly<Record<DetectorId, DetectorOptions>>;
  readonly readSmall: (path: string) => string | undefined;
  /** Reads databases. Absent: none can be read. */
  readonly sqlite?: SqlReader;
  /** The sessions of a database that are scanned. Absent: all. */
  readonly only?: ReadonlySet<string>;
  /** The clock with which the times of records are compared; milliseconds since the epoch. */
  readonly clock?: () => number;
  /** The moment in question, milliseconds since the epoch: what was recorded later is left out. Absent: the transcript's own last time. */
  readonly now?: number;
  readonly onProgress?: (bytes: number) => void;
  /** Records of other transcripts: records that occur there too are copies. */
  readonly known?: RecordOwners;
  /** True to take notes for the rules across sessions. */
  readonly across?: boolean;
  /** False once the result is no longer wanted: reading ends there. */
  readonly isWanted?: () => boolean;
}

/** A transcript that was read, before its result is taken: until then, rules across sessions may add to it. */
export interface ReadTranscript {
  /** Time of the last event of all its sessions, milliseconds since the epoch. */
  readonly lastAt: number;
  /** Notes of its sessions for the rules across sessions. */
  readonly notes: readonly TakenNote[];
  /** `acrossResults`: what these rules found in its sessions, passed once. */
  result(acrossResults?: readonly AcrossResult[]): ScannedFile;
}

/** One session of a scanned file. */
export interface ScannedSession {
  readonly session: string;
  readonly agent: string;
  readonly agentName: string;
  readonly title: string;
  readonly lines: number;
  readonly events: number;
  readonly actions: number;
  /** Actions whose outcome is known or that are still running. */
  readonly seen: number;
  readonly callMarkers: number;
  readonly skipped: readonly Problem[];
  readonly incidents: readonly Incident[];
  readonly hints: readonly Incident[];
  readonly nearMisses: readonly NearMiss[];
  /** Time, place and kind of the session, as the history keeps it. */
  readonly whole: SessionSeen;
  readonly state: AgentState;
}

export interface ScannedFile {
  readonly file: string;
  readonly agent: string;
  readonly bytes: number;
  readonly lines: number;
  readonly events: number;
  readonly sessions: readonly ScannedSession[];
  /** Problems of a file in which no session was found. */
  readonly orphans: readonly Problem[];
}

/** Counters of one session in addition to its detectors. */
interface Counters {
  events: number;
  incidents: Map<string, Incident>;
  hints: Map<string, Incident>;
}

/**
 * Runs the detectors over a whole transcript as if it were live: the clock is the transcript's own time, and an alert about silence is raised at the
 * moment at which it would have been.
 */
export async function readTranscript(file: string, options: ScanOptions): Promise<ReadTranscript> {
  const { adapter, clock = Date.now } = options;
  const modifiedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const { transcript, finish } = scanning(file, options, { now: clock, modifiedAt });
  await readCompanions(adapter, file, (other, line) => transcript.companionLine(other, line));
  const bytes = await readWholeFile(file, {
    unit: adapter.unit,
    markers: adapter.callMarkers,
    line: (line, calls) => transcript.line(line, calls),
    document: (text, calls) => transcript.document(text, calls),
    database: (database, log) => transcript.database(database, log),
    problem: (problem) => transcript.problem(problem),
    ...(options.onProgress && { progress: options.onProgress }),
    ...(options.isWanted && { isWanted: options.isWanted }),
  });
  return finish(bytes);
}

/**
 * Scans lines in memory, as `readTranscript` would if they were in a file.
 *
 * @param breathe called after each line: waits if the work has taken long
 */
export async function scanLines(
  file: string,
  lines: readonly string[],
  options: ScanOptions,
  breathe: () => Promise<void> | undefined,
): Promise<ScannedFile> {
  const { transcript, finish } = scanning(file, options);
  let offset = 0;
  for (const [index, text] of lines.entries()) {
    transcript.line({ text, line: index + 1, offset }, 0);
    offset += Buffer.byteLength(text) + 1;
    await breathe();
  }
  return finish(offset).result();
}

/** Sets up a scan; its records are then pushed in, and `finish` is called with the number of bytes once all were passed. */
function scanning(
  file: string,
  options: ScanOptions,
  clock?: TranscriptClock,
): { readonly transcript: Transcript; readonly finish: (bytes: number) => ReadTranscript } {
  const { adapter } = options;
  const sessions = new Map<string, Session>();
  const counters = new Map<Session, Counters>();
  const detectors = options.detectors(adapter.id);
  const across = options.across ? new AcrossNotes() : null;

  const sessionFor = (event: AgentEvent): Session => {
    const known = sessions.get(event.session);
    if (known) return known;
    const session = new Session({
      agent: adapter.id,
      agentName: adapter.name,
      session: event.session,
      file,
      showsRunningTool: adapter.showsRunningTool,
      turnEnds: adapter.turnEnds,
      ...(adapter.holdsCalls === false && { holdsCalls: false }),
      outcomesLateMs: adapter.outcomesLateMs,
      detectors,
      isHistory: () => false,
      live: false,
      onIncident: (incident, _before, of) => void counters.get(of)?.incidents.set(incident.id, incident),
      onHint: (hint, of) => void counters.get(of)?.hints.set(hint.id, hint),
      ...(across && { onStep: (step, of) => across.step(of, step) }),
    });
    sessions.set(event.session, session);
    counters.set(session, { events: 0, incidents: new Map(), hints: new Map() });
    return session;
  };

  const transcript = new Transcript({
    decoder: createDecoder(adapter, {
      file,
      readSmall: options.readSmall,
      ...(options.sqlite && { sqlite: options.sqlite }),
    }),
    ownCalls: ownCallsOf(adapter),
    ...(clock && { clock }),
    ...(options.now !== undefined && { until: options.now }),
    ...(options.known && { copies: new Copies(options.known, adapter.id) }),
    wants: (head) => options.only?.has(head.session) ?? true,
    sessionFor,
    beforeEvent: (event, session) => {
      ticksUpTo(session, event.at);
      across?.event(session, event);
      const counted = counters.get(session);
      if (counted) counted.events++;
    },
  });

  const finish = (bytes: number): ReadTranscript => {
    transcript.settle();
    const end = options.now ?? 0;
    for (const session of sessions.values()) ticksUpTo(session, Math.max(end, session.facts.lastEventAt));
    const read = [...sessions.values()];
    const lastAt = Math.max(0, ...read.map((session) => session.facts.lastEventAt));
    for (const session of read) session.rest(options.now ?? session.facts.lastEventAt);
    const { lines, events, orphans } = transcript;
    const whole = { file, agent: adapter.id, bytes, lines, events, orphans };
    const counts = read.map((session) => [session, counters.get(session)] as const);
    return { lastAt, notes: across?.taken ?? [], result: resultOf(whole, counts, options.now) };
  };
  return { transcript, finish };
}

/** Made outside the function that reads, because it would keep that function's decoder alive. */
function resultOf(
  whole: Omit<ScannedFile, 'sessions'>,
  counts: readonly (readonly [Session, Counters | undefined])[],
  now: number | undefined,
): ReadTranscript['result'] {
  const sessions = new Map(counts.map(([session]) => [session.options.session, session]));
  return (acrossResults = []) => {
    for (const one of acrossResults) {
      const book = sessions.get(one.session)?.book;
      if ('finding' in one) book?.finding(one.finding);
      else book?.clearing(one.clearing);
    }
    return { ...whole, sessions: counts.map(([session, counted]) => summary(session, counted, now)) };
  };
}

function summary(session: Session, counted: Counters | undefined, now: number | undefined): ScannedSession {
  const view = session.view(now ?? session.facts.lastEventAt);
  return {
    session: view.session,
    agent: view.agent,
    agentName: view.agentName,
    title: view.title,
    lines: view.coverage.lines,
    events: counted?.events ?? 0,
    actions: session.facts.calls,
    seen: view.coverage.seen,
    callMarkers: view.coverage.there,
    skipped: view.coverage.problems,
    incidents: inOrder(counted?.incidents),
    hints: inOrder(counted?.hints),
    nearMisses: view.nearMisses,
    whole: seenOf(view),
    state: view.state,
  };
}

function inOrder(incidents: ReadonlyMap<string, Incident> | undefined): Incident[] {
  return [...(incidents?.values() ?? [])].sort((a, b) => a.alertLine - b.alertLine || a.openedAt - b.openedAt);
}

/** Reads small files next to a transcript only below its own folder and the one above, so that a transcript cannot name others. */
export function readSmallNearby(
  file: string,
  read: (path: string) => string | undefined,
): (path: string) => string | undefined {
  const roots = [dirname(file), dirname(dirname(file))];
  return (path) => (roots.some((root) => join(path).startsWith(root)) ? read(path) : undefined);
}
