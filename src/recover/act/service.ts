import {
  type AgentView,
  type Delivery,
  type Incident,
  RECOVERY_ACTIONS,
  type RecoveryAction,
  isTurnOver,
} from '../../core/model';
import { listCheckpoints, restoreCheckpoint } from '../checkpoint';
import { decideClick } from '../decisions/click';
import { type Decision, REASON_TEXTS } from '../decisions/decision';
import { ladderView } from '../decisions/ladder-view';
import { recommended } from '../decisions/recommend';
import { messageHindrance, type MessageSituation } from '../decisions/reach';
import { blockText } from '../drafts/block-call';
import { stopText } from '../drafts/restart-prompt';
import type { StoreChange } from '../../history/types';
import { type Disposable, DisposableStore } from '../../base/util/disposable';
import { Emitter } from '../../base/util/emitter';
import { type Result, fail } from '../../base/util/result';
import { HINDRANCE_TEXTS } from '../../core/words';
import { actionName } from '../../core/words/messages/recovery';
import { Actor } from './actor';
import { AttemptSender } from './sending';
import { Automatic } from './automatic';
import { Cases } from './cases';
import { CHECKPOINT_MS, within } from './checkpoint-time';
import { Drafts } from './drafts';
import { RecoveryJournal } from './journal';
import type {
  ActFailure,
  ActRequest,
  Acted,
  CheckpointWatch,
  Launch,
  RecoveryProposal,
  RecoveryParts,
  RecoveryStep,
  StartFailure,
  Successor,
} from './ports';
import { Results } from './results';

/**
 * Recovery of stuck agents on top of the engine, the inboxes and the store: the possible actions and their reasons, actions by a click, automatic
 * mode, and the results. It knows no editor: it hands out terminals for others to open.
 */
export class Recovery implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly stepped: Emitter<RecoveryStep>;
  private readonly launched: Emitter<Launch>;
  private readonly changed: Emitter<void>;
  /** Fires for each step of a recovery and each result. */
  readonly onRecovery: Emitter<RecoveryStep>['event'];
  /** Fires when a terminal can be opened, because the process that stood in its way has ended. */
  readonly onLaunch: Emitter<Launch>['event'];
  /** Fires when countdowns, holds or proposals may have changed. */
  readonly onDidChange: Emitter<void>['event'];

  private readonly cases: Cases;
  private readonly drafts: Drafts;
  private readonly journal: RecoveryJournal;
  private readonly results: Results;
  private readonly sending: AttemptSender;
  private readonly actor: Actor;
  private readonly automatic: Automatic;
  /** Blocked items of plans that were reported, by session. */
  private readonly blocked = new Map<string, string>();

  constructor(private readonly parts: RecoveryParts) {
    const { engine, store, log } = parts;
    const onError = (error: unknown) => log.error(String(error));
    this.stepped = new Emitter(onError);
    this.launched = new Emitter(onError);
    this.changed = new Emitter(onError);
    this.onRecovery = this.stepped.event;
    this.onLaunch = this.launched.event;
    this.onDidChange = this.changed.event;
    this.cases = new Cases(parts);
    this.drafts = new Drafts(this.cases);
    this.journal = new RecoveryJournal(parts, (step) => this.stepped.fire(step));
    this.results = new Results(parts, this.cases, this.journal, () => this.actor);
    this.sending = new AttemptSender(parts, this.cases, this.journal);
    this.actor = new Actor(parts, this.cases, this.drafts, this.journal, this.sending, {
      launch: (launch) => this.launched.fire(launch),
      follow: (followed) => this.results.follow(followed),
    });
    this.automatic = this.owned.add(new Automatic(parts, this.cases, this.actor, () => this.changed.fire()));
    this.owned.add(
      engine.onDidChangeIncident(({ incident }) => {
        this.results.incidentChanged(incident);
        this.automatic.soon();
      }),
    );
    this.owned.add(
      engine.onDidChange((keys) => {
        this.results.sessionsChanged();
        this.actor.later.sessionsChanged();
        this.actor.pending.sessionsChanged();
        for (const key of keys) this.lookAtPlan(key);
        this.automatic.soon();
      }),
    );
    this.owned.add(store.onDidChange((change) => this.otherWindow(change)));
  }

  /** Returns the current options for an incident: ladder, menu, automatic mode. Undefined if no session remembers it. */
  propose(incident: string): RecoveryProposal | undefined {
    const found = this.cases.find(incident);
    if (!found) return undefined;
    const facts = this.cases.facts(found);
    const actions = RECOVERY_ACTIONS.map((action) => {
      const decision = decideClick(facts, { action });
      const name = actionName(action, decision.start?.model);
      return { action, name, possible: decision.do !== 'nothing', text: decision.text, decision };
    });
    const held = this.automatic.isHeld(incident);
    const next = this.automatic.decide(found);
    const waits = next.do === 'wait' && next.reason === 'countdown';
    return {
      ladder: ladderView(facts, this.automatic.limit(found)),
      actions,
      recommended: recommended(facts),
      automatic: {
        on: this.parts.settings().automatic,
        held,
        next: waits && next.until !== undefined ? { rung: next.rung?.number ?? null, at: next.until } : null,
        text: next.text,
      },
    };
  }

  /**
   * Returns the sessions that could take over the task of an incident: those in the same folder whose turn has ended. Looks up the folder of each on
   * disk, so it is called when a person is about to choose one, not with each proposal.
   */
  successors(incident: string): readonly Successor[] {
    const found = this.cases.find(incident);
    if (!found) return [];
    const { view } = found;
    const root = this.cases.rootFolder(view);
    return this.parts.engine
      .agents()
      .filter((one: AgentView) => {
        const isIdle = one.state.kind === 'waiting' && isTurnOver(one.state.waitingFor);
        return (
          isIdle && one.session !== view.session && one.parent === undefined && this.cases.rootFolder(one) === root
        );
      })
      .map(({ session, title, agentName }) => ({ session, title, agentName }));
  }

  /** Returns the text that an action would send, for the person to read and edit. */
  draft(incident: string, action: RecoveryAction): string {
    const found = this.cases.find(incident);
    if (!found) return '';
    const now = this.parts.clock.now();
    switch (action) {
      case 'nudge':
        return this.drafts.nudge(found, false, now);
      case 'split':
        return this.drafts.nudge(found, false, now, true);
      case 'resume':
      case 'fork':
      case 'fresh':
      case 'reassign':
        return this.drafts.prompt(found, action, false, now);
      case 'next_model':
      case 'top_model':
        return this.drafts.prompt(found, 'fresh', false, now);
      case 'stop':
        return stopText(found.incident, false, now);
      case 'block':
        return blockText(found.incident, false);
      case 'checkpoint':
      case 'ask':
        return '';
    }
  }

  /** Returns the facts that decide whether a message may be written for an agent, about an incident or not. */
  messageSituation(view: AgentView): MessageSituation {
    return this.cases.messageSituation(view);
  }

  /** Returns the effect of a click now, with the reason. */
  decide(incident: string, request: Pick<ActRequest, 'action' | 'rung'>): Decision {
    const found = this.cases.find(incident);
    if (!found) return { do: 'nothing', reason: 'over', text: REASON_TEXTS.over, rung: null };
    const choice = request.action !== undefined ? { action: request.action } : { rung: request.rung ?? 0 };
    return decideClick(this.cases.facts(found), choice);
  }

  /** Carries out a person's click. */
  async act(incident: string, request: ActRequest): Promise<Result<Acted, ActFailure>> {
    const found = this.cases.find(incident);
    if (!found) return fail({ code: 'no_incident', message: 'This incident is no longer open.' });
    const acted = await this.actor.perform(found, this.decide(incident, request), { ...request, automated: false });
    this.automatic.soon();
    this.changed.fire();
    return acted;
  }

  /** Writes a message of the person's own, about no incident, if one may be written. */
  async message(view: AgentView, text: string): Promise<Result<Delivery, ActFailure>> {
    const hindrance = messageHindrance(this.messageSituation(view));
    if (hindrance !== null) return fail({ code: 'not_possible', message: HINDRANCE_TEXTS[hindrance] });
    const sent = await this.sending.send(null, view, { kind: 'nudge', text }, false);
    if (sent.ok) this.journal.wrote(view, sent.value);
    return sent;
  }

  /** Returns the start that waits for the agent of this session to end, after a click on restart; null if there is none. */
  waitsFor(session: string): Launch | null {
    return this.actor.waitsFor(session);
  }

  /** Returns the program that a click would start, for a person who starts it elsewhere; null if it starts none. */
  planned(incident: string, request: Pick<ActRequest, 'action' | 'rung'>): Launch | null {
    const found = this.cases.find(incident);
    const decision = this.decide(incident, request);
    return found && decision.start
      ? this.actor.planned({ found, decision, options: { automated: false }, checkpoint: null })
      : null;
  }

  /** Called when the program of a launch ended with an error within seconds: no attempt is counted. False if it is known to have started. */
  notStarted(launch: string, failure: StartFailure): boolean {
    const isPending = this.actor.pending.failed(launch, failure);
    this.changed.fire();
    return isPending;
  }

  /** Called when the agent of this session was ended in its terminal, and its process is gone. */
  ended(session: string): void {
    this.actor.later.ended(session);
    this.changed.fire();
  }

  /** Drops the restart, because the person starts the agent by hand. */
  dropRestart(session: string): void {
    this.actor.later.forget(session);
    this.changed.fire();
  }

  /** Holds automatic mode for an incident, or lets it continue. */
  hold(incident: string, on: boolean): void {
    this.automatic.hold(incident, on);
    this.changed.fire();
  }

  /** Called when settings changed. */
  settingsChanged(): void {
    this.automatic.soon();
    this.changed.fire();
  }

  /** Saves the work in progress of a session, stuck or not. */
  saveCheckpoint(session: string, watch: CheckpointWatch = {}) {
    const view = this.parts.engine.agent(session);
    if (!view) return Promise.resolve(fail({ code: 'not_found' as const, message: 'This session no longer exists.' }));
    return this.actor.save({ view, incident: view.incidents[0] ?? null }, within(CHECKPOINT_MS, watch));
  }

  /** Lists the checkpoints of the work tree of a folder, newest first. */
  checkpoints(cwd: string) {
    const { processes, files } = this.parts;
    return listCheckpoints({ processes, files, cwd });
  }

  restoreCheckpoint(cwd: string, ref: string, watch: CheckpointWatch = {}) {
    const { processes, files } = this.parts;
    return restoreCheckpoint({ processes, files, cwd, ref, ...within(CHECKPOINT_MS, watch) });
  }

  dispose(): void {
    this.owned.dispose();
    this.actor.pending.dispose();
    this.stepped.dispose();
    this.launched.dispose();
    this.changed.dispose();
  }

  /** Reports a blocked item in the agent's own plan once, even without an incident. */
  private lookAtPlan(key: string): void {
    const { engine } = this.parts;
    const plan = engine.session(key)?.facts.plan ?? [];
    const blocked = plan.filter((item) => item.status === 'blocked').map((item) => item.id);
    const now = blocked.join('\n');
    // Sessions change many times a second, plans rarely: a snapshot is taken only for something new.
    if (now === (this.blocked.get(key) ?? '')) return;
    const view = engine.agent(key);
    if (!view || view.history || view.state.kind === 'finished') return;
    this.blocked.set(key, now);
    if (blocked.length > 0)
      this.journal
        .planBlocked(view, view.incidents[0] ?? null)
        .catch((error: unknown) => this.parts.log.warn(String(error)));
  }

  /** Takes over what another window did: its attempts and its requests to the person count here too. */
  private otherWindow(change: StoreChange): void {
    const { engine, store, log } = this.parts;
    if (change.source === 'own') return;
    for (const id of change.incidents) {
      const stored = store.known(id);
      const found = stored && this.cases.find(id);
      if (!stored || !found) continue;
      const missing = stored.attempts.filter((attempt) => !has(found.incident, attempt.message));
      for (const attempt of missing) {
        engine.changeIncident(id, { type: 'attempt', attempt });
        this.cases.catchUp(id, found.view.session, attempt.message);
      }
      if (missing.length > 0) engine.mailChanged(found.view.session);
      if (stored.state === 'escalated') engine.changeIncident(id, { type: 'escalate', at: stored.updatedAt });
    }
    if (change.events.length === 0 || change.source !== 'other' || !this.automatic.keepsLedger) return;
    const since = this.parts.clock.now() - this.parts.settings().limits.windowMs;
    store.events({ type: 'Recovery', since }).then(
      (events) => {
        this.automatic.learn(events);
        this.automatic.soon();
      },
      (error: unknown) => log.warn(`the event log could not be read: ${String(error)}`),
    );
  }
}

function has(incident: Incident, message: string): boolean {
  return incident.attempts.some((attempt) => attempt.message === message);
}
