import { createDecoder } from '../../agents/decoders';
import { ownCallsOf } from '../../agents/own-calls';
import type { AgentAdapter } from '../../agents/adapter';
import type { DecoderContext, LineDecoder, SessionHead } from '../../agents/decoder';
import type { AgentEvent, Incident } from '../../core/model';
import type { Reader, Tail } from '../../base/tail';
import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import type { Session } from '../session/session';
import { copied } from '../../base/util/text';
import { CompanionReaders } from './companion-readers';
import { Copies, type KnownRecords } from './copies';
import { HistoryReading, type HistoryReadingOptions, type Prepared } from './history-reading';
import type { FoundNote, TranscriptNote, TranscriptNotes } from './notes';
import { RestPoints } from './rest-points';
import { Transcript } from './transcript';

/** Bytes from the end of a larger file that are read first and shown at once; the whole file is read in idle time. */
const TAIL_BYTES = 256 * 1024;
/** The same where a note covers the rest: these lines only show what the agent did last. */
const NOTED_TAIL_BYTES = 8 * 1024;

/** Lines of a head that are decoded to learn which session it is. Real heads of 64 KB have fewer lines; others must not hold up the event loop. */
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
  /** True if this session of a database is to be followed. */
  readonly wants: (head: SessionHead) => boolean;
  /** True if there is room for this further session of a database. */
  readonly hasRoom: (session: string) => boolean;
  /** Reports that the file cannot be read, and why. */
  readonly trouble: (why: string) => void;
  /** Returns the session of an event, created if it is new; null if no more are followed. */
  readonly sessionFor: (event: AgentEvent, read: ReadPart) => Session | null;
  /**
   * Creates a session that is not shown yet; `incidents` is called with the changes of its incidents. `partly`: its first lines have not been read.
   */
  readonly prepare: (event: AgentEvent, partly: boolean, incidents: (incident: Incident) => void) => Session;
  /** Called before an event reaches its session. `seen`: that session is shown. */
  readonly beforeEvent: (event: AgentEvent, session: Session, seen: boolean) => void;
  readonly wrote: (transcript: Transcript) => void;
  readonly caughtUp: (transcript: Transcript) => void;
  readonly gone: (transcript: Transcript) => void;
  readonly forget: (session: Session) => void;
  /** Notes of what earlier windows knew about transcripts. */
  readonly notes: TranscriptNotes;
  /** Called when the last lines of sessions with a note were read: their rules judge what comes from now on. */
  readonly startRules: () => void;
  /** Gives sessions of which the last lines were read what was noted of them. False if they cannot take it. */
  readonly adopt: (sessions: ReadonlySet<Session>, note: TranscriptNote) => boolean;
  /** Shows sessions that know the whole transcript in place of those that know only its tail. False if they cannot be exchanged. */
  readonly exchange: (before: ReadonlySet<Session>, after: readonly Prepared[]) => boolean;
}

/**
 * The part of a session that is read: all lines; the newest, before the earlier ones; the newest of a session whose past is in a note. The rules see
 * nothing of the last kind: what they find in lines that were judged before is in the note.
 */
export type ReadPart = 'whole' | 'newest' | 'noted';

export interface FollowedOptions {
  readonly file: string;
  readonly adapter: AgentAdapter;
  /** Other files of the same session. */
  readonly companions: readonly string[];
  /** Size in bytes and time of the last write, when it was found. */
  readonly size: number;
  readonly modifiedAt: number;
  /** It is in an open folder, not in its agent's own store. */
  readonly inFolder: boolean;
}

/**
 * One transcript that is followed. Of a long one the newest lines are read first, so that all agents are there at once however long their past is. In
 * idle time the whole file is read into separate sessions, which then take the place of the first ones. If a note holds what an earlier reading knew,
 * these are read from shortly before the end of the note on: the whole file is read only once a rule finds something or someone looks at all steps.
 */
export class FollowedTranscript implements Disposable {
  readonly adapter: AgentAdapter;
  readonly file: string;
  private current: Transcript;
  private reader: Reader | null = null;
  private readonly companions: CompanionReaders | null;
  private wroteAt: number;
  /** When its last line was read, milliseconds since the epoch. */
  readAt = 0;
  /** When each session of a database was last written, according to the database. */
  private readonly heads = new Map<string, number>();
  private historyRead = false;
  /**
   * The source of what its sessions know: its last lines; its last lines and a note; a note and everything since shortly before its end; all lines.
   */
  private knows: 'end' | 'noted' | 'continued' | 'whole' = 'end';
  /** Someone looks at all its steps. */
  private isLookedAt = false;
  /** The note that decided the length of the tail, until it is taken. */
  private kept: FoundNote | undefined;
  /** The first line of a long file. */
  private first = '';
  private points!: RestPoints;
  private caughtUp = false;
  /** The end of the file, or of this generation of it, has not been reached since it was opened. */
  private behind = true;
  private disposed = false;

  /** @param head first lines, as far as they are known: read now, not kept */
  constructor(
    private readonly host: FollowedHost,
    private readonly options: FollowedOptions,
    head: string,
  ) {
    const { adapter, file, companions } = options;
    this.adapter = adapter;
    this.file = file;
    this.wroteAt = options.modifiedAt;
    // The results of a call may be in the other files, however far up the call is.
    const partly = adapter.unit === 'line' && options.size > TAIL_BYTES && companions.length === 0;
    // It is not known yet whether there is a note about the past of a partly read file.
    this.current = this.transcript(false, '');
    this.companions = companions.length === 0 ? null : this.readCompanions(companions);
    if (partly) void this.openAtEnd(head);
    else if (!this.companions) this.open('start');
    // The results of the calls are known before the calls are read, so that they are reported in the order of the calls.
    else void this.companions.open().then(() => this.open('start'));
  }

  private async openAtEnd(head: string): Promise<void> {
    this.kept = await this.host.notes.of(this.file, this.adapter);
    if (this.disposed) return;
    this.current = this.transcript(true, head);
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
        const note = this.knows === 'noted' ? this.note() : undefined;
        this.changed();
        this.points.line(line, calls);
        host.wrote(this.current);
        if (this.knows === 'noted') this.readOn(note);
        else if (this.knows === 'continued' && this.hasFindings) this.readOn();
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
        // A new generation of the file: its sessions start from nothing, and what was recorded of the old ones stays in the history.
        host.log.info(`${file}: read again (${reason})`);
        this.behind = true;
        this.current.close();
        for (const session of this.current.sessions) host.forget(session);
        this.current = this.transcript(false, '');
        this.knows = 'end';
        void this.companions?.open();
      },
      caughtUp: () => {
        this.caughtUp = true;
        this.behind = false;
        this.current.settle();
        host.caughtUp(this.current);
        if (!this.historyRead && !this.disposed) void this.lookBack();
        else if (this.knows !== 'end') host.notes.soon(this);
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

  private readCompanions(paths: readonly string[]): CompanionReaders {
    const { host } = this;
    return new CompanionReaders(host.tail, paths, {
      line: (path, line) => this.current.companionLine(path, line),
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

  /** Returns when a session of it was last written, milliseconds since the epoch. What a transcript in an open folder says about that is ignored. */
  writtenAt(session: string): number {
    return this.heads.get(session) ?? this.wroteAt;
  }

  /** Drops a session that is no longer followed. */
  drop(session: Session): void {
    this.current.drop(session);
  }

  /** Notes that the file was written just now, if its end had been reached. */
  private changed(): void {
    this.readAt = this.host.now();
    if (this.caughtUp) this.wroteAt = this.readAt;
  }

  /** True while lines written long ago are still being read: the time since the last line read is then no silence of an agent. */
  get isBehind(): boolean {
    return this.behind;
  }

  /** Checks again which sessions of a database are wanted. */
  reread(): void {
    this.reader?.reread?.();
  }

  /** Reads the sessions of which only a note is known, because someone looks at all their steps. */
  readWhole(): void {
    this.isLookedAt = true;
    if (this.knows === 'noted' || this.knows === 'continued') this.readOn();
  }

  /** Reads the whole file, or from a note on if the rules can continue from it. */
  private readOn(note?: TranscriptNote): void {
    if (this.disposed) return;
    this.knows = 'end';
    const isEnough = note && !this.isLookedAt && this.host.notes.canContinue(note, this.adapter);
    void this.readHistory(isEnough ? note : undefined);
  }

  /** True if a rule found something in lines after a note. What it counts may have begun before the lines that were read. */
  private get hasFindings(): boolean {
    return [...this.sessions].some(({ findings }) => findings > 0);
  }

  /** Returns what was known of it when its agents last rested; undefined while the whole file has not been read. */
  note(): TranscriptNote | undefined {
    return this.knows === 'end' || this.disposed ? undefined : this.points.note();
  }

  dispose(): void {
    this.disposed = true;
    this.host.notes.forget(this);
    this.current.close();
    this.reader?.dispose();
    this.companions?.dispose();
  }

  private transcript(partly: boolean, head: string): Transcript {
    const { host, adapter, file } = { host: this.host, ...this.options };
    const decoder = createDecoder(adapter, { file, ...host.context });
    const newest = this.kept ? 'noted' : 'newest';
    if (partly && decoder.unit === 'line') this.learn(decoder, head, newest);
    const counting = this.counting();
    const transcript = new Transcript({
      decoder,
      ...counting,
      sessionFor: (event, lacksSome) => host.sessionFor(event, partly ? newest : lacksSome ? 'newest' : 'whole'),
      wants: (head) => this.wants(head),
      beforeEvent: (event, session) => {
        if (partly && (this.reader?.seedOffset ?? 0) > 0 && !this.historyRead) session.since ??= event.at;
        if (event.at > (this.heads.get(event.session) ?? Number.POSITIVE_INFINITY))
          this.heads.set(event.session, event.at);
        host.beforeEvent(event, session, true);
      },
    });
    this.points = new RestPoints(transcript, counting.copies);
    return transcript;
  }

  private wants(head: SessionHead): boolean {
    if (!this.host.wants(head)) return false;
    if (!this.inFolder) this.heads.set(head.session, Math.min(head.modifiedAt, this.host.now()));
    return this.host.hasRoom(head.session);
  }

  /**
   * Learns from the first lines which session it is and what its task was. The decoder itself gets only the very first line, which many formats need
   * to name the session, because the next lines are not followed by those of the tail.
   */
  private learn(decoder: LineDecoder, head: string, read: ReadPart): void {
    const { adapter, file } = this.options;
    // A note names the session.
    const lines = head.split('\n', (read === 'noted' ? 1 : LEARNED_LINES) + 1).slice(0, -1);
    const learn = (event: AgentEvent) => {
      const isFact = event.type === 'session_info' || (event.type === 'user' && !event.automated);
      if (isFact) this.host.sessionFor(event, read)?.facts.push(event);
    };
    const sink = { event: learn, problem: () => undefined };
    const [first] = lines;
    if (first === undefined) return;
    this.first = copied(first);
    decoder.decode({ text: first, line: 1, offset: 0 }, sink);
    const other = createDecoder(adapter, { file, ...this.host.context });
    if (other.unit !== 'line') return;
    for (const [index, text] of lines.entries()) other.decode({ text, line: index + 1, offset: 0 }, sink);
  }

  /**
   * Returns the options of reading: how steps are counted, and the time for records without one. That is the file's own time until the file has been
   * read to its end once.
   */
  private counting(): Pick<HistoryReadingOptions, 'ownCalls' | 'timeHere' | 'clock' | 'copies'> {
    const { host, options } = this;
    const timeHere = () => (this.caughtUp ? host.now() : options.modifiedAt);
    return {
      ownCalls: ownCallsOf(options.adapter),
      copies: new Copies(host.known, options.adapter.id),
      clock: { now: host.now, modifiedAt: options.modifiedAt },
      ...(options.adapter.writesTimes === false && { timeHere }),
    };
  }

  /** Called when the last lines were read: what came before them is in a note, or is read now. */
  private async lookBack(): Promise<void> {
    this.historyRead = true;
    const { reader, host, kept } = this;
    this.kept = undefined;
    if (kept) host.startRules();
    // A small file is read whole at every start: that costs less than a note.
    if (!reader || reader.seedOffset === 0) return;
    if (this.isLookedAt || !kept?.holds()) this.readOn();
    else if (!this.points.isAt(kept.note)) this.readOn(kept.note);
    else if (host.adopt(this.current.sessions, kept.note)) {
      this.points.adopt(kept.note);
      this.knows = 'noted';
      host.wrote(this.current);
    } else this.readOn();
  }

  /** Reads all lines, or those from a note on, into sessions that then take the place of the shown ones. */
  private async readHistory(note?: TranscriptNote): Promise<void> {
    const { reader } = this;
    if (!reader) return;
    const { host, adapter, file } = { host: this.host, ...this.options };
    const plan = note?.sessions[0]?.[1].facts.plan;
    const decoder = createDecoder(adapter, { file, ...host.context, plan });
    if (note && decoder.unit === 'line')
      decoder.decode({ text: this.first, line: 1, offset: 0 }, { event: () => {}, problem: () => {} });
    const reading = new HistoryReading(
      {
        ...this.counting(),
        decoder,
        prepare: host.prepare,
        beforeEvent: (event, session) => host.beforeEvent(event, session, this.current === reading.transcript),
      },
      note,
    );
    let isEnough = true;
    try {
      const ended = await reader.readHistory(
        (line, calls) => reading.line(line, calls),
        () => {
          isEnough = reading.isEnough && !(note && this.isLookedAt);
          if (!isEnough || !host.exchange(this.current.sessions, reading.sessions)) return;
          this.current = reading.transcript;
          this.points = reading.points;
          this.knows = note ? 'continued' : 'whole';
          host.wrote(this.current);
          host.caughtUp(this.current);
          host.notes.soon(this);
        },
        reading.from,
      );
      if (ended === 'done' && !isEnough) await this.readHistory();
    } catch (error) {
      host.log.warn(`${file}: what was written before could not be read: ${String(error)}`);
    }
  }
}

/** Returns a sentence about a file that is too large, with the remedy. */
function tooLarge(problem: { readonly code: string; readonly why: string }, adapter: AgentAdapter): string | undefined {
  if (problem.code !== 'document-too-large') return undefined;
  return adapter.tooLarge === undefined ? problem.why : `${problem.why}. ${adapter.tooLarge}`;
}
