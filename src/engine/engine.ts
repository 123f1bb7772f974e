import type { AgentAdapter } from '../agents/adapter';
import type { Liveness } from '../agents/transcripts';
import type { IncidentInput } from '../detect/incident';
import type { GateRun } from '../detect/session/gate-run';
import type { AgentView, GateReport, Incident } from '../core/model';
import type { Candidate } from '../base/tail';
import { type Disposable, DisposableStore } from '../base/util/disposable';
import type { Across } from './across';
import { Correspondence } from './correspondence';
import { KnownRecords } from './follow/copies';
import { Discovery, type FoundFile, type OtherSession } from './follow/discovery';
import type { FollowedTranscript, FollowedHost } from './follow/followed-transcript';
import { InboxCleaning } from './inbox-cleaning';
import { OversizedResults } from './session/oversized';
import type { EngineParts, EngineSettings } from './ports';
import { LivenessWatch } from './follow/liveness-watch';
import { JobWatch } from './follow/job-watch';
import { ProcessWatch } from './follow/process-watch';
import { Seats } from './follow/seats';
import { Gatherer } from './follow/earliest-timer';
import { filesOfSession } from './follow/session-files';
import type { Session } from './session/session';
import type { SessionSteps } from './session/session-steps';
import type { Transcript } from './follow/transcript';
import { UnreadFiles } from './follow/unread-files';
import type { Unread } from './follow/left-out';
import { ViewCache } from './view-cache';
import { Ageing } from './ageing';
import { EngineEvents } from './events';
import type { TranscriptNotes } from './follow/notes';
import type * as Reading from './reading';
import { LoopRuns } from './runs';
import { Sessions } from './sessions';

/** Changes of agents are reported at once, then at most ten times a second: no one reads faster, and each report costs a redraw. */
const REPORT_INTERVAL_MS = 100;

/**
 * Follows the transcripts of all agents of some folders: finds them, reads what is appended, runs the detectors, keeps states and incidents. Both the
 * extension and the command line use it; it knows no editor.
 */
export class Engine implements Disposable {
  private readonly events = new EngineEvents((error) => this.parts.log.error(String(error)));
  /** Fires with the keys of the sessions that changed. */
  readonly onDidChange = this.events.changed.event;
  readonly onDidChangeIncident = this.events.incident.event;
  /** Fires when a session claimed that it is done, or did something that voids an earlier claim. */
  readonly onDidSignalGates = this.events.gates.event;
  /** Fires for steps as they are read, past ones included; `onDidUse` does so for requests. */
  readonly onDidStep = this.events.step.event;
  readonly onDidUse = this.events.usage.event;
  /** Fires when the watcher failed and files are checked at intervals instead; with null when it works again. */
  readonly onDidFailWatching = this.events.watchFailed.event;

  private readonly owned = new DisposableStore();
  private readonly sessions: Sessions;
  private readonly ageing: Ageing;
  private readonly runs: LoopRuns;
  private readonly known = new KnownRecords();
  private readonly files = new Map<string, FollowedTranscript>();
  /** Files that are read as part of another file's session, each with that file. */
  private readonly companions = new Map<string, string>();
  private readonly unread: UnreadFiles;
  private readonly seats: Seats;
  private readonly views = new ViewCache();
  private readonly gatherer: Gatherer<string>;
  private readonly liveness: LivenessWatch;
  private readonly processes: ProcessWatch;
  private readonly jobs: JobWatch;
  private readonly discovery: Discovery;
  private readonly correspondence: Correspondence;
  private readonly cleaning: InboxCleaning;
  private readonly startedAt: number;
  private loading: Promise<typeof Reading> | null = null;
  /** Set before the first file is opened. */
  private notes!: TranscriptNotes;
  /** Set before the first file is opened. */
  private across!: Across;
  private settings: EngineSettings;
  private stopped = false;

  constructor(
    private readonly parts: EngineParts,
    settings: EngineSettings,
  ) {
    this.settings = settings;
    const startedAt = parts.clock.now();
    this.startedAt = startedAt;
    this.gatherer = this.owned.add(
      new Gatherer(parts.clock, REPORT_INTERVAL_MS, (keys) => this.events.changed.fire(keys)),
    );
    this.unread = new UnreadFiles(parts.log, (key) => this.gatherer.add(key));
    this.owned.add(this.events.incident.event(({ session }) => this.views.forget(session)));
    const livenessOf = (key: string) => this.liveness.of(key) ?? this.processes.of(key);
    const touched = (key: string) => this.touched(key);
    const across = () => this.across;
    this.correspondence = this.owned.add(
      new Correspondence(parts.mail, parts.clock, parts.log, (session) => touched(session.options.session)),
    );
    this.runs = new LoopRuns(
      parts.probe,
      (session) => touched(session.options.session),
      (before, run) => this.passOn(before, run),
    );
    this.sessions = new Sessions(
      parts,
      {
        files: this.files,
        settings: () => this.settings,
        startedAt,
        livenessOf,
        added: () => {
          this.liveness.soon();
          this.processes.soon();
        },
        touched,
        seats: () => this.seats,
        correspondence: this.correspondence,
        across,
      },
      this.events,
      parts.spills ? new OversizedResults(parts.spills, parts.log) : null,
    );
    const sessions = this.sessions.all;
    this.seats = new Seats({
      sessions,
      files: this.files,
      isShown: (session) => this.isShown(session, parts.clock.now()),
      unread: this.unread,
      close: (file) => this.close(file),
      remove: (session) => this.remove(session),
    });
    this.ageing = this.owned.add(
      new Ageing(parts, { sessions, startedAt, files: this.files, livenessOf, touched, across }),
    );
    this.liveness = this.owned.add(
      new LivenessWatch(parts, {
        adapters: () => parts.adapters.filter((adapter) => !this.settings.disabled.has(adapter.id)),
        agentOf: (session) => sessions.get(session)?.options.agent,
        sessions: () => sessions.values(),
        changed: (session, liveness) => this.livenessChanged(session, liveness),
      }),
    );
    const registered = new Set(parts.adapters.filter((adapter) => adapter.liveness !== undefined).map(({ id }) => id));
    this.processes = this.owned.add(
      new ProcessWatch(parts, {
        sessions: () => [...sessions.values()].filter(({ options }) => !registered.has(options.agent)),
        changed: (session, liveness) => this.livenessChanged(session, liveness),
      }),
    );
    this.jobs = this.owned.add(
      new JobWatch(parts, {
        sessions: () => sessions.values(),
        changed: (session) => this.ageing.changed(session),
      }),
    );
    this.discovery = this.owned.add(
      new Discovery(parts, settings, {
        isOpen: (path) => this.files.has(path) || this.companions.has(path),
        isAlive: (session) => this.liveness.of(session)?.alive === true,
        found: (file, adapter, head) => this.follow(file, adapter, head),
        unreadable: (path, adapter, why) => this.unread.unreadable(path, adapter, why),
        tooManyFolders: (root, adapter, held) => this.unread.tooManyFolders(root, adapter, held),
        readable: (path) => this.unread.readable(path),
        reread: (path) => this.files.get(path)?.reread(),
      }),
    );
    this.cleaning = this.owned.add(new InboxCleaning({ ...parts, folders: () => this.settings.folders }));
    this.owned.add(parts.tail.onDidFailWatching((failure) => this.events.watchFailed.fire(failure)));
  }

  /** Starts to look for transcripts. */
  start(): void {
    this.liveness.check();
    this.discovery.watch();
    this.cleaning.plan();
  }

  /**
   * Applies new settings: folders, globs, detectors. Detectors change live; new folders are searched, and open files stay open if their folder does.
   */
  configure(settings: EngineSettings): void {
    const before = this.settings;
    this.settings = settings;
    this.sessions.configure(before, settings);
    const sameFolders = before.folders.join('\n') === settings.folders.join('\n');
    if (!sameFolders) this.cleaning.plan();
    const sameAgents = [...before.disabled].join() === [...settings.disabled].join();
    if (sameFolders && sameAgents && before.maxAgeMs === settings.maxAgeMs) return;
    this.discovery.configure(settings);
    this.unread.recount();
    for (const [file, open] of this.files) {
      if (settings.disabled.has(open.adapter.id) || (!sameFolders && this.isLeft(file, open))) this.close(file);
      else open.reread();
    }
    this.discovery.watch();
  }

  /** True if none of the file's sessions works in an open folder any more. */
  private isLeft(file: string, { sessions }: FollowedTranscript): boolean {
    const here = [...sessions].some(({ options, facts }) => this.discovery.belongs(file, options.session, facts.cwd));
    return sessions.size > 0 && !here;
  }

  dispose(): void {
    this.stopped = true;
    for (const file of this.files.keys()) this.close(file);
    this.owned.dispose();
    this.events.dispose();
  }

  /** Returns snapshots of all shown sessions: those of the open folders that are alive or were written within the age rule. */
  agents(): AgentView[] {
    const now = this.parts.clock.now();
    return [...this.sessions.all.values()]
      .filter((session) => this.isShown(session, now))
      .map((session) => this.views.of(session, now));
  }

  /** Returns the same as `agents` for one session; undefined if it is unknown or not shown. */
  shownAgent(key: string): AgentView | undefined {
    const session = this.sessions.all.get(key);
    const now = this.parts.clock.now();
    return session && this.isShown(session, now) ? this.views.of(session, now) : undefined;
  }

  private isShown(session: Session, now: number): boolean {
    if (session.isCopy) return false;
    return session.facts.lastEventAt >= now - this.settings.maxAgeMs || session.liveness?.alive === true;
  }

  private touched(key: string): void {
    this.views.forget(key);
    this.gatherer.add(key);
  }

  agent(key: string): AgentView | undefined {
    return this.sessions.all.get(key)?.view(this.parts.clock.now());
  }

  timeline(key: string): SessionSteps | undefined {
    return this.sessions.all.get(key)?.timeline;
  }

  /** Reads the lines of a session that is known only from a note, because someone looks at all its steps. */
  readWhole(key: string): void {
    const session = this.sessions.all.get(key);
    if (session) this.files.get(session.options.file)?.readWhole();
  }

  session(key: string): Session | undefined {
    return this.sessions.all.get(key);
  }

  /** Returns the incidents of a session that are remembered, newest first. */
  incidentsOf(key: string): readonly Incident[] {
    return this.sessions.all.get(key)?.book.all() ?? [];
  }

  /** Returns the sessions of folders that are not open. */
  otherSessions(): OtherSession[] {
    return this.discovery.otherSessions();
  }

  /** Returns the transcripts of the open folders that are older than the age rule, for the history; see `Discovery`. */
  earlierTranscripts(
    ...args: Parameters<Discovery['earlierTranscripts']>
  ): ReturnType<Discovery['earlierTranscripts']> {
    return this.discovery.earlierTranscripts(...args);
  }

  /** Follows a session of another folder too. `session`: which one, if the file is a database. */
  show(file: string, session?: string): void {
    this.discovery.show(file, session);
  }

  /** Considers a file that may be a transcript by its name, reported by the watcher of the workspace. */
  consider(candidate: Candidate): void {
    this.discovery.consider(candidate);
  }

  /** Called when the watcher of a workspace folder reported only the first `reported` transcripts in it. */
  leftSomeOut(folder: string, reported: number): void {
    this.unread.tooManyFiles(folder, reported);
  }

  /** Returns the files that cannot be read. */
  unreadFiles(): Unread[] {
    return this.unread.all();
  }

  /** Applies an input from a person or a recovery to an incident. False if no session remembers the incident. */
  changeIncident(id: string, input: IncidentInput): boolean {
    for (const session of this.sessions.all.values()) {
      if (!session.changeIncident(id, input)) continue;
      const file = this.files.get(session.options.file);
      if (file) this.notes.soon(file);
      this.touched(session.options.session);
      return true;
    }
    return false;
  }

  /** Shows the state of a session's quality gates. */
  showGates(key: string, report: GateReport): void {
    const session = this.sessions.all.get(key);
    if (!session) return;
    session.gates = report;
    this.touched(key);
  }

  /** Applies the verdict of the quality gates on a claim of a session. */
  judge(key: string, run: GateRun): void {
    this.sessions.all.get(key)?.judge(run);
    this.touched(key);
  }

  /** Called when the agent's own hook says that the turn of a session ends, before its transcript does. */
  turnEnds(key: string, at: number): void {
    this.sessions.all.get(key)?.turnEnds(at);
  }

  /** Checks the inbox of a session now, because a message was written or withdrawn. */
  mailChanged(key: string): void {
    const session = this.sessions.all.get(key);
    if (!session) return;
    this.correspondence.look(session);
    const last = this.runs.lastOf(session);
    if (last !== session) this.passOn(session, last);
  }

  /** Passes what waits for one run of a loop on to the next, which has begun. Runs of the past are only numbered. */
  private passOn(before: Session, run: Session): void {
    if (run.facts.startedAt < this.startedAt) return;
    const { mail, log } = this.parts;
    mail.passOn(before.options.session, run.options.session, run.facts.cwd).then(
      (passed) => {
        for (const session of passed ? [before, run] : []) this.correspondence.look(session);
      },
      (error: unknown) => log.warn(`messages could not be passed on to the next run: ${String(error)}`),
    );
  }

  private follow(found: FoundFile, adapter: AgentAdapter, head: string): void {
    const { path } = found;
    if (this.files.has(path) || this.companions.has(path) || this.stopped) return;
    const cwd = this.discovery.cwdOf(path);
    const { main } = filesOfSession(adapter, path, cwd);
    const go = (file: string, fileHead: string) => this.load({ ...found, path: file }, adapter, fileHead);
    if (main === path) return go(path, head);
    // Of several files, the main one is followed if it exists.
    void this.parts.tail.readHead(main).then(
      (mainHead) => go(main, mainHead),
      () => go(path, head),
    );
  }

  /** Loads sessions and rules with the first transcript: many windows never see one. */
  private load(file: FoundFile, adapter: AgentAdapter, head: string): void {
    this.loading ??= this.loadReading();
    this.loading.then(
      (reading) => this.open(reading, file, adapter, head),
      (error: unknown) => this.parts.log.error(`${file.path}: what follows it could not be loaded: ${String(error)}`),
    );
  }

  private async loadReading(): Promise<typeof Reading> {
    const reading = await this.sessions.load();
    this.notes = this.owned.add(new reading.TranscriptNotes(this.parts, () => this.settings));
    this.across = this.owned.add(
      new reading.Across({
        detectors: (agent) => this.settings.detectors(agent),
        session: (key) => this.sessions.all.get(key),
        changed: (key) => this.touched(key),
        clock: this.parts.clock,
        since: this.startedAt,
      }),
    );
    return reading;
  }

  private open(reading: typeof Reading, found: FoundFile, adapter: AgentAdapter, head: string): void {
    const { path, size, modifiedAt, inFolder } = found;
    if (this.files.has(path) || this.companions.has(path) || this.stopped) return;
    const cwd = this.discovery.cwdOf(path);
    const { main, companions } = filesOfSession(adapter, path, cwd);
    const others = [main, ...companions].filter((file) => file !== path);
    for (const other of others) this.companions.set(other, path);
    const { tail, log, readSmall, sqlite } = this.parts;
    const host: FollowedHost = {
      tail,
      log,
      now: () => this.parts.clock.now(),
      known: this.known,
      context: { readSmall, ...(sqlite && { sqlite }), ...(cwd !== undefined && { cwd }) },
      wants: (head) => this.discovery.wants(head, adapter, path),
      trouble: (why) => this.unread.trouble(path, adapter, why),
      hasRoom: (session) => this.seats.admits(found, adapter, session),
      sessionFor: (event, read) => this.sessions.of(event, adapter, found, read),
      prepare: (event, partly, incidents) => this.sessions.prepare(event, adapter, path, partly, incidents),
      beforeEvent: (event, session, seen) => {
        this.ageing.tickUntil(session, event.at);
        if (!seen) return;
        this.correspondence.event(session, event);
        this.across.event(session, event);
        if (event.type === 'usage') this.events.usage.fire({ usage: event, session });
      },
      wrote: (transcript) => {
        this.unread.read(path);
        this.wrote(transcript, path);
      },
      caughtUp: (transcript) => this.caughtUp(transcript, path),
      gone: (transcript) => this.gone(transcript, path),
      forget: (session) => this.forget(session),
      notes: this.notes,
      startRules: () => this.sessions.startRulesOf(path),
      adopt: (sessions, note) => this.sessions.adopt(path, sessions, new Map(note.sessions)),
      exchange: (before, after) => this.sessions.exchange(path, before, after),
    };
    this.unread.opened(path);
    const options = { file: path, adapter, size, modifiedAt, inFolder, companions: others };
    this.files.set(path, new reading.FollowedTranscript(host, options, head));
  }

  private wrote({ sessions }: Transcript, file: string): void {
    for (const session of sessions) {
      if (session.deleted && session.options.file !== file) moveTo(session, file);
      this.ageing.wrote(session);
      this.runs.wrote(session);
      this.liveness.soon();
      this.processes.soon();
      this.jobs.wrote(session);
      this.touched(session.options.session);
    }
  }

  private caughtUp(transcript: Transcript, file: string): void {
    // None of its sessions is followed: once it changes it is the newest, and is read from its beginning.
    if (transcript.isPartly && transcript.sessions.size === 0) this.close(file);
    else this.ageing.caughtUp(transcript);
  }

  private gone(transcript: Transcript, file: string): void {
    this.parts.log.info(`${file}: deleted`);
    for (const session of transcript.sessions) {
      // An agent that enters a worktree takes its transcript along. The new place may be found before the old one is seen to be empty.
      const other = [...this.files].find(([path, { sessions }]) => path !== file && sessions.has(session));
      if (other) {
        moveTo(session, other[0]);
        continue;
      }
      this.ageing.end(session);
      session.deleted = true;
      this.touched(session.options.session);
    }
  }

  private forget(session: Session): void {
    this.ageing.end(session);
    this.remove(session);
  }

  private remove(session: Session): void {
    this.sessions.remove(session);
    this.runs.forget(session);
    if (!this.stopped) this.touched(session.options.session);
  }

  private close(file: string): void {
    const open = this.files.get(file);
    if (!open) return;
    open.dispose();
    this.files.delete(file);
    for (const [other, of] of this.companions) if (of === file) this.companions.delete(other);
    for (const session of open.sessions) this.remove(session);
  }

  private livenessChanged(key: string, liveness: Liveness): void {
    const session = this.sessions.all.get(key);
    if (session) {
      this.ageing.livenessChanged(session, liveness);
      this.runs.livenessChanged(session);
    } else if (liveness.alive) this.discovery.wake(key);
  }
}

/** Notes that the transcript of a session is in another place now. */
function moveTo(session: Session, file: string): void {
  session.deleted = false;
  session.options.file = file;
}
