import { dirname } from 'node:path';
import type { AgentAdapter, Liveness } from '../agents/adapter';
import type { IncidentInput } from '../incident';
import type { AgentEvent, AgentView, Incident } from '../model';
import type { Candidate, Reader, RootOptions, WatchFailure } from '../tail';
import { type Disposable, DisposableStore } from '../util/disposable';
import { Emitter } from '../util/emitter';
import { folderOf } from './belongs';
import { Correspondence } from './correspondence';
import type { EngineParts, EngineSettings } from './ports';
import { Alarm, Gatherer } from './schedule';
import { Session } from './session';
import type { Timeline } from './timeline';
import { Transcript } from './transcript';

/** A session of another folder, known by its head only. */
export interface OtherSession {
  readonly adapter: AgentAdapter;
  readonly file: string;
  readonly cwd: string | undefined;
  readonly modifiedAt: number;
}

/** A transcript that ended before the window opened and is older than the age rule. */
export interface EarlierTranscript {
  readonly adapter: AgentAdapter;
  readonly file: string;
  readonly size: number;
  readonly modifiedAt: number;
}

export interface IncidentChange {
  readonly incident: Incident;
  readonly before: Incident | null;
  readonly session: string;
}

/** Changes of agents are told at once, then at most ten times a second (notes: batch updates at 10 Hz). */
const TELL_INTERVAL_MS = 100;
const LIVENESS_INTERVAL_MS = 2_000;
const WALKED_DEPTH = 8;
/** A transcript that does not say yet where its agent works is looked at again so soon, so often; after that when it changes. */
const SOON_MS = 200;
const SOON_TRIES = 5;
/** A session that wrote so recently before the window opened is going on, not history, if its loop is still there. */
const PRESENT_MS = 10 * 60_000;

interface OpenTranscript {
  readonly adapter: AgentAdapter;
  readonly transcript: Transcript;
  readonly reader: Reader;
}

/**
 * Follows the transcripts of all agents of some folders: finds them, reads what is appended, runs the detectors, keeps states and
 * incidents. Extension and command line both use it; it knows no editor.
 */
export class Engine implements Disposable {
  private readonly changed = new Emitter<readonly string[]>((error) => this.parts.log.error(String(error)));
  private readonly incidentChanged = new Emitter<IncidentChange>((error) => this.parts.log.error(String(error)));
  private readonly watchFailed = new Emitter<WatchFailure | null>();
  /** Keys of the sessions that changed. */
  readonly onDidChange = this.changed.event;
  readonly onDidChangeIncident = this.incidentChanged.event;
  /** The watcher failed and looks at intervals instead; null when it works again. */
  readonly onDidFailWatching = this.watchFailed.event;

  private readonly owned = new DisposableStore();
  private roots = new DisposableStore();
  private readonly sessions = new Map<string, Session>();
  private readonly files = new Map<string, OpenTranscript>();
  private readonly others = new Map<string, OtherSession>();
  private readonly earlier = new Map<string, EarlierTranscript>();
  private readonly seenAlive = new Map<string, Liveness>();
  private readonly gatherer: Gatherer<string>;
  private readonly alarm: Alarm;
  private readonly livenessAlarm: Alarm;
  private readonly correspondence: Correspondence;
  private readonly startedAt: number;
  private settings: EngineSettings;
  private stopped = false;

  constructor(
    private readonly parts: EngineParts,
    settings: EngineSettings,
  ) {
    this.settings = settings;
    this.startedAt = parts.clock.now();
    this.gatherer = this.owned.add(new Gatherer(parts.clock, TELL_INTERVAL_MS, (keys) => this.changed.fire(keys)));
    this.alarm = this.owned.add(new Alarm(parts.clock, () => this.tick()));
    this.livenessAlarm = this.owned.add(new Alarm(parts.clock, () => this.checkLiveness()));
    this.correspondence = this.owned.add(
      new Correspondence(parts.mail, parts.clock, parts.log, (session) => this.gatherer.add(session.options.session)),
    );
    this.owned.add(parts.tail.onDidFailWatching((failure) => this.watchFailed.fire(failure)));
  }

  /** Begins to look for transcripts. */
  start(): void {
    this.checkLiveness();
    this.watchRoots();
  }

  /** New settings: folders, globs, detectors. Detectors change live; other folders are looked for anew, what is open stays open. */
  configure(settings: EngineSettings): void {
    const before = this.settings;
    this.settings = settings;
    for (const session of this.sessions.values()) session.setDetectors(settings.detectors(session.options.agent));
    const sameFolders = before.folders.join('\n') === settings.folders.join('\n');
    const sameAgents = [...before.disabled].join() === [...settings.disabled].join();
    if (sameFolders && sameAgents && before.maxAgeMs === settings.maxAgeMs) return;
    this.others.clear();
    this.earlier.clear();
    for (const [file, open] of this.files) if (settings.disabled.has(open.adapter.id)) this.close(file);
    this.watchRoots();
  }

  dispose(): void {
    this.stopped = true;
    this.roots.dispose();
    for (const file of this.files.keys()) this.close(file);
    this.owned.dispose();
    this.changed.dispose();
    this.incidentChanged.dispose();
    this.watchFailed.dispose();
  }

  /** Snapshots of all sessions that are shown: written within the age rule or alive, of the open folders. */
  agents(): AgentView[] {
    const now = this.parts.clock.now();
    const oldest = now - this.settings.maxAgeMs;
    return [...this.sessions.values()]
      .filter((session) => session.facts.lastEventAt >= oldest || session.liveness?.alive)
      .map((session) => session.view(now));
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

  /** Sessions of folders that are not open. */
  otherSessions(): OtherSession[] {
    return [...this.others.values()].filter((other) => other.cwd !== undefined);
  }

  /** Transcripts of the open folders that are older than the age rule, for the history. */
  earlierTranscripts(): EarlierTranscript[] {
    return [...this.earlier.values()];
  }

  /** Follows a session of another folder too. */
  show(file: string): void {
    const other = this.others.get(file);
    if (!other) return;
    this.others.delete(file);
    this.open(file, other.adapter);
  }

  /** An input to an incident, from a person or a recovery. False: no session remembers it. */
  changeIncident(id: string, input: IncidentInput): boolean {
    for (const session of this.sessions.values()) {
      if (!session.changeIncident(id, input)) continue;
      this.gatherer.add(session.options.session);
      return true;
    }
    return false;
  }

  /** A message was written or withdrawn: look at the inbox of its session now. */
  mailChanged(key: string): void {
    const session = this.sessions.get(key);
    if (session) this.correspondence.look(session);
  }

  /** A file that may be a transcript by its name, told by somebody who watches the workspace. */
  consider(candidate: Candidate): void {
    if (this.stopped || this.files.has(candidate.path)) return;
    void this.identify(candidate, null);
  }

  private watchRoots(): void {
    this.roots.dispose();
    const roots = new DisposableStore();
    this.roots = roots;
    const { adapters, environment, tail } = this.parts;
    if (this.settings.walksFolders)
      for (const folder of this.settings.folders) roots.add(tail.watch(this.workspaceRoot(folder)));
    for (const adapter of adapters) {
      if (this.settings.disabled.has(adapter.id)) continue;
      for (const root of adapter.locate(environment)) {
        roots.add(
          tail.watch({
            path: root.path,
            depth: root.depth,
            matches: root.matches,
            enters: (folder) => root.mayBelong?.(folder, this.settings.folders) ?? true,
            onFile: (candidate) => void this.identify(candidate, adapter),
          }),
        );
      }
    }
  }

  /** Generic transcripts lie anywhere in the workspace (PROTOCOLS.md section 1). */
  private workspaceRoot(folder: string): RootOptions {
    return {
      path: folder,
      depth: WALKED_DEPTH,
      matches: (path) => path.endsWith('.agent.jsonl'),
      enters: (path) => !/(^|\/)(node_modules|\.git|\.unstuck)$/.test(path),
      onFile: (candidate) => void this.identify(candidate, null),
    };
  }

  /** Whose transcript is this, and does it belong to an open folder? */
  private async identify(candidate: Candidate, known: AgentAdapter | null, tries = 0): Promise<void> {
    const { path, modifiedAt, size } = candidate;
    if (this.files.has(path) || this.stopped) return;
    const other = this.others.get(path);
    // The first lines of a new transcript need not say where its agent works: those that did not are asked again.
    if (other?.cwd !== undefined) {
      this.others.set(path, { ...other, modifiedAt });
      return;
    }
    const head = await this.parts.tail.readHead(path).catch(() => undefined);
    if (head === undefined || this.files.has(path) || this.stopped) return;
    const adapter = known ?? recognise(this.parts.adapters, head, path);
    if (!adapter || this.settings.disabled.has(adapter.id)) return;
    const { cwd, session } = adapter.peek(head, path);
    const inWorkspace = folderOf(dirname(path), this.settings.folders) !== undefined;
    if (!inWorkspace && (cwd === undefined || folderOf(cwd, this.settings.folders) === undefined)) {
      this.others.set(path, { adapter, file: path, cwd, modifiedAt });
      if (cwd === undefined && tries < SOON_TRIES) {
        this.parts.clock.after(SOON_MS, () => void this.identify(candidate, known, tries + 1));
      }
      return;
    }
    this.others.delete(path);
    const old = this.parts.clock.now() - modifiedAt > this.settings.maxAgeMs;
    if (old && !(session && this.seenAlive.get(session)?.alive)) {
      this.earlier.set(path, { adapter, file: path, size, modifiedAt });
      return;
    }
    this.earlier.delete(path);
    this.open(path, adapter);
  }

  private open(file: string, adapter: AgentAdapter): void {
    const { tail, readSmall } = this.parts;
    const make = () =>
      new Transcript({
        decoder: adapter.createDecoder({ file, readSmall }),
        sessionFor: (event) => this.sessionFor(event, adapter, file),
        beforeEvent: (event, session) => {
          this.settle(session, event.at);
          this.correspondence.event(session, event);
        },
      });
    let transcript = make();
    const reader = tail.open(file, {
      unit: adapter.unit,
      from: 'start',
      markers: adapter.callMarkers,
      line: (line, calls) => {
        transcript.line(line, adapter.ownCalls?.(line.text, calls) ?? calls);
        this.wrote(transcript);
      },
      document: (text, calls) => {
        transcript.document(text, calls);
        this.wrote(transcript);
      },
      database: async (database, log) => {
        await transcript.database(database, log);
        this.wrote(transcript);
      },
      reset: (reason) => {
        // A new generation of the file: its sessions begin anew, what was recorded of the old ones stays in the history.
        this.parts.log.info(`${file}: read anew (${reason})`);
        for (const session of transcript.sessions) this.forget(session);
        transcript = make();
        this.files.set(file, { adapter, transcript, reader });
      },
      caughtUp: () => this.caughtUp(transcript),
      gone: () => this.gone(transcript, file),
      problem: (problem) => {
        this.parts.log.warn(`${file}: ${problem.why}`);
        transcript.problem(problem);
      },
    });
    this.files.set(file, { adapter, transcript, reader });
  }

  private sessionFor(event: AgentEvent, adapter: AgentAdapter, file: string): Session {
    const known = this.sessions.get(event.session);
    if (known) return known;
    const session = new Session({
      agent: adapter.id,
      agentName: adapter.name,
      session: event.session,
      file,
      showsRunningTool: adapter.showsRunningTool,
      detectors: this.settings.detectors(adapter.id),
      live: true,
      isHistory: (at) => at < this.startedAt,
      onIncident: (incident, before, of) => this.incident(incident, before, of),
      onStep: (step, of) => this.correspondence.step(of, step),
    });
    session.liveness = this.seenAlive.get(event.session) ?? null;
    this.sessions.set(event.session, session);
    this.correspondence.look(session);
    this.livenessAlarm.at(this.parts.clock.now() + LIVENESS_INTERVAL_MS);
    return session;
  }

  private incident(incident: Incident, before: Incident | null, session: Session): void {
    if (before === null) {
      const stored = this.parts.stored(incident.id);
      if (stored) this.resume(session, incident, stored);
    }
    const now = session.book.all().find((one) => one.id === incident.id) ?? incident;
    this.incidentChanged.fire({ incident: now, before, session: session.options.session });
  }

  /** What a person or a recovery did to an incident before the window was reloaded holds on. */
  private resume(session: Session, incident: Incident, stored: Incident): void {
    for (const attempt of stored.attempts) session.changeIncident(incident.id, { type: 'attempt', attempt });
    if (stored.notified) session.changeIncident(incident.id, { type: 'notified', at: stored.updatedAt });
    if (stored.state === 'muted') session.changeIncident(incident.id, { type: 'mute', at: stored.updatedAt });
    if (stored.state === 'escalated') session.changeIncident(incident.id, { type: 'escalate', at: stored.updatedAt });
  }

  /** Rules that wait for silence speak before the event that ends it. */
  private settle(session: Session, at: number): void {
    for (let ticks = 0; ticks < 8 && session.deadline() <= at; ticks++) session.tick(session.deadline());
  }

  private wrote(transcript: Transcript): void {
    const now = this.parts.clock.now();
    for (const session of transcript.sessions) {
      session.lastReadAt = now;
      this.gatherer.add(session.options.session);
      this.alarm.at(Math.max(now + 1_000, session.deadline()));
    }
  }

  /** The file was read to its end: what is still stuck there is going on now, not history, if its session is. */
  private caughtUp(transcript: Transcript): void {
    const now = this.parts.clock.now();
    for (const session of transcript.sessions) {
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
      session.end(session.facts.lastEventAt);
      session.deleted = true;
      this.gatherer.add(session.options.session);
    }
  }

  private forget(session: Session): void {
    session.end(session.facts.lastEventAt);
    this.sessions.delete(session.options.session);
    this.correspondence.forget(session);
    this.gatherer.add(session.options.session);
  }

  private close(file: string): void {
    const open = this.files.get(file);
    if (!open) return;
    open.reader.dispose();
    this.files.delete(file);
    for (const session of open.transcript.sessions) {
      this.sessions.delete(session.options.session);
      if (!this.stopped) this.gatherer.add(session.options.session);
    }
  }

  /** Time has passed: silence, long turns, runtime. The clock of the detectors is the transcript's, which is this machine's. */
  private tick(): void {
    const now = this.parts.clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const session of this.sessions.values()) {
      if (session.facts.ended || session.liveness?.alive === false) continue;
      if (session.deadline() <= now) {
        session.tick(now);
        this.gatherer.add(session.options.session);
      }
      next = Math.min(next, session.deadline());
    }
    this.alarm.at(Math.max(now + 1_000, next));
  }

  /** Asks the registries of the agents which sessions live. No timer runs while there is no session. */
  private checkLiveness(): void {
    const { adapters, environment, probe, clock } = this.parts;
    for (const adapter of adapters) {
      if (!adapter.liveness || this.settings.disabled.has(adapter.id)) continue;
      const live = adapter.liveness(environment, probe);
      for (const [session, liveness] of live) this.learnLiveness(session, liveness);
      for (const [session, before] of this.seenAlive) {
        const agent = this.sessions.get(session)?.options.agent;
        if (agent === adapter.id && before.alive && !live.has(session))
          this.learnLiveness(session, { ...before, alive: false });
      }
    }
    if (this.sessions.size > 0) this.livenessAlarm.at(clock.now() + LIVENESS_INTERVAL_MS);
  }

  private learnLiveness(key: string, liveness: Liveness): void {
    const before = this.seenAlive.get(key);
    const same =
      before &&
      before.alive === liveness.alive &&
      before.status === liveness.status &&
      before.waitingFor === liveness.waitingFor;
    if (same) return;
    this.seenAlive.set(key, liveness);
    const session = this.sessions.get(key);
    if (!session) return;
    session.liveness = liveness;
    if (!liveness.alive) session.end(session.facts.lastEventAt);
    this.gatherer.add(key);
  }
}

/** The adapter that is sure of a file; else the first that thinks it may be its own. */
export function recognise(adapters: readonly AgentAdapter[], head: string, file: string): AgentAdapter | undefined {
  let maybe: AgentAdapter | undefined;
  for (const adapter of adapters) {
    const answer = adapter.recognises(head, file);
    if (answer === 'yes') return adapter;
    if (answer === 'maybe') maybe ??= adapter;
  }
  return maybe;
}
