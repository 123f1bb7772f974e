import { createDecoder } from '../../agents/decoders';
import { ownCallsOf } from '../../agents/own-calls';
import type { AgentAdapter } from '../../agents/adapter';
import type { DecoderContext, LineDecoder, SessionHead } from '../../agents/decoder';
import type { AgentEvent, Incident } from '../../core/model';
import type { Reader, Tail } from '../../base/tail';
import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import type { Session } from '../session/session';
import { BesideReaders } from './beside';
import { Copies, type KnownRecords } from './copies';
import type { TranscriptNote, TranscriptNotes } from './notes';
import { Transcript, type TranscriptOptions } from './transcript';

/** Bytes from the end of a larger file that are read first and shown at once; the whole is read in idle time. */
const TAIL_BYTES = 256 * 1024;
/** The same where a note says the rest: only what the agent did last is shown of it, and the whole is read once it goes on. */
const NOTED_TAIL_BYTES = 32 * 1024;

/** Lines of a head that are decoded to learn who the session is. Real ones of 64 KB have fewer; others must not hold up the event loop. */
const LEARNED_LINES = 200;

/** The parts of the engine that a followed transcript needs. */
export interface FollowedHost {
  readonly tail: Tail;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly context: Omit<DecoderContext, 'file'>;
  /** The records of all transcripts of this window. */
  readonly known: KnownRecords;
  /** Returns whether this session of a database is to be followed. */
  readonly wants: (head: SessionHead) => boolean;
  /** Returns whether there is room for one more session, this one of a database. */
  readonly hasRoom: (session: string) => boolean;
  /** The file cannot be read, and why. */
  readonly trouble: (why: string) => void;
  /** The session of an event, made when it is new; null where no more are followed. `partly`: its first lines have not been read. */
  readonly sessionFor: (event: AgentEvent, partly: boolean) => Session | null;
  /** A session that nobody sees yet; `incidents` gets what becomes of its incidents. */
  readonly prepare: (event: AgentEvent, incidents: (incident: Incident) => void) => Session;
  /** Told before an event reaches its session. `seen`: somebody sees that session. */
  readonly beforeEvent: (event: AgentEvent, session: Session, seen: boolean) => void;
  readonly wrote: (transcript: Transcript) => void;
  readonly caughtUp: (transcript: Transcript) => void;
  readonly gone: (transcript: Transcript) => void;
  readonly forget: (session: Session) => void;
  /** What earlier windows knew of transcripts. */
  readonly notes: TranscriptNotes;
  /** Sessions of which the last lines were read know from now on what was noted of them. False: they cannot. */
  readonly adopt: (sessions: ReadonlySet<Session>, note: TranscriptNote) => boolean;
  /** Shows sessions that know the whole transcript in the place of those that know its tail. False: they cannot be exchanged. */
  readonly exchange: (before: ReadonlySet<Session>, after: readonly Prepared[]) => boolean;
}

/** A session that was read in the background, with the latest state of all its incidents. */
export interface Prepared {
  readonly session: Session;
  readonly incidents: ReadonlyMap<string, Incident>;
}

export interface FollowedOptions {
  readonly file: string;
  readonly adapter: AgentAdapter;
  /** Other files of the same session. */
  readonly beside?: readonly string[];
  /** Bytes and time of the last writing when it was found. */
  readonly size: number;
  readonly modifiedAt: number;
  /** It lies in an open folder, not in its agent's own store. */
  readonly inFolder: boolean;
}

/**
 * One transcript that is followed. Of a long one the newest lines are read first, so that all agents are there at once whatever the
 * length of their past; in idle time the whole is read into sessions beside, which then take the place of the first ones.
 */
export class FollowedTranscript implements Disposable {
  readonly adapter: AgentAdapter;
  readonly file: string;
  private current: Transcript;
  private reader: Reader | null = null;
  private readonly beside: BesideReaders | null;
  private wroteAt: number;
  /** When its last line came, milliseconds since the epoch. */
  readAt = 0;
  /** When the sessions of a database were written last, as it says. */
  private readonly heads = new Map<string, number>();
  private historyRead = false;
  /** All lines are known: read, or noted by an earlier window, and not changed since. */
  private isWhole = false;
  /** All that is known of the lines before the last ones is a note: they are read once more is asked or written. */
  private isNoted = false;
  /** The note by which the tail was chosen, until it was taken. */
  private kept: Awaited<ReturnType<TranscriptNotes['of']>>;
  private copies!: Copies;
  private caughtUp = false;
  /** Since the file, or this generation of it, was opened, its end has not been reached yet. */
  private behind = true;
  private disposed = false;

  /** @param head first lines, as far as they are known: looked at now, not kept */
  constructor(
    private readonly host: FollowedHost,
    private readonly options: FollowedOptions,
    head: string,
  ) {
    const { adapter, file } = options;
    this.adapter = adapter;
    this.file = file;
    this.wroteAt = options.modifiedAt;
    const beside = options.beside ?? [];
    // What came of a call may lie in the other files, however far up the call is.
    const partly = adapter.unit === 'line' && options.size > TAIL_BYTES && beside.length === 0;
    this.current = this.transcript(partly, head);
    this.beside = beside.length === 0 ? null : this.readBeside(beside);
    if (partly) void this.openAtEnd();
    else if (!this.beside) this.open('start');
    // What came of the calls is known before they are read, so that it is told in their order.
    else void this.beside.open().then(() => this.open('start'));
  }

  private async openAtEnd(): Promise<void> {
    this.kept = await this.host.notes.of(this.file, this.adapter);
    this.open(this.kept ? NOTED_TAIL_BYTES : TAIL_BYTES);
  }

  private open(from: 'start' | number): void {
    if (this.disposed) return;
    const { host, adapter, file, options } = { host: this.host, ...this.options, options: this.options };
    this.reader = host.tail.open(file, {
      unit: adapter.unit,
      from,
      modifiedAt: options.modifiedAt,
      markers: adapter.callMarkers,
      line: (line, calls) => {
        this.changed();
        this.current.line(line, calls);
        host.wrote(this.current);
        this.readWhole();
      },
      document: (text, calls) => {
        this.changed();
        this.current.document(text, calls);
        host.wrote(this.current);
      },
      database: async (database, log) => {
        this.changed();
        await this.current.database(database, log);
        host.wrote(this.current);
      },
      reset: (reason) => {
        // A new generation of the file: its sessions begin anew, what was recorded of the old ones stays in the history.
        host.log.info(`${file}: read again (${reason})`);
        this.behind = true;
        this.current.close();
        for (const session of this.current.sessions) host.forget(session);
        this.current = this.transcript(false, '');
        this.isWhole = this.isNoted = false;
        void this.beside?.open();
      },
      caughtUp: () => {
        this.caughtUp = true;
        this.behind = false;
        this.current.settle();
        host.caughtUp(this.current);
        if (!this.historyRead && !this.disposed) void this.lookBack();
        else if (this.isWhole) host.notes.soon(this);
      },
      gone: () => host.gone(this.current),
      problem: (problem) => {
        const why = tooLarge(problem, adapter) ?? problem.why;
        host.log.warn(`${file}: ${why}`);
        this.current.problem({ ...problem, why });
        if (tooLarge(problem, adapter) !== undefined) host.trouble(why);
      },
    });
  }

  private readBeside(paths: readonly string[]): BesideReaders {
    const { host } = this;
    return new BesideReaders(host.tail, paths, {
      line: (path, line) => this.current.beside(path, line),
      caughtUp: () => {
        if (!this.caughtUp) return;
        this.current.settle();
        host.wrote(this.current);
      },
      problem: (path, why) => host.log.warn(`${path}: ${why}`),
    });
  }

  get sessions(): ReadonlySet<Session> {
    return this.current.sessions;
  }

  get inFolder(): boolean {
    return this.options.inFolder;
  }

  /** When a session of it was written last, milliseconds since the epoch. What a transcript in an open folder says of it counts for nothing. */
  writtenAt(session: string): number {
    return this.heads.get(session) ?? this.wroteAt;
  }

  /** One of its sessions is followed no more. */
  drop(session: Session): void {
    this.current.drop(session);
  }

  /** Notes that the file was written now, if its end had been reached. */
  private changed(): void {
    this.readAt = this.host.now();
    if (this.caughtUp) this.wroteAt = this.readAt;
  }

  /** Lines that were written long ago are still being read: the time since the last one that was read is nobody's silence. */
  get isBehind(): boolean {
    return this.behind;
  }

  /** Asks anew which sessions of a database are wanted. */
  reread(): void {
    this.reader?.reread?.();
  }

  /** Reads the lines of which only a note is known. */
  readWhole(): void {
    if (!this.isNoted || this.disposed) return;
    this.isNoted = false;
    this.isWhole = false;
    void this.readHistory();
  }

  /** All that is known of it; undefined while an agent or a command of its own works, or the whole has not been read. */
  note(): TranscriptNote | undefined {
    const { sessions } = this.current;
    if (!this.isWhole || this.disposed) return undefined;
    if (sessions.size === 0 || [...sessions].some(({ facts }) => facts.turnOpen || !facts.jobs.isEmpty))
      return undefined;
    return {
      sessions: [...sessions].map((session) => [session.options.session, session.note()]),
      records: this.copies.note(),
    };
  }

  dispose(): void {
    this.disposed = true;
    this.host.notes.forget(this);
    this.current.close();
    this.reader?.dispose();
    this.beside?.dispose();
  }

  private transcript(partly: boolean, head: string): Transcript {
    const { host, adapter, file } = { host: this.host, ...this.options };
    const decoder = createDecoder(adapter, { file, ...host.context });
    if (partly && decoder.unit === 'line') this.learn(decoder, head);
    return new Transcript({
      decoder,
      ...this.counting(),
      sessionFor: (event, lacksSome) => host.sessionFor(event, partly || lacksSome),
      wants: (head) => this.wants(head),
      beforeEvent: (event, session) => {
        if (partly && (this.reader?.seedOffset ?? 0) > 0 && !this.historyRead) session.since ??= event.at;
        if (event.at > (this.heads.get(event.session) ?? Number.POSITIVE_INFINITY))
          this.heads.set(event.session, event.at);
        host.beforeEvent(event, session, true);
      },
    });
  }

  private wants(head: SessionHead): boolean {
    if (!this.host.wants(head)) return false;
    if (!this.inFolder) this.heads.set(head.session, Math.min(head.modifiedAt, this.host.now()));
    return this.host.hasRoom(head.session);
  }

  /**
   * Who the session is and what it was asked stands in the first lines. The decoder itself gets the very first one only, which many
   * formats need to name the session: the lines after it are not followed by those of the tail.
   */
  private learn(decoder: LineDecoder, head: string): void {
    const { adapter, file } = this.options;
    const lines = head.split('\n', LEARNED_LINES + 1).slice(0, -1);
    const learn = (event: AgentEvent) => {
      const tells = event.type === 'session_info' || (event.type === 'user' && !event.automated);
      if (tells) this.host.sessionFor(event, true)?.facts.push(event);
    };
    const sink = { event: learn, problem: () => undefined };
    const [first] = lines;
    if (first === undefined) return;
    decoder.decode({ text: first, line: 1, offset: 0 }, sink);
    const other = createDecoder(adapter, { file, ...this.host.context });
    if (other.unit !== 'line') return;
    for (const [index, text] of lines.entries()) other.decode({ text, line: index + 1, offset: 0 }, sink);
  }

  /** Options of reading: how steps are counted, and the time where records have none: the file's own until it has been read to its end once. */
  private counting(): Pick<TranscriptOptions, 'ownCalls' | 'timeHere' | 'clock' | 'copies'> {
    const { host, options } = this;
    const timeHere = () => (this.caughtUp ? host.now() : options.modifiedAt);
    this.copies = new Copies(host.known, options.adapter.id);
    return {
      ownCalls: ownCallsOf(options.adapter),
      copies: this.copies,
      clock: { now: host.now, modifiedAt: options.modifiedAt },
      ...(options.adapter.writesTimes === false && { timeHere }),
    };
  }

  /** The last lines were read: of those before them there is a note, or they are read now. */
  private async lookBack(): Promise<void> {
    this.historyRead = true;
    const { reader, host, kept } = this;
    this.kept = undefined;
    // A small file is read whole at every start: that costs less than a note.
    if (!reader || reader.seedOffset === 0) return;
    if (kept?.holds() && host.adopt(this.current.sessions, kept.note)) {
      this.copies.adopt(kept.note.records);
      this.isWhole = this.isNoted = true;
    } else await this.readHistory();
  }

  private async readHistory(): Promise<void> {
    const { reader } = this;
    if (!reader) return;
    const { host, adapter, file } = { host: this.host, ...this.options };
    const prepared = new Map<string, { session: Session; incidents: Map<string, Incident> }>();
    const whole = new Transcript({
      ...this.counting(),
      decoder: createDecoder(adapter, { file, ...host.context }),
      sessionFor: (event) => {
        const known = prepared.get(event.session);
        if (known) return known.session;
        const incidents = new Map<string, Incident>();
        const session = host.prepare(event, (incident) => void incidents.set(incident.id, incident));
        prepared.set(event.session, { session, incidents });
        return session;
      },
      beforeEvent: (event, session) => host.beforeEvent(event, session, this.current === whole),
    });
    try {
      await reader.readHistory(
        (line, calls) => whole.line(line, calls),
        () => {
          if (!host.exchange(this.current.sessions, [...prepared.values()])) return;
          this.current = whole;
          this.isWhole = true;
          host.wrote(whole);
          host.caughtUp(whole);
          host.notes.soon(this);
        },
      );
    } catch (error) {
      host.log.warn(`${file}: what was written before could not be read: ${String(error)}`);
    }
  }
}

/** Sentence about a file that is too large, with what helps. */
function tooLarge(problem: { readonly code: string; readonly why: string }, adapter: AgentAdapter): string | undefined {
  if (problem.code !== 'document-too-large') return undefined;
  return adapter.tooLarge === undefined ? problem.why : `${problem.why}. ${adapter.tooLarge}`;
}
