import { createHash } from 'node:crypto';
import type { AgentAdapter } from '../agents/adapter';
import type { Liveness } from '../agents/transcripts';
import { CARDS } from '../core/rules';
import { type AgentEvent, type AgentId, DETECTOR_IDS, type Finding, type Incident } from '../core/model';
import { onlySeemed, sameStreak } from '../detect/incident';
import type { Across } from './across';
import type { Correspondence } from './correspondence';
import type { EngineEvents } from './events';
import type { FoundFile } from './follow/discovery';
import type { FollowedTranscript, ReadPart } from './follow/followed-transcript';
import type { Prepared } from './follow/history-reading';
import type { Seats } from './follow/seats';
import type { EngineParts, EngineSettings } from './ports';
import { resumeIncident } from './resume-incident';
import type * as Reading from './reading';
import type { OversizedResults } from './session/oversized';
import type { Session } from './session/session';
import type { SessionNote } from './session/session-note';

/** Rules that are off while only the newest lines of a session have been read. */
const NEED_THE_PAST = CARDS.filter((card) => card.needsWholeSession).map(({ id }) => id);

/** The parts of the engine that the sessions need. */
export interface SessionsHost {
  /** The open files, by path. */
  readonly files: ReadonlyMap<string, FollowedTranscript>;
  readonly settings: () => EngineSettings;
  /** When the engine was made, milliseconds since the epoch: what came before is history. */
  readonly startedAt: number;
  readonly livenessOf: (key: string) => Liveness | null;
  /** Called for a new session: its process is searched for soon. */
  readonly added: () => void;
  readonly touched: (key: string) => void;
  readonly seats: () => Pick<Seats, 'admits' | 'left'>;
  readonly correspondence: Correspondence;
  readonly across: () => Across;
}

/** The followed sessions, by key. Creates them, exchanges them for better ones, and reports what becomes of their incidents. */
export class Sessions {
  readonly all = new Map<string, Session>();
  /** Set before the first file is opened. */
  private reading!: typeof Reading;

  constructor(
    private readonly parts: Pick<EngineParts, 'clock' | 'stored' | 'storedOf'>,
    private readonly host: SessionsHost,
    private readonly events: EngineEvents,
    private readonly oversized: OversizedResults | null,
  ) {}

  /** Loads the code that reads sessions: many windows never see one. */
  async load(): Promise<typeof Reading> {
    this.reading = await import('./reading');
    return this.reading;
  }

  /** Applies new options of detectors, and limits that a person raised. */
  configure(before: EngineSettings, { raised }: EngineSettings): void {
    this.startRules(this.all.values());
    if (raised === before.raised) return;
    for (const session of this.all.values()) session.setRaised(raised ?? []);
  }

  /**
   * Starts the rules of the sessions of a file: they judge what comes from now on. If the last lines of a session show nothing, only its name may be
   * known.
   */
  startRulesOf(file: string): void {
    this.startRules([...this.all.values()].filter(({ options }) => options.file === file));
  }

  /** Starts rules that judge what comes from now on, with the current options. */
  private startRules(sessions: Iterable<Session>): void {
    for (const session of sessions) {
      const lacksPast = session.since !== undefined || session.isNoted;
      session.setDetectors(this.detectors(session.options.agent, lacksPast ? 'newest' : 'whole'));
    }
  }

  /** Returns the session of an event, created if it is new; null if no more are followed. */
  of(event: AgentEvent, adapter: AgentAdapter, found: FoundFile, read: ReadPart): Session | null {
    const { path } = found;
    const key = this.keyOf(event.session, adapter, path);
    const known = this.all.get(key);
    if (known) return known;
    if (!this.host.seats().admits(found, adapter, event.session)) return null;
    const session = this.make(key, adapter, path, read);
    session.liveness = this.host.livenessOf(key);
    this.all.set(key, session);
    this.host.correspondence.look(session);
    this.host.added();
    return session;
  }

  /** Creates a session that is not shown yet; `incidents` is called with the changes of its incidents. */
  prepare(
    event: AgentEvent,
    adapter: AgentAdapter,
    file: string,
    partly: boolean,
    incidents: (incident: Incident) => void,
  ): Session {
    return this.make(this.keyOf(event.session, adapter, file), adapter, file, partly ? 'newest' : 'whole', incidents);
  }

  /** Puts sessions that know the whole transcript in place of those that know its newest lines; nothing is reported twice. */
  exchange(file: string, before: ReadonlySet<Session>, after: readonly Prepared[]): boolean {
    if ([...before].some((session) => this.isShared(session, file))) return false;
    for (const prepared of after) {
      const known = this.all.get(prepared.session.options.session);
      // If the last lines of a session show nothing, only its name is known: it is not in `before`.
      if (!known || !this.isShared(known, file)) this.show(prepared, known);
    }
    return true;
  }

  /** Gives sessions of which the last lines were read what a reading of the whole had noted. False if the note is of other sessions. */
  adopt(file: string, sessions: ReadonlySet<Session>, notes: ReadonlyMap<string, SessionNote>): boolean {
    const isNoted = (session: Session) => notes.has(session.options.session) && !this.isShared(session, file);
    if (sessions.size !== notes.size || ![...sessions].every(isNoted)) return false;
    for (const session of sessions) this.adoptNote(session, notes.get(session.options.session) as SessionNote);
    return true;
  }

  private adoptNote(session: Session, note: SessionNote): void {
    const key = session.options.session;
    const seen = session.book.all();
    session.adopt(note);
    this.host.across().renew(session);
    for (const incident of session.book.active()) {
      // A person may have muted it since it was noted.
      if (seen.some(({ id }) => id === incident.id)) this.resume(session, incident.id);
      else this.incident(incident, null, session);
    }
    const now = this.parts.clock.now();
    for (const before of seen) {
      if (before.resolvedAt === null && !session.book.get(before.id))
        this.events.incident.fire({ incident: onlySeemed(before, now), before, session: key });
    }
    this.host.touched(key);
  }

  /** True for a session that other transcripts write to as well: it knows more than any one of them. */
  private isShared(session: Session, file: string): boolean {
    return (
      session.options.file !== file ||
      [...this.host.files.values()].some((other) => other.file !== file && other.sessions.has(session))
    );
  }

  /** Removes a session that is no longer followed. */
  remove(session: Session): void {
    this.all.delete(session.options.session);
    this.host.seats().left();
    this.host.correspondence.forget(session);
  }

  private show({ session, incidents }: Prepared, known: Session | undefined): void {
    const key = session.options.session;
    this.startRules([session]);
    session.setRaised(this.host.settings().raised ?? []);
    session.liveness = this.host.livenessOf(key);
    this.host.across().renew(session);
    this.all.set(key, session);
    if (known) this.host.correspondence.exchange(known, session);
    else this.host.correspondence.look(session);
    const taken = known ? session.takeOver(known, this.parts.clock.now()) : [];
    for (const incident of incidents.values()) {
      if (!taken.some((one) => one.after?.id === incident.id || one.replaced === incident.id))
        this.incident(incident, null, session);
    }
    for (const { after, before } of taken) {
      if (!after) continue;
      this.events.incident.fire({ incident: after, before, session: key });
      this.oversized?.incident(after, session);
    }
    this.host.touched(key);
  }

  private detectors(agent: AgentId, read: ReadPart): ReturnType<EngineSettings['detectors']> {
    const options = this.host.settings().detectors(agent);
    if (read === 'whole') return options;
    const quiet = (read === 'noted' ? DETECTOR_IDS : NEED_THE_PAST).map(
      (id) => [id, { ...options[id], on: false }] as const,
    );
    return { ...options, ...Object.fromEntries(quiet) };
  }

  /**
   * Returns a key that never mixes sessions of two agents, nor two runs named after files of the same name in different folders: the later one gets
   * its file's place added.
   */
  private keyOf(session: string, adapter: AgentAdapter, file: string): string {
    const known = this.all.get(session)?.options;
    if (!known || known.file === file) return session;
    const isNamedByFile = adapter.writesTimes === false || adapter.unit === 'document';
    if (known.agent === adapter.id && !isNamedByFile) return session;
    return `${session}-${createHash('sha256').update(file).digest('hex').slice(0, 8)}`;
  }

  /** Creates a session. Changes of its incidents go to all listeners once it is shown, and to `unseen` until then. */
  private make(
    key: string,
    adapter: AgentAdapter,
    file: string,
    read: ReadPart,
    unseen?: (incident: Incident) => void,
  ): Session {
    const { raised } = this.host.settings();
    const isShown = (session: Session) => !unseen || this.all.get(key) === session;
    return new this.reading.Session({
      agent: adapter.id,
      agentName: adapter.name,
      session: key,
      file,
      showsRunningTool: adapter.showsRunningTool,
      turnEnds: adapter.turnEnds,
      ...(adapter.holdsCalls === false && { holdsCalls: false }),
      outcomesLateMs: adapter.outcomesLateMs,
      known: adapter.outcomesLateMs === undefined ? undefined : (finding) => this.knownStreak(key, finding),
      detectors: this.detectors(adapter.id, read),
      ...(raised && { raised }),
      live: true,
      timeless: adapter.writesTimes === false,
      isHistory: (at) => at < this.host.startedAt,
      onIncident: (incident, before, session) => {
        if (isShown(session)) this.incident(incident, before, session);
        else unseen?.(incident);
      },
      onStep: (step, session) => {
        if (!isShown(session)) return;
        this.host.correspondence.step(session, step);
        this.host.across().step(session, step);
        this.events.step.fire({ step, session });
      },
      onGateSignal: (signal, session) => {
        if (isShown(session)) this.events.gates.fire({ signal, session: key });
      },
    });
  }

  private resume(session: Session, incident: string): void {
    const stored = this.parts.stored(incident);
    if (stored) resumeIncident(session, incident, stored);
  }

  private incident(incident: Incident, before: Incident | null, session: Session): void {
    if (before === null) this.resume(session, incident.id);
    const now = session.book.get(incident.id) ?? incident;
    this.events.incident.fire({ incident: now, before, session: session.options.session });
    this.oversized?.incident(now, session);
  }

  /**
   * Returns the id of a stored incident that is this streak. If outcomes come late, the line that reports a step, and so its time, differs from one
   * reading to the next.
   */
  private knownStreak(session: string, finding: Finding): string | undefined {
    const book = this.all.get(session)?.book;
    const kept = this.parts.storedOf?.(session).filter(({ id }) => book?.get(id) === undefined) ?? [];
    return sameStreak(kept, finding)?.id;
  }
}
