import { latestTime } from '../../agents/shared/decode';
import type { DatabaseSink, Decoder, SessionHead } from '../../agents/decoder';
import type { TranscriptLine } from '../../base/tail';
import type { AgentEvent, Problem } from '../../core/model';
import type { Session } from '../session/session';
import type { Copies } from './copies';

/** Milliseconds since the epoch. */
export interface TranscriptClock {
  readonly now: () => number;
  /** When the file was written last. */
  readonly modifiedAt: number;
}

export interface TranscriptOptions {
  readonly decoder: Decoder;
  /**
   * The session that an event belongs to; made when it is new. Null: there are so many already that it is not followed. `partly`: events of it
   * may have been left out before.
   */
  readonly sessionFor: (event: AgentEvent, partly: boolean) => Session | null;
  /** Told before an event reaches its session. */
  readonly beforeEvent?: (event: AgentEvent, session: Session) => void;
  /** Number of call markers found in a line that are steps of this transcript. Absent: all. */
  readonly ownCalls?: (text: string, found: number) => number;
  /** For records that have no time of their own: the time that stands for it, milliseconds since the epoch. */
  readonly timeHere?: () => number;
  /** Records that another session wrote. Absent: none. */
  readonly copies?: Copies | undefined;
  /** Time with which those of records are compared. Absent: they are taken as they are. */
  readonly clock?: TranscriptClock;
  /** What was recorded later had not happened yet, milliseconds since the epoch. Absent: all is read. */
  readonly until?: number;
  /** Sessions of a database that are read. Absent: all. */
  readonly wants?: (head: SessionHead) => boolean;
}

/** An agent writes one session into a file, or a handful. A file with more is a made-up one, and each session takes 35 KB of memory. */
export const SESSIONS_OF_A_FILE = 200;
/** A database holds all sessions of its agent. */
const SESSIONS_OF_A_DATABASE = 1_000;
/** Records before the first that has a time: a configuration and a prompt, in the formats that have such records. */
const MOST_UNTIMED = 100;

/** One transcript: its records in, the events of its sessions out. Keeps the account of lines, skipped lines and call markers. */
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
  /** Records of sessions of a database whose first event is still to come. */
  private readonly unmet = new Map<string, [records: number, calls: number]>();
  /** Names of the sessions that are followed, as the records say them. */
  private readonly admitted = new Set<string>();
  private saidTooMany = false;
  private closed = false;
  private readonly sink: DatabaseSink;
  /** Times up to this one are right, as far as was asked. */
  private rightUntil: number;
  /** The last time that was, or what stands for it. */
  private lastAt: number;
  /** The last time that a record had; 0 before the first. */
  private recordedAt = 0;
  /** Events before the first that has a time; null once there was one. */
  private untimed: AgentEvent[] | null = [];
  /** Where the last time stood that was not. */
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

  /** A line, and how many of the vendor's call markers its raw bytes hold. */
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

  /** A line of another file of the same session: it counts for neither lines nor calls. */
  beside(file: string, line: TranscriptLine): void {
    const { decoder } = this.options;
    if (decoder.unit !== 'line') return;
    this.accounted = true;
    decoder.beside?.(file, line, this.sink);
  }

  /** All that the files of the session hold now was given. */
  settle(): void {
    const { decoder } = this.options;
    if (decoder.unit !== 'line') return;
    this.accounted = true;
    decoder.settle?.(this.sink);
    this.release();
  }

  /** The whole text of a transcript that is rewritten; only what is new gives events. `calls`: markers added since the last time. */
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

  /** One of its sessions is followed no more. */
  drop(session: Session): void {
    this.sessions.delete(session);
    this.byId.delete(session.options.session);
    if (this.current === session) this.current = null;
  }

  /** Was a session of it left out because there are too many? */
  get isPartly(): boolean {
    return this.saidTooMany;
  }

  /** Nobody wants what is still being decoded. */
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

  /** Emits the events before the first known time with that time: no silence lies before it. */
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
      // Its line is nobody else's.
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

  /** It counts for nothing: neither its line nor, where one text holds all records, the marker of its call. */
  private leaveOut({ type, session }: AgentEvent): void {
    this.accounted = true;
    if (type === 'tool_call' && this.options.decoder.unit !== 'line') this.byId.get(session)?.coverage.copied();
  }

  /** Can this be the time of a record? One that is ahead would make silence of what never was, and its session the newest of all. */
  private isRight(at: number): boolean {
    const { clock } = this.options;
    if (clock && at > this.rightUntil) this.rightUntil = latestTime(clock.now(), clock.modifiedAt);
    return at <= this.rightUntil;
  }

  /** The event, at a time that can be right: its own, else that of the record before. */
  private timed(event: AgentEvent): AgentEvent {
    const { timeHere } = this.options;
    if (event.at <= 0) this.lastAt = this.recordedAt;
    else if (this.isRight(event.at)) this.lastAt = this.recordedAt = event.at;
    const at = timeHere ? Math.max(this.lastAt, timeHere()) : this.lastAt;
    return at === event.at ? event : { ...event, at };
  }

  /** A line may hold several events, and has one time. */
  private ahead(session: Session, { line, offset }: AgentEvent['source']): void {
    if (this.wrong.line === line && this.wrong.offset === offset) return;
    this.wrong = { line, offset };
    session.problem({ line, offset, why: 'its time is more than a day ahead of the clock and of its file' });
  }

  /** The session of an event. What is beyond the limit is left out, which is said once. */
  private admit(event: AgentEvent): Session | null {
    const { decoder, sessionFor } = this.options;
    const most = decoder.unit === 'database' ? SESSIONS_OF_A_DATABASE : SESSIONS_OF_A_FILE;
    const isKnown = this.admitted.has(event.session);
    const session = isKnown || this.admitted.size < most ? sessionFor(event, isKnown || this.saidTooMany) : null;
    if (session) {
      if (!isKnown) this.admitted.add(event.session);
      return session;
    }
    if (!this.saidTooMany) {
      this.saidTooMany = true;
      const { line, offset } = event.source;
      const why =
        this.admitted.size < most
          ? 'too many sessions are followed in this window, so this one is left out'
          : `more than ${most} sessions in one file: the others are left out`;
      this.problem({ line, offset, why });
    }
    return null;
  }

  /** Lines before the first event belong to the first session of the file. */
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

  /** A line, or the file, that could not be read or understood. */
  problem(problem: Problem, session?: string): void {
    const of = (session !== undefined && this.byId.get(session)) || this.current;
    if (of) of.problem(problem);
    else if (this.early.length < 1000) this.early.push(problem);
  }

  /** Problems of a file in which no session was found. */
  get orphans(): readonly Problem[] {
    return this.early;
  }
}
