import { createHash } from 'node:crypto';
import type { AgentAdapter, Liveness } from '../agents/adapter';
import type { IncidentInput } from '../detect/incident';
import type { GateRun } from '../detect/session/gate-run';
import type { GateSignal } from '../detect/session/claim';
import type { Step } from '../detect/steps/step';
import type { AgentEvent, AgentId, AgentView, Finding, GateReport, Incident, UsageEvent } from '../core/model';
import { sameStreak } from '../detect/incident';
import { CARDS } from '../core/rules';
import type { Candidate, WatchFailure } from '../base/tail';
import { type Disposable, DisposableStore } from '../base/util/disposable';
import { Emitter } from '../base/util/emitter';
import { Across } from './across';
import { Correspondence } from './correspondence';
import { Discovery, type FoundFile, type OtherSession } from './follow/discovery';
import { Followed, type FollowedHost, type Prepared } from './follow/followed';
import { InboxCleaning } from './inbox-cleaning';
import { OversizedResults } from './session/oversized';
import type { EngineParts, EngineSettings } from './ports';
import { LivenessWatch } from './follow/liveness-watch';
import { Seats } from './follow/seats';
import { Alarm, Gatherer } from './follow/schedule';
import { WakeWatch } from './follow/wake';
import { sessionFiles } from './follow/session-files';
import type { Session } from './session/session';
import type * as Reading from './reading';
import type { Timeline } from './session/timeline';
import type { Transcript } from './follow/transcript';
import { UnreadFiles } from './follow/unread-files';
import type { Unread } from './follow/left-out';
import { ViewCache } from './view-cache';
import { resumeIncident } from './session/resume';

export interface SessionGateSignal {
  readonly signal: GateSignal;
  readonly session: string;
}

export interface IncidentChange {
  readonly incident: Incident;
  readonly before: Incident | null;
  readonly session: string;
}

/** A step of a session that is followed. Where a transcript is read anew, its steps are told anew, by another session object. */
export interface StepSeen {
  readonly step: Pick<Step, 'at' | 'failed'>;
  readonly session: Session;
}

/** A request of a session that is followed, with what it cost. Told anew like a step. */
export interface UsageSeen {
  readonly usage: UsageEvent;
  readonly session: Session;
}

/** Changes of agents are reported at once, then at most ten times a second: nobody reads faster, and each costs a drawing. */
const TELL_INTERVAL_MS = 100;
/** A session that wrote so recently before the window opened is going on, not history, if its loop is still there. */
const PRESENT_MS = 10 * 60_000;

/** Rules that are quiet while only the newest lines of a session have been read. */
const NEED_THE_PAST = CARDS.filter((card) => card.needsWholeSession).map(({ id }) => id);

/**
 * Follows the transcripts of all agents of some folders: finds them, reads what is appended, runs the detectors, keeps states and
 * incidents. Extension and command line both use it; it knows no editor.
 */
export class Engine implements Disposable {
  private readonly changed = new Emitter<readonly string[]>((error) => this.parts.log.error(String(error)));
  private readonly incidentChanged = new Emitter<IncidentChange>((error) => this.parts.log.error(String(error)));
  private readonly signalledGates = new Emitter<SessionGateSignal>((error) => this.parts.log.error(String(error)));
  private readonly stepped = new Emitter<StepSeen>((error) => this.parts.log.error(String(error)));
  private readonly used = new Emitter<UsageSeen>((error) => this.parts.log.error(String(error)));
  private readonly watchFailed = new Emitter<WatchFailure | null>();
  /** Keys of the sessions that changed. */
  readonly onDidChange = this.changed.event;
  readonly onDidChangeIncident = this.incidentChanged.event;
  /** A session claimed that it is done, or did what makes an earlier claim void. */
  readonly onDidSignalGates = this.signalledGates.event;
  /** Steps and requests as they are read, those of the past too. */
  readonly onDidStep = this.stepped.event;
  readonly onDidUse = this.used.event;
  /** The watcher failed and looks at intervals instead; null when it works again. */
  readonly onDidFailWatching = this.watchFailed.event;

  private readonly owned = new DisposableStore();
  private readonly sessions = new Map<string, Session>();
  private readonly files = new Map<string, Followed>();
  /** Files that are read along with another one of the same session, with that one. */
  private readonly beside = new Map<string, string>();
  private readonly unread: UnreadFiles;
  private readonly seats: Seats;
  private readonly views = new ViewCache();
  private readonly gatherer: Gatherer<string>;
  private readonly alarm: Alarm;
  private readonly wake: WakeWatch;
  private readonly liveness: LivenessWatch;
  private readonly discovery: Discovery;
  private readonly correspondence: Correspondence;
  private readonly across: Across;
  private readonly cleaning: InboxCleaning;
  private readonly oversized: OversizedResults | null;
  private readonly startedAt: number;
  private settings: EngineSettings;
  private stopped = false;
  /** Set before the first file is opened. */
  private reading!: typeof Reading;

  constructor(
    private readonly parts: EngineParts,
    settings: EngineSettings,
  ) {
    this.settings = settings;
    this.startedAt = parts.clock.now();
    this.gatherer = this.owned.add(new Gatherer(parts.clock, TELL_INTERVAL_MS, (keys) => this.changed.fire(keys)));
    this.unread = new UnreadFiles(parts.log, (key) => this.gatherer.add(key));
    this.seats = new Seats({
      sessions: this.sessions,
      files: this.files,
      isShown: (session) => this.isShown(session, parts.clock.now()),
      unread: this.unread,
      close: (file) => this.close(file),
      remove: (session) => this.remove(session),
    });
    this.alarm = this.owned.add(new Alarm(parts.clock, () => this.tick()));
    this.wake = this.owned.add(new WakeWatch(parts.clock, (at) => this.woke(at)));
    this.liveness = this.owned.add(
      new LivenessWatch(parts, {
        adapters: () => parts.adapters.filter((adapter) => !this.settings.disabled.has(adapter.id)),
        agentOf: (session) => this.sessions.get(session)?.options.agent,
        hasSessions: () => this.sessions.size > 0,
        changed: (session, liveness) => this.livenessChanged(session, liveness),
      }),
    );
    this.discovery = this.owned.add(
      new Discovery(parts, settings, {
        isOpen: (path) => this.files.has(path) || this.beside.has(path),
        isAlive: (session) => this.liveness.of(session)?.alive === true,
        found: (file, adapter, head) => this.follow(file, adapter, head),
        unreadable: (path, adapter, why) => this.unread.unreadable(path, adapter, why),
        tooManyFolders: (root, adapter, held) => this.unread.tooManyFolders(root, adapter, held),
        readable: (path) => this.unread.readable(path),
        reread: (path) => this.files.get(path)?.reread(),
      }),
    );
    this.correspondence = this.owned.add(
      new Correspondence(parts.mail, parts.clock, parts.log, (session) => this.touched(session.options.session)),
    );
    this.across = this.owned.add(
      new Across({
        detectors: (agent) => this.settings.detectors(agent),
        session: (key) => this.sessions.get(key),
        changed: (key) => this.touched(key),
        clock: parts.clock,
        since: this.startedAt,
      }),
    );
    this.cleaning = this.owned.add(new InboxCleaning({ ...parts, folders: () => this.settings.folders }));
    this.oversized = parts.spills ? new OversizedResults(parts.spills, parts.log) : null;
    this.owned.add(parts.tail.onDidFailWatching((failure) => this.watchFailed.fire(failure)));
  }

  /** Begins to look for transcripts. */
  start(): void {
    this.liveness.check();
    this.discovery.watch();
    this.cleaning.plan();
  }

  /** New settings: folders, globs, detectors. Detectors change live; other folders are looked for anew, and what is open stays open where its folder does. */
  configure(settings: EngineSettings): void {
    const before = this.settings;
    this.settings = settings;
    for (const session of this.sessions.values()) {
      session.setDetectors(this.detectors(session.options.agent, session.since !== undefined));
      if (settings.raised !== before.raised) session.setRaised(settings.raised ?? []);
    }
    const sameFolders = before.folders.join('\n') === settings.folders.join('\n');
    if (!sameFolders) this.cleaning.plan();
    const sameAgents = [...before.disabled].join() === [...settings.disabled].join();
    if (sameFolders && sameAgents && before.maxAgeMs === settings.maxAgeMs) return;
    this.discovery.configure(settings);
    this.unread.countAnew();
    for (const [file, open] of this.files) {
      if (settings.disabled.has(open.adapter.id) || (!sameFolders && this.isLeft(file, open))) this.close(file);
      else open.reread();
    }
    this.discovery.watch();
  }

  /** Does none of its sessions work in an open folder any more? */
  private isLeft(file: string, { sessions }: Followed): boolean {
    const here = [...sessions].some(({ options, facts }) => this.discovery.belongs(file, options.session, facts.cwd));
    return sessions.size > 0 && !here;
  }

  dispose(): void {
    this.stopped = true;
    for (const file of this.files.keys()) this.close(file);
    this.owned.dispose();
    this.changed.dispose();
    this.incidentChanged.dispose();
    this.signalledGates.dispose();
    this.stepped.dispose();
    this.used.dispose();
    this.watchFailed.dispose();
  }

  /** Snapshots of all sessions that are shown: written within the age rule or alive, of the open folders. */
  agents(): AgentView[] {
    const now = this.parts.clock.now();
    return [...this.sessions.values()]
      .filter((session) => this.isShown(session, now))
      .map((session) => this.views.of(session, now));
  }

  /** As `agents`, of one session: undefined also where it is not shown. */
  shownAgent(key: string): AgentView | undefined {
    const session = this.sessions.get(key);
    const now = this.parts.clock.now();
    return session && this.isShown(session, now) ? this.views.of(session, now) : undefined;
  }

  private isShown(session: Session, now: number): boolean {
    return session.facts.lastEventAt >= now - this.settings.maxAgeMs || session.liveness?.alive === true;
  }

  private touched(key: string): void {
    this.views.forget(key);
    this.gatherer.add(key);
  }

  agent(key: string): AgentView | undefined {
    return this.sessions.get(key)?.view(this.parts.clock.now());
  }

  timeline(key: string): Timeline | undefined {
    return this.sessions.get(key)?.timeline;
  }

  session(key: string): Session | undefined {
    return this.sessions.get(key);
  }

  /** Incidents of a session that are remembered, the newest first. */
  incidentsOf(key: string): readonly Incident[] {
    return this.sessions.get(key)?.book.all() ?? [];
  }

  /** Sessions of folders that are not open. */
  otherSessions(): OtherSession[] {
    return this.discovery.otherSessions();
  }

  /** Transcripts of the open folders that are older than the age rule, for the history; see `Discovery`. */
  earlierTranscripts(
    ...asked: Parameters<Discovery['earlierTranscripts']>
  ): ReturnType<Discovery['earlierTranscripts']> {
    return this.discovery.earlierTranscripts(...asked);
  }

  /** Follows a session of another folder too. `session`: which one, where the file is a database. */
  show(file: string, session?: string): void {
    this.discovery.show(file, session);
  }

  /** A file that may be a transcript by its name, reported by whoever watches the workspace. */
  consider(candidate: Candidate): void {
    this.discovery.consider(candidate);
  }

  /** Of a folder of the workspace, whoever watches it reported only so many transcripts of those that were there. */
  leftSomeOut(folder: string, reported: number): void {
    this.unread.tooManyFiles(folder, reported);
  }

  /** Files that cannot be read. */
  unreadFiles(): Unread[] {
    return this.unread.all();
  }

  /** An input to an incident, from a person or a recovery. False: no session remembers it. */
  changeIncident(id: string, input: IncidentInput): boolean {
    for (const session of this.sessions.values()) {
      if (!session.changeIncident(id, input)) continue;
      this.touched(session.options.session);
      return true;
    }
    return false;
  }

  /** How the quality gates of a session stand. */
  showGates(key: string, report: GateReport): void {
    const session = this.sessions.get(key);
    if (!session) return;
    session.gates = report;
    this.touched(key);
  }

  /** Quality gates have judged a claim of a session. */
  judge(key: string, run: GateRun): void {
    this.sessions.get(key)?.judge(run);
    this.touched(key);
  }

  /** The agent's own hook says that the turn of a session ends, before its transcript does. */
  turnEnds(key: string, at: number): void {
    this.sessions.get(key)?.turnEnds(at);
  }

  /** A message was written or withdrawn: look at the inbox of its session now. */
  mailChanged(key: string): void {
    const session = this.sessions.get(key);
    if (session) this.correspondence.look(session);
  }

  private follow(found: FoundFile, adapter: AgentAdapter, head: string): void {
    const { path } = found;
    if (this.files.has(path) || this.beside.has(path) || this.stopped) return;
    const cwd = this.discovery.cwdOf(path);
    const { main } = sessionFiles(adapter, path, cwd);
    const go = (file: string, fileHead: string) => this.load({ ...found, path: file }, adapter, fileHead);
    if (main === path) return go(path, head);
    // Of several files the main one is followed, where it is.
    void this.parts.tail.readHead(main).then(
      (mainHead) => go(main, mainHead),
      () => go(path, head),
    );
  }

  /** Sessions and rules are loaded with the first transcript: many windows never see one. */
  private load(file: FoundFile, adapter: AgentAdapter, head: string): void {
    import('./reading').then(
      (reading) => {
        this.reading = reading;
        this.open(file, adapter, head);
      },
      (error: unknown) => this.parts.log.error(`${file.path}: what follows it could not be loaded: ${String(error)}`),
    );
  }

  private open(found: FoundFile, adapter: AgentAdapter, head: string): void {
    const { path, size, modifiedAt, inFolder } = found;
    if (this.files.has(path) || this.beside.has(path) || this.stopped) return;
    const cwd = this.discovery.cwdOf(path);
    const { main, beside } = sessionFiles(adapter, path, cwd);
    const others = [main, ...beside].filter((file) => file !== path);
    for (const other of others) this.beside.set(other, path);
    const { tail, log, readSmall, sqlite } = this.parts;
    const host: FollowedHost = {
      tail,
      log,
      now: () => this.parts.clock.now(),
      context: { readSmall, ...(sqlite && { sqlite }), ...(cwd !== undefined && { cwd }) },
      wants: (head) => this.discovery.wants(head, adapter, path),
      trouble: (why) => this.unread.trouble(path, adapter, why),
      hasRoom: (session) => this.seats.admits(found, adapter, session),
      sessionFor: (event, partly) => this.sessionFor(event, adapter, found, partly),
      prepare: (event, incidents) =>
        this.newSession(this.keyOf(event.session, adapter, path), adapter, path, false, incidents),
      beforeEvent: (event, session, seen) => {
        this.tickUntil(session, event.at);
        if (!seen) return;
        this.correspondence.event(session, event);
        this.across.event(session, event);
        if (event.type === 'usage') this.used.fire({ usage: event, session });
      },
      wrote: (transcript) => {
        this.unread.read(path);
        this.wrote(transcript);
      },
      caughtUp: (transcript) => this.caughtUp(transcript, path),
      gone: (transcript) => this.gone(transcript, path),
      forget: (session) => this.forget(session),
      exchange: (before, after) => this.exchange(path, before, after),
    };
    this.unread.opened(path);
    const options = { file: path, adapter, size, modifiedAt, inFolder, beside: others };
    this.files.set(path, new Followed(host, options, head));
  }

  private detectors(agent: AgentId, partly: boolean): ReturnType<EngineSettings['detectors']> {
    const options = this.settings.detectors(agent);
    if (!partly) return options;
    const quiet = NEED_THE_PAST.map((id) => [id, { ...options[id], on: false }] as const);
    return { ...options, ...Object.fromEntries(quiet) };
  }

  private sessionFor(event: AgentEvent, adapter: AgentAdapter, found: FoundFile, partly: boolean): Session | null {
    const { path } = found;
    const key = this.keyOf(event.session, adapter, path);
    const known = this.sessions.get(key);
    if (known) return known;
    if (!this.seats.admits(found, adapter, event.session)) return null;
    const session = this.newSession(key, adapter, path, partly);
    session.liveness = this.liveness.of(key);
    this.sessions.set(key, session);
    this.correspondence.look(session);
    this.liveness.soon();
    return session;
  }

  /**
   * Sessions of two agents never mix, nor two runs that are named after files of the same name in different folders: whichever comes later
   * gets its file's place added.
   */
  private keyOf(session: string, adapter: AgentAdapter, file: string): string {
    const known = this.sessions.get(session)?.options;
    if (!known || known.file === file) return session;
    const isNamedByFile = adapter.writesTimes === false || adapter.unit === 'document';
    if (known.agent === adapter.id && !isNamedByFile) return session;
    return `${session}-${createHash('sha256').update(file).digest('hex').slice(0, 8)}`;
  }

  /** A session. Changes of its incidents go to all listeners as soon as it is one of `sessions`, until then to `unseen`. */
  private newSession(
    key: string,
    adapter: AgentAdapter,
    file: string,
    partly: boolean,
    unseen?: (incident: Incident) => void,
  ): Session {
    return new this.reading.Session({
      agent: adapter.id,
      agentName: adapter.name,
      session: key,
      file,
      showsRunningTool: adapter.showsRunningTool,
      outcomesLateMs: adapter.outcomesLateMs,
      known: adapter.outcomesLateMs === undefined ? undefined : (finding) => this.knownStreak(key, finding),
      detectors: this.detectors(adapter.id, partly),
      ...(this.settings.raised && { raised: this.settings.raised }),
      live: true,
      timeless: adapter.writesTimes === false,
      isHistory: (at) => at < this.startedAt,
      onIncident: (incident, before, of) => {
        if (unseen && this.sessions.get(key) !== of) unseen(incident);
        else this.incident(incident, before, of);
      },
      onStep: (step, of) => {
        if (unseen && this.sessions.get(key) !== of) return;
        this.correspondence.step(of, step);
        this.across.step(of, step);
        this.stepped.fire({ step, session: of });
      },
      onGateSignal: (signal, of) => {
        if (!unseen || this.sessions.get(key) === of) this.signalledGates.fire({ signal, session: key });
      },
    });
  }

  /** Sessions that know the whole transcript take the place of those that know its newest lines; nothing is reported twice. */
  private exchange(file: string, before: ReadonlySet<Session>, after: readonly Prepared[]): boolean {
    // A session that other transcripts write to as well knows more than any one of them.
    const isShared = (session: Session) =>
      session.options.file !== file ||
      [...this.files.values()].some((other) => other.file !== file && other.sessions.has(session));
    if ([...before].some(isShared)) return false;
    const now = this.parts.clock.now();
    for (const { session, incidents } of after) {
      const key = session.options.session;
      const known = this.sessions.get(key);
      if (known && !before.has(known)) continue;
      session.setDetectors(this.detectors(session.options.agent, false));
      session.setRaised(this.settings.raised ?? []);
      session.liveness = this.liveness.of(key);
      this.across.renew(session);
      this.sessions.set(key, session);
      if (known) this.correspondence.exchange(known, session);
      else this.correspondence.look(session);
      const taken = known ? session.takeOver(known, now) : [];
      for (const incident of incidents.values()) {
        if (!taken.some((one) => one.after?.id === incident.id || one.replaced === incident.id))
          this.incident(incident, null, session);
      }
      for (const one of taken)
        if (one.after) this.incidentChanged.fire({ incident: one.after, before: one.before, session: key });
      this.touched(key);
    }
    return true;
  }

  private incident(incident: Incident, before: Incident | null, session: Session): void {
    if (before === null) {
      const stored = this.parts.stored(incident.id);
      if (stored) resumeIncident(session, incident.id, stored);
    }
    const now = session.book.get(incident.id) ?? incident;
    this.views.forget(session.options.session);
    this.incidentChanged.fire({ incident: now, before, session: session.options.session });
    this.oversized?.incident(now, session);
  }

  /** Where outcomes come late, what tells a step, and so its time, differs from one reading to the next: its incident is found again. */
  private knownStreak(session: string, finding: Finding): string | undefined {
    const book = this.sessions.get(session)?.book;
    const kept = this.parts.storedOf?.(session).filter(({ id }) => book?.get(id) === undefined) ?? [];
    return sameStreak(kept, finding)?.id;
  }

  /** Rules that wait for silence report before the event that ends it. */
  private tickUntil(session: Session, at: number): void {
    this.wake.look();
    for (let ticks = 0; ticks < 8 && session.deadline() <= at; ticks++) session.tick(session.deadline());
  }

  private wrote(transcript: Transcript): void {
    const now = this.parts.clock.now();
    for (const session of transcript.sessions) {
      session.lastReadAt = now;
      this.touched(session.options.session);
      this.alarm.at(Math.max(now + 1_000, session.deadline()));
    }
  }

  /** The file was read to its end: what is still stuck there is going on now, not history, if its session is. */
  private caughtUp(transcript: Transcript, file: string): void {
    // Nothing of it is followed: once it changes it is the newest, and is read from its beginning.
    if (transcript.isPartly && transcript.sessions.size === 0) return this.close(file);
    const now = this.parts.clock.now();
    for (const session of transcript.sessions) {
      // No time passed for it while it was read.
      this.alarm.at(Math.max(now + 1_000, session.deadline()));
      const parent = session.liveness ? null : this.liveness.of(session.facts.parent ?? '');
      if (parent?.alive === false) this.died(session, parent);
      const present = session.liveness?.alive || this.startedAt - session.facts.lastEventAt < PRESENT_MS;
      if (!present || session.view(now).state.kind === 'finished') continue;
      for (const incident of session.book.active()) {
        if (incident.history) session.changeIncident(incident.id, { type: 'present', at: now });
      }
    }
  }

  private gone(transcript: Transcript, file: string): void {
    this.parts.log.info(`${file}: deleted`);
    for (const session of transcript.sessions) {
      this.end(session);
      session.deleted = true;
      this.touched(session.options.session);
    }
  }

  private end(session: Session): void {
    session.end(session.facts.lastEventAt);
    this.across.ended(session);
  }

  private forget(session: Session): void {
    this.end(session);
    this.remove(session);
  }

  private remove(session: Session): void {
    this.sessions.delete(session.options.session);
    this.seats.left();
    this.correspondence.forget(session);
    if (!this.stopped) this.touched(session.options.session);
  }

  private close(file: string): void {
    const open = this.files.get(file);
    if (!open) return;
    open.dispose();
    this.files.delete(file);
    for (const [other, of] of this.beside) if (of === file) this.beside.delete(other);
    for (const session of open.sessions) this.remove(session);
  }

  /** Time has passed: silence, long turns, runtime. The clock of the detectors is the transcript's, which is this machine's. */
  private tick(): void {
    this.wake.look();
    const now = this.parts.clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const session of this.sessions.values()) {
      // A transcript that was deleted says nothing more, whatever its agent does.
      if (session.deleted || session.facts.ended || session.liveness?.alive === false) continue;
      if (this.files.get(session.options.file)?.isBehind) continue;
      if (session.deadline() <= now) {
        session.tick(now);
        this.touched(session.options.session);
      }
      next = Math.min(next, session.deadline());
    }
    this.alarm.at(Math.max(now + 1_000, next));
  }

  private woke(at: number): void {
    this.parts.log.info('the clock went on without us: what was not written meanwhile is nobody’s silence');
    for (const session of this.sessions.values()) session.woke(at);
  }

  private livenessChanged(key: string, liveness: Liveness): void {
    const session = this.sessions.get(key);
    if (!session) {
      if (liveness.alive) this.discovery.wake(key);
      return;
    }
    session.liveness = liveness;
    if (!liveness.alive) this.died(session, liveness);
    this.touched(key);
  }

  /** The process is gone, and its sub-agents with it, which have none of their own. */
  private died(session: Session, liveness: Liveness): void {
    session.liveness = liveness;
    this.end(session);
    for (const child of this.sessions.values()) {
      if (child.facts.parent !== session.options.session || child.liveness) continue;
      this.died(child, liveness);
      this.touched(child.options.session);
    }
  }
}
