import type { Liveness } from '../../agents/transcripts';
import type { Step } from '../../detect/steps/step';
import type { GateRun } from '../../detect/session/gate-run';
import { PermissionWait } from '../../detect/session/permission-wait';
import { type SessionDetectors, createSessionDetectors } from '../../detect/session/session-detectors';
import { IncidentBook, type IncidentInput, incidentId, MOST_INCIDENTS, onlySeemed } from '../../detect/incident';
import {
  type AgentEvent,
  type AgentId,
  type AgentView,
  type Delivery,
  type DetectorId,
  type DetectorOptions,
  type Finding,
  type GateReport,
  type Incident,
  type NearMiss,
  type Problem,
  type ProgressMarker,
  type RaisedLimit,
  type ToolCallEvent,
  type TurnEndReason,
  type TurnEnds,
  type WaitingCall,
  arrivedAt,
} from '../../core/model';
import { isHint } from '../../core/rules';
import { ClaimWatch, type GateSignal } from '../../detect/session/claim';
import { nextStateMoment, waitingOf } from './agent-state';
import { CoverageCount } from './coverage';
import { SessionFacts, SILENCE_WITHOUT_TURNS_MS } from './facts';
import { HealthCounters } from './health';
import type { SessionNote } from './session-note';
import { SessionSteps } from './session-steps';
import { type RunPlace, optional, sessionView, waitingCalls } from './session-view';

export interface SessionOptions {
  readonly agent: AgentId;
  readonly agentName: string;
  readonly session: string;
  /** Changes when the transcript moves. */
  file: string;
  readonly showsRunningTool: boolean;
  /** Absent: the session shows it. */
  readonly turnEnds?: TurnEnds;
  /** False if the format holds no calls. */
  readonly holdsCalls?: boolean;
  readonly detectors: Readonly<Record<DetectorId, DetectorOptions>>;
  /** Limits that a person raised (*Not Stuck*). */
  readonly raised?: readonly RaisedLimit[];
  /** True if this moment was before the window opened. */
  readonly isHistory: (at: number) => boolean;
  /** Longest delay between a call and its outcome in the transcript, milliseconds. Absent: the outcome comes with the next call at the latest. */
  readonly outcomesLateMs?: number | undefined;
  /** Returns the id that an earlier reading assigned to a streak, if readings differ a little in its time; undefined if it is new. */
  readonly known?: ((finding: Finding) => string | undefined) | undefined;
  /** True for a file that is being followed. */
  readonly live: boolean;
  /** Its records have no time of their own: the time of reading does not distinguish one incident from another. */
  readonly timeless?: boolean;
  readonly onIncident: (incident: Incident, before: Incident | null, session: Session) => void;
  readonly onHint?: (hint: Incident, session: Session) => void;
  readonly onStep?: (step: Step, session: Session) => void;
  /** Reports claims of completion and whatever voids an earlier one. Called after the detectors have seen the event. */
  readonly onGateSignal?: (signal: GateSignal, session: Session) => void;
}

/** Change of an incident when another session object took over. */
export interface TakenOver {
  readonly before: Incident;
  /** The id of the same incident in the new object; null: it is not known there. */
  readonly replaced: string | null;
  /** Its state from now on; null: nothing is to be reported. */
  readonly after: Incident | null;
}

/** One agent session: takes its events, and keeps its state, incidents and timeline. Everything it knows came through `push` and `tick`. */
export class Session {
  readonly facts: SessionFacts;
  /** Empty once nothing more is read. */
  timeline = new SessionSteps();
  readonly health = new HealthCounters();
  readonly book: IncidentBook;
  /** Hints about the agent, in the form of incidents: they are neither stored nor counted. */
  readonly hints: IncidentBook;
  liveness: Liveness | null = null;
  deliveries: readonly Delivery[] = [];
  /** Its knowledge of the first lines comes from the note of an earlier reading; its rules have not seen them. */
  isNoted = false;
  /** Number of findings of its rules. */
  findings = 0;
  /** Where reading began, if the history before that has not been read. */
  since: number | undefined;
  lastReadAt = 0;
  /** Everything it holds so far was copied from another session: it is no agent of its own until it continues. */
  isCopy = false;
  /** Its place among the sessions of a loop that starts agents; set even for one that is alone so far. */
  run: RunPlace | undefined;
  /** Its transcript was deleted; what was recorded stays. */
  deleted = false;

  /** The last run of the quality gates, or the one under way. */
  gates: GateReport | null = null;

  /** Null once nothing more of it is read. */
  private reading: { readonly detectors: SessionDetectors; readonly permissionWait: PermissionWait } | null;
  private permissionAtEnd: number | null = null;
  private pendingAtEnd: readonly WaitingCall[] = [];
  private readonly claims = new ClaimWatch();
  readonly nearMisses = new Map<string, NearMiss>();
  readonly coverage: CoverageCount;
  private steps = 0;
  private tickedAt = 0;
  /** Value from the note that it took over. */
  private couldContinue = true;
  private taken: { id: string; at: number; step: number } | null = null;

  constructor(readonly options: SessionOptions) {
    this.facts = new SessionFacts(options.agentName, options.turnEnds);
    this.coverage = new CoverageCount(options.outcomesLateMs);
    const opens = {
      facts: () => this.incidentFacts(),
      id: (finding: Finding) =>
        options.known?.(finding) ??
        incidentId(
          options.timeless ? 0 : finding.at,
          options.agent,
          options.session,
          finding.key,
          String(finding.first.offset),
        ),
      isHistory: options.isHistory,
    };
    this.hints = new IncidentBook({ ...opens, onChange: (hint) => options.onHint?.(hint, this) });
    this.book = new IncidentBook({
      ...opens,
      onChange: (incident, before) => this.incidentChanged(incident, before),
      onFull: ({ first: { line, offset } }) =>
        this.problem({ line, offset, why: `more than ${MOST_INCIDENTS} incidents at a time: the others are left out` }),
    });
    const detectors = createSessionDetectors(
      {
        agent: options.agent,
        showsRunningTool: options.showsRunningTool,
        turnEnds: options.turnEnds,
        holdsCalls: options.holdsCalls,
        isPersonsMove: (at) => this.isPersonsMove(at),
        options: options.detectors,
        ...(options.raised && { raised: options.raised }),
      },
      {
        finding: (finding) => this.found(finding),
        clearing: (clearing) => {
          this.hints.clearing(clearing);
          this.book.clearing(clearing);
        },
        nearMiss: (nearMiss) => this.cameNear(nearMiss),
        step: (step) => this.stepped(step),
        progress: (marker) => this.progressed(marker),
      },
    );
    this.reading = { detectors, permissionWait: new PermissionWait(detectors.context) };
  }

  /** Takes a record that another session wrote: it shows which session this is, and what was said. It is no step, and costs nothing. */
  copied(event: AgentEvent): void {
    this.isCopy = true;
    switch (event.type) {
      case 'tool_call':
        return this.coverage.copied();
      case 'session_info':
      case 'user':
      case 'assistant':
      case 'turn_start':
      case 'turn_end':
      case 'session_end':
        return this.facts.push(event);
      default:
    }
  }

  push(event: AgentEvent): void {
    if (this.isCopy) this.facts.startedAt = event.at;
    this.isCopy = false;
    if (event.type === 'user' && !event.automated) this.leaveTurn(event.at);
    this.facts.push(event);
    this.health.push(event);
    this.coverage.push(event);
    switch (event.type) {
      case 'user':
        if (event.automated) break;
        this.mark('user', event.at, '');
        // Live, near misses before a person's message are past; in a scan of a whole session the nearest one counts.
        if (this.options.live) this.nearMisses.clear();
        break;
      case 'compaction':
        this.mark('compacted', event.at, '');
        break;
      case 'message_taken':
        this.mark('nudge', event.at, event.message);
        break;
      default:
    }
    this.reading?.detectors.push(event);
    this.reading?.permissionWait.push(event);
    if (event.type === 'session_end') this.ended(event.at, event.source.line);
    this.signal(this.claims.push(event));
  }

  /** Takes the verdict of the quality gates on a claim of this session. */
  judge(run: GateRun): void {
    this.mark(run.passed ? 'gate_passed' : 'gate_failed', run.at, run.blockedBy ?? '');
    this.reading?.detectors.gates(run);
  }

  /** Called when the agent's own hook says that its turn ends, before the transcript does. */
  turnEnds(at: number): void {
    const { file } = this.options;
    this.signal(this.claims.hookEnded(at, { file, line: this.facts.lastLine, offset: 0 }));
  }

  /**
   * Notes that a line, or several records, were read, with the number of the vendor's call markers in their raw bytes. Called before their events.
   */
  lineRead(calls: number, lines = 1): void {
    this.coverage.lineRead(calls, lines);
  }

  problem(problem: Problem): void {
    this.coverage.problem(problem);
  }

  tick(now: number): void {
    this.reading?.detectors.tick(now);
    this.reading?.permissionWait.tick(now);
    this.facts.tick(now);
    this.tickedAt = now;
  }

  /** Notes that the machine slept until now, milliseconds since the epoch. */
  woke(at: number): void {
    this.reading?.detectors.woke(at);
  }

  /**
   * Called when nothing more of it is read; only its incidents may still change. Releases what reading needs, which is most of its memory, and its
   * timeline.
   *
   * @param now milliseconds since the epoch
   */
  rest(now: number): void {
    this.permissionAtEnd = this.permissionSince(now);
    this.pendingAtEnd = waitingCalls(this.pending);
    this.reading = null;
    this.timeline = new SessionSteps();
    this.facts.keptCalls.clear();
  }

  /** Returns when a tick could next report something new, milliseconds since the epoch. */
  deadline(): number {
    const opensAt = this.facts.usageLimit?.opensAt ?? Number.POSITIVE_INFINITY;
    const { detectors, permissionWait } = this.reading ?? {};
    const never = Number.POSITIVE_INFINITY;
    const next = nextStateMoment(this.facts, this.liveness, this.taken?.at, this.tickedAt);
    return Math.min(detectors?.deadline() ?? never, permissionWait?.deadline() ?? never, opensAt, next);
  }

  setDetectors(options: Readonly<Record<DetectorId, DetectorOptions>>): void {
    this.reading?.detectors.setOptions(options);
  }

  setRaised(raised: readonly RaisedLimit[]): void {
    this.reading?.detectors.setRaised(raised);
  }

  /** Called when the process or the transcript is gone: everything open ends here. */
  end(at: number): void {
    this.ended(at, this.facts.lastLine);
  }

  private ended(at: number, line: number): void {
    this.hints.sessionEnd(at, line);
    this.book.sessionEnd(at, line);
  }

  private found(finding: Finding): void {
    this.findings++;
    if (isHint(finding)) return this.hints.finding(finding);
    // What began as a hint now counts as an incident.
    const { detector, key, at, source } = finding;
    this.hints.clearing({ detector, key, reason: 'different_result', at, source });
    this.book.finding(finding);
  }

  /** Sets the states of the messages to this session. When one is first seen as taken, the agent is recovering for some steps. */
  setDeliveries(deliveries: readonly Delivery[]): void {
    this.deliveries = deliveries;
    for (const delivery of deliveries) {
      const at = arrivedAt(delivery);
      if (at !== undefined && (!this.taken || at > this.taken.at))
        this.taken = { id: delivery.message.id, at, step: this.steps };
      if (!delivery.message.incident) continue;
      this.book.change(delivery.message.incident, {
        type: 'delivery',
        message: delivery.message.id,
        state: delivery.state,
        at: delivery.times[delivery.state] ?? 0,
        ...(delivery.outcome && { outcome: delivery.outcome }),
      });
    }
  }

  /**
   * Takes the place of a session of the same name that knew less of its transcript, with its messages and what people did to its incidents. Returns
   * what becomes of each incident of the other one.
   *
   * @param now milliseconds since the epoch
   */
  takeOver(other: Session, now: number): readonly TakenOver[] {
    this.deliveries = other.deliveries;
    this.taken = other.taken && { ...other.taken, step: this.steps - (other.steps - other.taken.step) };
    this.lastReadAt = other.lastReadAt;
    this.gates = other.gates;
    return other.book.all().map((before) => {
      const replaced = this.book.takeOver(before);
      if (replaced !== null) return { before, replaced, after: this.book.get(before.id) ?? null };
      return { before, replaced: null, after: before.resolvedAt === null ? onlySeemed(before, now) : null };
    });
  }

  /** Returns what a later reading of the last lines needs to know everything that is known here. */
  note(): SessionNote {
    const { facts, health, coverage, book, hints, nearMisses, steps, isCopy, reading } = this;
    const isOwn = !isCopy && facts.forkedFrom === undefined;
    return {
      facts: facts.note(),
      health: health.note(),
      coverage: coverage.note(),
      incidents: book.note(),
      hints: hints.note(),
      nearMisses: [...nearMisses],
      steps,
      isCopy,
      permission: reading?.permissionWait.note() ?? { hasPerson: true, allowed: [] },
      canContinue: this.couldContinue && isOwn && book.isQuiet && hints.isQuiet,
    };
  }

  /** Gives the rules what is known from before, because reading begins in the middle of the session. */
  recall({ facts, permission }: SessionNote, { at, source }: AgentEvent): void {
    const { agent, session } = this.options;
    const { cwd, mode, contextWindow, plan } = facts;
    this.push({ type: 'session_info', agent, session, at, source, ...optional({ cwd, mode, contextWindow }) });
    if (plan.length > 0) this.push({ type: 'plan', agent, session, at, source, items: plan });
    this.reading?.permissionWait.adopt(permission);
  }

  /** Takes over what a reading of the whole transcript knew, after reading its last lines. The resulting changes of incidents are not reported. */
  adopt({
    facts,
    health,
    coverage,
    incidents,
    hints,
    nearMisses,
    steps,
    isCopy,
    permission,
    canContinue,
  }: SessionNote): void {
    const { turnOpen, turnEnd } = facts;
    // A turn may be longer than the lines that were read: then the decoder does not recognise its end.
    if (this.facts.turnOpen && !turnOpen) this.endTurnOfRules(facts, turnEnd?.reason ?? 'done');
    this.facts.adopt(facts);
    this.health.adopt(health);
    this.coverage.adopt(coverage);
    this.book.adopt(incidents);
    this.hints.adopt(hints);
    this.nearMisses.clear();
    for (const [rule, nearMiss] of nearMisses) this.nearMisses.set(rule, nearMiss);
    if (this.taken) this.taken.step += steps - this.steps;
    this.steps = steps;
    this.isCopy = isCopy;
    this.reading?.permissionWait.adopt(permission);
    this.couldContinue = canContinue;
    this.isNoted = true;
    this.findings = 0;
    this.since = undefined;
    this.setDeliveries(this.deliveries);
  }

  /** Ends a turn that was left open long before a prompt, as by an agent whose process was killed: nothing of it still runs. */
  private leaveTurn(promptedAt: number): void {
    const { facts } = this;
    if (!facts.turnOpen || promptedAt - facts.lastEventAt < SILENCE_WITHOUT_TURNS_MS) return;
    facts.turnOpen = false;
    this.endTurnOfRules(facts, 'interrupted');
  }

  private endTurnOfRules(
    { lastEventAt: at, lastLine: line }: Pick<SessionFacts, 'lastEventAt' | 'lastLine'>,
    reason: TurnEndReason,
  ): void {
    const { agent, session, file } = this.options;
    const end = { type: 'turn_end', agent, session, at, source: { file, line, offset: 0 }, reason } as const;
    this.reading?.detectors.push(end);
    this.reading?.permissionWait.push(end);
  }

  changeIncident(id: string, input: IncidentInput): boolean {
    return this.book.change(id, input);
  }

  /** Returns the number of steps seen so far. */
  get stepCount(): number {
    return this.steps;
  }

  /**
   * Returns when a call probably began to wait for permission, milliseconds since the epoch; null if none does. If a registry of running sessions
   * reports whether one waits, silence means nothing more.
   */
  permissionSince(now: number): number | null {
    if (this.liveness?.status !== undefined) return null;
    return this.reading === null ? this.permissionAtEnd : this.reading.permissionWait.since(now);
  }

  /** True if it is the person's move. A registry of running sessions says more about that than silence does. */
  private isPersonsMove(at: number): boolean {
    if (waitingOf(this.facts, this.liveness) !== null) return true;
    return this.liveness?.status === undefined && this.reading?.permissionWait.isHeld(at) === true;
  }

  /** Returns the calls that have no result yet, oldest first. */
  private get pending(): readonly ToolCallEvent[] {
    return this.reading?.detectors.context.pending ?? [];
  }

  /** True if it is known to ask for no permission, so that an open call is running. */
  get asksNoPermission(): boolean {
    return this.reading?.permissionWait.asksNoPermission ?? false;
  }

  /** Returns a snapshot of everything that is shown. */
  view(now: number): AgentView {
    const { taken, steps, pending } = this;
    return sessionView(this, {
      now,
      taken: taken && { at: taken.at, steps: steps - taken.step },
      pending,
      waiting: this.reading ? waitingCalls(pending) : this.pendingAtEnd,
      permissionSince: this.permissionSince(now),
      lasting: this.lasting(now),
    });
  }

  private stepped(step: Step): void {
    const isNew = step.occurrence === 1;
    this.reading?.permissionWait.stepped(step);
    this.steps++;
    this.hints.step();
    this.book.step();
    this.health.step(step, this.steps - 1, isNew);
    this.timeline.push({
      at: step.at,
      kind: step.call.kind,
      failed: step.failed,
      seen: !isNew,
      outcome: step.outcome,
      line: step.result.source.line,
      offset: step.result.source.offset,
      subject: step.call.subject,
      tool: step.call.name,
    });
    this.options.onStep?.(step, this);
    this.signal(this.claims.step(step.call.kind === 'changed' && !step.failed, step.at));
  }

  /** Returns the current counts of the rules about time; none for a transcript that is only scanned. */
  private lasting(now: number): readonly NearMiss[] {
    return this.options.live ? (this.reading?.detectors.lasting(now) ?? []) : [];
  }

  private cameNear(nearMiss: NearMiss): void {
    const key = `${nearMiss.detector}/${nearMiss.rule ?? ''}`;
    const before = this.options.live ? undefined : this.nearMisses.get(key);
    if (before && before.reached / before.limit > nearMiss.reached / nearMiss.limit) return;
    this.nearMisses.set(key, nearMiss);
  }

  private signal(signal: GateSignal | null): void {
    if (!signal) return;
    if (signal.type === 'claim') this.health.claim(signal.claim);
    this.options.onGateSignal?.(signal, this);
  }

  private progressed(marker: ProgressMarker): void {
    this.health.progress(marker);
    if (marker.kind === 'commit') this.mark('commit', marker.at, marker.text);
    this.book.progress(marker);
  }

  private incidentChanged(incident: Incident, before: Incident | null): void {
    if (incident.stuckAt !== null && (before?.stuckAt ?? null) === null)
      this.mark('stuck', incident.stuckAt, incident.subject);
    if (incident.state === 'recovered' && before?.state !== 'recovered')
      this.mark('recovered', incident.updatedAt, incident.subject);
    this.options.onIncident(incident, before, this);
  }

  private mark(
    kind: 'user' | 'compacted' | 'nudge' | 'gate_passed' | 'gate_failed' | 'commit' | 'recovered' | 'stuck',
    at: number,
    text: string,
  ): void {
    this.timeline.mark({ kind, at, step: this.timeline.length, text });
  }

  private incidentFacts() {
    const { facts, options } = this;
    return {
      agent: options.agent,
      agentName: facts.agentName,
      session: options.session,
      title: facts.title || facts.agentName,
      file: options.file,
      ...optional({ model: facts.model, role: facts.role, folder: facts.cwd }),
    };
  }
}
