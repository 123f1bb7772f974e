import { type AgentView, type GateReport, type GateResult, needsAnswer } from '../../core/model';
import type { CompletionClaim, GateSignal } from '../../detect/session/claim';
import type { Gate } from './gate';
import { type GatePlan, planGates } from './plan';
import { blockedBy, failureWords, verdictOf } from './verdict';
import type { Disposable } from '../../base/util/disposable';
import { Emitter } from '../../base/util/emitter';
import { blockedIncident, sendFeedback } from './gate-feedback';
import { type GatePlace, gatePlace } from './place';
import type { GateParts } from './ports';
import { VerdictFiles } from './verdict-files';

/** A claim that is older when it is read is history: the agent has long since continued or ended. Milliseconds. */
const FRESH_CLAIM = 120_000;
/** Age up to which an edit arms the gates of an agent that is at work when the window opens. */
const FRESH_EDIT = 1_800_000;

interface Running {
  readonly abort: AbortController;
  readonly claim: CompletionClaim | null;
}

/** One run of gates by command. */
export interface CommandRun {
  readonly folder: string;
  readonly gates: readonly Gate[];
  /** The session at which it is shown, if one was chosen. */
  readonly session?: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (report: GateReport) => void;
}

/**
 * Runs quality gates when an agent claims completion, and reports failures to the agent. Once per claim, one run in a folder at a time; the newest
 * claim of a session wins. Knows no editor.
 */
export class QualityGates implements Disposable {
  private readonly changed = new Emitter<GateReport>((error) => this.parts.log.error(String(error)));
  /** Fires when a run began, progressed or ended. */
  readonly onDidChange = this.changed.event;

  private readonly running = new Map<string, Running>();
  /** Sessions with an edit whose gates are being looked up. */
  private readonly arming = new Set<string>();
  /** Failed claims in a row, by session. */
  private readonly refused = new Map<string, number>();
  private readonly sending = new Map<string, Promise<GateReport | null>>();
  /** The end of the last run in each folder. */
  private readonly queue = new Map<string, Promise<unknown>>();
  private readonly files: VerdictFiles;
  private readonly subscription: Disposable;

  constructor(private readonly parts: GateParts) {
    this.files = new VerdictFiles(parts.pid, parts.now, parts.log, (session, at) => parts.engine.turnEnds(session, at));
    this.subscription = parts.engine.onDidSignalGates(({ session, signal }) => {
      this.hear(session, signal).catch((error: unknown) => parts.log.error(`quality gates: ${String(error)}`));
    });
  }

  dispose(): void {
    this.subscription.dispose();
    for (const { abort } of this.running.values()) abort.abort();
    this.files.dispose();
    this.changed.dispose();
  }

  /**
   * Called when settings, folders, trust or consent changed: hooks must not wait for a verdict that will not come, but for one on a session that
   * begins.
   */
  configure(): void {
    if (!this.mayRun()) for (const { abort, claim } of this.running.values()) if (claim) abort.abort();
    if (this.mayHold()) {
      this.files.removeMoved((session) => this.rootOf(session));
      this.armFolders().catch((error: unknown) => this.parts.log.error(`quality gates: ${String(error)}`));
    } else this.files.removeAll();
  }

  private rootOf(session: string): string | undefined {
    const view = this.parts.engine.agent(session);
    return view && gatePlace(view, this.parts.folders())?.root;
  }

  private async armFolders(): Promise<void> {
    const armed: string[] = [];
    for (const folder of this.parts.folders()) {
      const { gates, agreed } = await this.parts.gatesOf(folder);
      if (agreed && gates.length > 0) armed.push(folder);
    }
    await this.files.armFolders(this.mayHold() ? armed : []);
  }

  /** Ends the run over a session's work. False if none is under way. */
  cancel(session: string): boolean {
    const run = this.running.get(session);
    run?.abort.abort();
    return run !== undefined;
  }

  /** Runs gates at a person's request. A failure is shown; the agent receives it only by `send`. */
  async run(request: CommandRun): Promise<GateReport> {
    const { folder, gates, session, signal, onProgress } = request;
    const view = session === undefined ? undefined : this.parts.engine.agent(session);
    const place = view ? gatePlace(view, this.parts.folders()) : null;
    const runIn = place?.root === folder ? place.runIn : folder;
    const plan = planGates(gates);
    if (!plan.ok) throw new Error(plan.error);
    const show = (report: GateReport) => {
      if (session !== undefined) this.parts.engine.showGates(session, report);
      onProgress?.(report);
      this.changed.fire(report);
    };
    const report = await this.inTurn(runIn, () =>
      this.execute({ runIn, plan: plan.value, cause: 'command', claim: '', signal, show }),
    );
    show(report);
    if (session !== undefined && report.verdict === 'passed') {
      this.refused.delete(session);
      this.parts.engine.judge(session, { at: this.parts.now(), passed: true });
    }
    return report;
  }

  /** Sends the failures of a session's last run, after a person's click. A second click meanwhile sends nothing more. */
  send(session: string): Promise<GateReport | null> {
    const before = this.sending.get(session);
    if (before) return before;
    const sending = this.sendLast(session).finally(() => this.sending.delete(session));
    this.sending.set(session, sending);
    return sending;
  }

  private async sendLast(session: string): Promise<GateReport | null> {
    const before = this.parts.engine.agent(session);
    const place = before && gatePlace(before, this.parts.folders());
    if (!place) return null;
    const { gates } = await this.parts.gatesOf(place.root);
    // Another run may have begun or ended meanwhile.
    const view = this.parts.engine.agent(session);
    if (!view?.gates) return null;
    const report = await sendFeedback(
      {
        view,
        root: place.root,
        report: view.gates,
        advice: adviceOf(gates),
        most: this.parts.mostRefused(view.agent),
        automated: false,
        isHeld: false,
      },
      this.parts,
    );
    this.parts.engine.showGates(session, report);
    return report;
  }

  private mayRun(): boolean {
    return this.parts.settings().onCompletion && this.parts.isTrusted();
  }

  /** Returns whether a hook may hold back the end of a turn until its claim is judged. */
  private mayHold(): boolean {
    return this.mayRun() && this.parts.settings().waitMs > 0;
  }

  private async hear(session: string, signal: GateSignal): Promise<void> {
    switch (signal.type) {
      case 'claim':
        return this.claimed(session, signal.claim);
      case 'edited':
        this.overtake(session);
        return this.arm(session, signal.at);
      case 'no_claim':
        this.arming.delete(session);
        return this.nothingClaimed(session, signal.at);
      case 'person':
        this.overtake(session);
        this.refused.delete(session);
        return undefined;
      case 'ended':
        this.overtake(session);
        this.arming.delete(session);
        this.refused.delete(session);
        this.files.remove(session);
        return undefined;
    }
  }

  /** Cancels the run: the judged work has changed. */
  private overtake(session: string): void {
    const run = this.running.get(session);
    if (run?.claim) run.abort.abort();
  }

  /** Returns the session and its folder, if its claims are judged at all. */
  private judged(session: string): { view: AgentView; place: GatePlace } | null {
    if (!this.mayRun()) return null;
    const view = this.parts.engine.agent(session);
    // The work of a sub-agent is judged when its parent says that it is done.
    if (!view || view.parent !== undefined || view.deleted) return null;
    const place = gatePlace(view, this.parts.folders());
    return place && { view, place };
  }

  /** Lets a hook that waits for verdicts know that a claim would be judged now. */
  private async arm(session: string, at: number): Promise<void> {
    if (this.files.state(session) === 'armed' || this.parts.now() - at > FRESH_EDIT) return;
    const judged = this.judged(session);
    if (!judged || !this.mayHold() || !this.parts.holds(judged.view)) return;
    if (judged.view.state.kind === 'finished' && judged.view.state.ended !== 'clean') return;
    this.arming.add(session);
    const { gates, agreed } = await this.parts.gatesOf(judged.place.root);
    // The turn or the session may have ended meanwhile, or the gates may have been switched off.
    if (!this.arming.delete(session) || !this.mayHold()) return;
    const isRunning = this.running.get(session)?.abort.signal.aborted === false;
    if (gates.length === 0 || !agreed || isRunning) return;
    await this.files.publish(judged.place.root, session, 'armed', this.parts.settings().waitMs);
  }

  /** Releases the hook of a run without an edit: it need not wait until its session is armed. */
  private async nothingClaimed(session: string, at: number): Promise<void> {
    if (this.files.state(session) !== undefined) return this.publishNone(session);
    const judged = this.parts.now() - at > FRESH_CLAIM ? null : this.judged(session);
    if (!judged || !this.files.isArmed(judged.place.root) || !this.parts.holds(judged.view)) return;
    await this.files.publish(judged.place.root, session, 'none', this.parts.settings().waitMs);
  }

  private async publishNone(session: string): Promise<void> {
    const view = this.files.state(session) === undefined ? undefined : this.parts.engine.agent(session);
    const place = view && gatePlace(view, this.parts.folders());
    if (place) await this.files.publish(place.root, session, 'none', this.parts.settings().waitMs);
  }

  private async claimed(session: string, claim: CompletionClaim): Promise<void> {
    const { now, log, gatesOf, engine } = this.parts;
    if (now() - claim.at > FRESH_CLAIM) return;
    const judged = this.judged(session);
    if (!judged) return;
    const { view, place } = judged;
    const isHeld = this.parts.holds(view) && this.mayHold();
    this.running.get(session)?.abort.abort();
    const run: Running = { abort: new AbortController(), claim };
    this.running.set(session, run);
    try {
      const { gates, agreed } = await gatesOf(place.root);
      const plan = planGates(gates);
      if (!plan.ok) log.warn(`quality gates: ${plan.error}`);
      const asks = needsAnswer(view.state);
      if (!plan.ok || gates.length === 0 || !agreed || asks) {
        if (gates.length > 0 && !agreed) this.parts.notAgreed(place.root);
        await this.publishNone(session);
        return;
      }
      const mine = await this.parts.claim(
        view,
        claim.fromHook ? `gates:${claim.at}` : `gates:${claim.at}:${claim.source.line}`,
      );
      if (!mine) return;
      if (isHeld && !run.abort.signal.aborted)
        await this.files.publish(place.root, session, 'running', this.parts.settings().waitMs);
      const show = (report: GateReport) => {
        if (this.running.get(session) !== run) return;
        engine.showGates(session, report);
        this.changed.fire(report);
      };
      const ran = await this.inTurn(place.runIn, () =>
        this.execute({
          runIn: place.runIn,
          plan: plan.value,
          cause: 'claim',
          claim: claim.text,
          signal: run.abort.signal,
          show,
        }),
      );
      await mine.done();
      if (this.running.get(session) !== run) return;
      // An edit or a person may have made it void after the last command.
      const report = run.abort.signal.aborted ? { ...ran, verdict: 'cancelled' as const } : ran;
      const judgedReport = await this.conclude(report, { session, claim, place, gates, isHeld });
      show(judgedReport);
      // Where the session has ended meanwhile, or no claim is judged any more, no hook waits; where an edit has armed it again, the next verdict counts.
      const state = this.files.state(session);
      if (isHeld && state !== undefined && state !== 'armed')
        await this.files.publish(place.root, session, fileState(judgedReport), this.parts.settings().waitMs);
    } finally {
      if (this.running.get(session) === run) this.running.delete(session);
    }
  }

  /** Counts the failed claims, and passes the result to the detectors and the agent. */
  private async conclude(
    report: GateReport,
    of: { session: string; claim: CompletionClaim; place: GatePlace; gates: readonly Gate[]; isHeld: boolean },
  ): Promise<GateReport> {
    const { engine, now, log } = this.parts;
    const { session, claim } = of;
    switch (report.verdict) {
      case 'running':
      case 'cancelled':
        return report;
      case 'none':
        log.info(`quality gates of ${session}: no verdict`);
        return report;
      case 'passed':
        this.refused.delete(session);
        engine.judge(session, { at: now(), passed: true, claim });
        return report;
      case 'failed':
        break;
    }
    const attempt = (this.refused.get(session) ?? 0) + 1;
    this.refused.set(session, attempt);
    const failed = { ...report, attempt };
    const first = blockedBy(report.results);
    engine.judge(session, {
      at: now(),
      passed: false,
      claim,
      ...(first && { blockedBy: first.name, summary: failureWords(first) }),
    });
    const view = engine.agent(session);
    if (!view) return failed;
    const most = this.parts.mostRefused(view.agent);
    if (attempt > most) {
      const incident = blockedIncident(view);
      if (incident) engine.changeIncident(incident.id, { type: 'escalate', at: now() });
    }
    const advice = adviceOf(of.gates);
    return sendFeedback(
      { view, root: of.place.root, report: failed, advice, most, automated: true, isHeld: of.isHeld },
      this.parts,
    );
  }

  /** Allows one run in a folder at a time: two would spoil each other's output. */
  private async inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const before = this.queue.get(folder) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    this.queue.set(folder, settled);
    try {
      return await mine;
    } finally {
      if (this.queue.get(folder) === settled) this.queue.delete(folder);
    }
  }

  private async execute(run: {
    readonly runIn: string;
    readonly plan: GatePlan;
    readonly cause: GateReport['cause'];
    readonly claim: string;
    readonly signal: AbortSignal;
    readonly show: (report: GateReport) => void;
  }): Promise<GateReport> {
    const { processes, now, settings } = this.parts;
    const base = { folder: run.runIn, cause: run.cause, claim: run.claim, startedAt: now(), attempt: 0 };
    const report = (results: readonly GateResult[]): GateReport => ({
      ...base,
      endedAt: null,
      verdict: 'running',
      results,
    });
    // Reads the output of every kind of check: loaded with the first gate that runs.
    const { runGates } = await import('./run-gates');
    const results = await runGates({
      plan: run.plan,
      folder: run.runIn,
      processes,
      parallel: settings().parallel,
      signal: run.signal,
      now,
      onProgress: (partial) => run.show(report(partial)),
    });
    const verdict = run.signal.aborted ? 'cancelled' : verdictOf(results);
    return { ...base, endedAt: now(), verdict, results };
  }
}

export function adviceOf(gates: readonly Gate[]): ReadonlyMap<string, string> {
  return new Map(gates.flatMap(({ id, suggestion }) => (suggestion === undefined ? [] : [[id, suggestion]])));
}

function fileState(report: GateReport): 'passed' | 'failed' | 'none' {
  switch (report.verdict) {
    case 'passed':
      return 'passed';
    case 'failed':
      // Without feedback the agent would continue and not know why.
      return report.message === undefined ? 'none' : 'failed';
    case 'running':
    case 'none':
    case 'cancelled':
      return 'none';
  }
}
