import { latestTime } from '../../agents/shared/decode';
import type { DatabaseSink, Decoder, SessionHead } from '../../agents/decoder';
import type { TranscriptLine } from '../../base/tail';
import type { AgentEvent, Problem } from '../../core/model';
import type { Session } from '../session/session';
import type { Copies } from './copies';

/** Milliseconds since the epoch. */
export interface TranscriptClock {
  readonly now: () => number;
  /** When the file was last written. */
  readonly modifiedAt: number;
}

export interface TranscriptOptions {
  readonly decoder: Decoder;
  /**
   * Returns the session that an event belongs to, created if it is new; null if there are already so many that it is not followed. `partly`: events
   * of it may have been left out before.
   */
  readonly sessionFor: (event: AgentEvent, partly: boolean) => Session | null;
  /** Called before an event reaches its session. */
  readonly beforeEvent?: (event: AgentEvent, session: Session) => void;
  /** Returns how many of the call markers found in a line are steps of this transcript. Absent: all. */
  readonly ownCalls?: (text: string, found: number) => number;
  /** Returns the time for records that have none, milliseconds since the epoch. */
  readonly timeHere?: () => number;
  /** Detects records that another session wrote. Absent: none. */
  readonly copies?: Copies | undefined;
  /** Clock with which the times of records are compared. Absent: they are taken as they are. */
  readonly clock?: TranscriptClock;
  /** Records after this time are left out, because they had not happened yet; milliseconds since the epoch. Absent: all are read. */
  readonly until?: number;
  /** True for sessions of a database that are read. Absent: all. */
  readonly wants?: (head: SessionHead) => boolean;
}

/** Agents write one session into a file, or a handful. A file with more is not genuine, and each session takes 35 KB of memory. */
export const SESSIONS_OF_A_FILE = 200;
/** A database holds all sessions of its agent. */
const SESSIONS_OF_A_DATABASE = 1_000;
/** Records before the first one with a time: a configuration and a prompt, in the formats that have such records. */
const MOST_UNTIMED = 100;

/** One transcript: takes its records and emits the events of its sessions. Keeps the account of lines, skipped lines and call markers. */
export class Transcript {
  lines = 0;
  events = 0;
  readonly sessions = new Set<Session>();
  private current: Session | null = null;
  private early: Problem[] = [];
  private earlyCalls: number[] = [];
  private accounted = false;
  private callsOfLine = 0;
  private readonly byId = new Map<string, Session>();
  /** Records and calls of database sessions whose first event is still to come. */
  private readonly unmet = new Map<string, [records: number, calls: number]>();
  /** Names of the followed sessions, as in the records. */
  private readonly admitted = new Set<string>();
  private reportedTooMany = false;
  private closed = false;
  private readonly sink: DatabaseSink;
  /** Times up to this one are known to be possible. */
  private rightUntil: number;
  /** The last possible time of a record, or its substitute. */
  private lastAt: number;
  /** The last time that a record had; 0 before the first. */
  private recordedAt = 0;
  /** Events before the first one with a time; null once there was one. */
  private untimed: AgentEvent[] | null = [];
  /** Place of the last time that was impossible. */
  private wrong = { line: -1, offset: -1 };

  constructor(private readonly options: TranscriptOptions) {
    const { clock } = options;
    this.rightUntil = clock ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    this.lastAt = clock ? Math.min(clock.now(), clock.modifiedAt) : 0;
    this.sink = {
      event: (event) => this.event(event),
      problem: (problem, session) => this.problem(problem, session),
      wants: (head) => !this.closed && (options.wants?.(head) ?? true),
      read: (session, records, calls) => this.recordsRead(session, records, calls),
    };
  }

  /** Takes a line and the number of the vendor's call markers in its raw bytes. */
  line(line: TranscriptLine, found: number): void {
    if (this.options.decoder.unit !== 'line') return;
    const calls = this.options.ownCalls?.(line.text, found) ?? found;
    this.lines++;
    this.accounted = false;
    this.callsOfLine = calls;
    this.options.decoder.decode(line, this.sink);
    if (this.accounted) return;
    if (this.current) this.current.lineRead(calls);
    else this.earlyCalls.push(calls);
  }

  /** Takes a line of another file of the same session: it counts neither as a line nor for calls. */
  companionLine(file: string, line: TranscriptLine): void {
    const { decoder } = this.options;
    if (decoder.unit !== 'line') return;
    this.accounted = true;
    decoder.decodeCompanion?.(file, line, this.sink);
  }

  /** Called when everything that the files of the session hold now was read. */
  settle(): void {
    const { decoder } = this.options;
    if (decoder.unit !== 'line') return;
    this.accounted = true;
    decoder.settle?.(this.sink);
    this.release();
  }

  /** Takes the whole text of a transcript that is rewritten; only what is new causes events. `calls`: markers added since the last time. */
  document(text: string, calls: number): void {
    if (this.options.decoder.unit !== 'document') return;
    this.accounted = false;
    const own = this.options.ownCalls?.(text, calls) ?? calls;
    this.callsOfLine = own;
    this.options.decoder.decode(text, this.sink);
    this.release();
    if (!this.accounted) this.current?.lineRead(own);
  }

  async database(database: Uint8Array, log: Uint8Array | null): Promise<void> {
    if (this.options.decoder.unit !== 'database') return;
    this.accounted = true;
    await this.options.decoder.decode(database, log, this.sink);
  }

  /** Drops a session that is no longer followed. */
  drop(session: Session): void {
    this.sessions.delete(session);
    this.byId.delete(session.options.session);
    if (this.current === session) this.current = null;
  }

  /** True if a session of it was left out because there are too many. */
  get isPartly(): boolean {
    return this.reportedTooMany;
  }

  /** Ignores everything that is still being decoded. */
  close(): void {
    this.closed = true;
  }

  private recordsRead(session: string, records: number, calls: number): void {
    this.lines += records;
    const known = this.byId.get(session);
    if (known) return known.lineRead(calls, records);
    const [before, callsBefore] = this.unmet.get(session) ?? [0, 0];
    this.unmet.set(session, [before + records, callsBefore + calls]);
  }

  private event(read: AgentEvent): void {
    if (this.closed) return;
    if (this.untimed) {
      const waits = read.at <= 0 && this.options.decoder.unit !== 'database' && this.options.timeHere === undefined;
      if (waits && this.untimed.length < MOST_UNTIMED) return void this.untimed.push(read);
      if (read.at > 0 && this.isRight(read.at)) this.recordedAt = read.at;
      this.release();
    }
    this.take(read);
  }

  /** Emits the events before the first known time with that time: there is no silence before it. */
  private release(): void {
    const untimed = this.untimed ?? [];
    if (untimed.length > 0 || this.recordedAt > 0) this.untimed = null;
    for (const event of untimed) this.take(event);
  }

  private take(read: AgentEvent): void {
    const event = this.timed(read);
    if (event.at > (this.options.until ?? Number.POSITIVE_INFINITY)) return this.leaveOut(event);
    const session = this.admit(event);
    if (!session) {
      // Its line belongs to no other session.
      this.accounted = true;
      return;
    }
    this.events++;
    if (session !== this.current) this.enter(session);
    if (!this.isRight(read.at)) this.ahead(session, read.source);
    if (!this.accounted) {
      this.accounted = true;
      session.lineRead(this.callsOfLine);
    }
    if (this.options.copies?.isCopied(event)) return session.copied(event);
    this.options.beforeEvent?.(event, session);
    session.push(event);
  }

  /** Leaves an event out of the account: its line and, if one text holds all records, the marker of its call. */
  private leaveOut({ type, session }: AgentEvent): void {
    this.accounted = true;
    if (type === 'tool_call' && this.options.decoder.unit !== 'line') this.byId.get(session)?.coverage.copied();
  }

  /** True if a record can have this time. One that is ahead would cause silences that never were, and make its session the newest of all. */
  private isRight(at: number): boolean {
    const { clock } = this.options;
    if (clock && at > this.rightUntil) this.rightUntil = latestTime(clock.now(), clock.modifiedAt);
    return at <= this.rightUntil;
  }

  /** Returns the event with a possible time: its own, or else that of the record before. */
  private timed(event: AgentEvent): AgentEvent {
    const { timeHere } = this.options;
    if (event.at <= 0) this.lastAt = this.recordedAt;
    else if (this.isRight(event.at)) this.lastAt = this.recordedAt = event.at;
    const at = timeHere ? Math.max(this.lastAt, timeHere()) : this.lastAt;
    return at === event.at ? event : { ...event, at };
  }

  /** Reports a time that is ahead, once per line: a line may hold several events, and has one time. */
  private ahead(session: Session, { line, offset }: AgentEvent['source']): void {
    if (this.wrong.line === line && this.wrong.offset === offset) return;
    this.wrong = { line, offset };
    session.problem({ line, offset, why: 'its time is more than a day ahead of the clock and of its file' });
  }

  /** Returns the session of an event. A session beyond the limit is left out, which is reported once. */
  private admit(event: AgentEvent): Session | null {
    const { decoder, sessionFor } = this.options;
    const most = decoder.unit === 'database' ? SESSIONS_OF_A_DATABASE : SESSIONS_OF_A_FILE;
    const isKnown = this.admitted.has(event.session);
    const session = isKnown || this.admitted.size < most ? sessionFor(event, isKnown || this.reportedTooMany) : null;
    if (session) {
      if (!isKnown) this.admitted.add(event.session);
      return session;
    }
    if (!this.reportedTooMany) {
      this.reportedTooMany = true;
      const { line, offset } = event.source;
      const why =
        this.admitted.size < most
          ? 'too many sessions are followed in this window, so this one is left out'
          : `more than ${most} sessions in one file: the others are left out`;
      this.problem({ line, offset, why });
    }
    return null;
  }

  /** Makes a session the current one. Lines before the first event belong to the first session of the file. */
  private enter(session: Session): void {
    this.current = session;
    this.sessions.add(session);
    const id = session.options.session;
    if (!this.byId.has(id)) {
      this.byId.set(id, session);
      const unmet = this.unmet.get(id);
      this.unmet.delete(id);
      if (unmet) session.lineRead(unmet[1], unmet[0]);
    }
    for (const calls of this.earlyCalls) session.lineRead(calls);
    for (const problem of this.early) session.problem(problem);
    this.earlyCalls = [];
    this.early = [];
  }

  /** Notes that a line, or the file, could not be read or understood. */
  problem(problem: Problem, session?: string): void {
    const of = (session !== undefined && this.byId.get(session)) || this.current;
    if (of) of.problem(problem);
    else if (this.early.length < 1000) this.early.push(problem);
  }

  /** Returns the problems of a file in which no session was found. */
  get orphans(): readonly Problem[] {
    return this.early;
  }
}
