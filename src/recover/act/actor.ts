import { monotonicFactory } from 'ulid';
import { launchPrompt, planLaunch } from '../../agents/launch';
import { sendMessage, sessionFolderName, type MessageDraft } from '../../agents/inbox';
import type { AgentView, Delivery, Incident, MessageKind, RungKind } from '../../core/model';
import { type SavedCheckpoint, saveCheckpoint } from '../checkpoint';
import type { AskReason, Decision } from '../decisions/decision';
import { planOutlook } from '../decisions/plan-items';
import { checkpointMessage } from '../drafts/progress-summary';
import { messageHindrance } from '../decisions/reach';
import type { PromptMode } from '../drafts/restart-prompt';
import { presentable } from '../../base/util/redact';
import { type Result, fail, ok } from '../../base/util/result';
import type { Cases } from './cases';
import { CHECKPOINT_MS, WAITED_FOR_MS, within } from './checkpoint-time';
import type { Drafts } from './drafts';
import type { RecoveryJournal } from './journal';
import { type LaterStart, LaterStarts } from './later-starts';
import type { ActFailure, ActOptions, Acted, Case, CheckpointWatch, Launch, RecoveryParts } from './ports';

/** An attempt whose effect shows in another session, or in the same one after a new start. */
export interface Followed {
  readonly incident: string;
  readonly message: string;
  readonly from: AgentView;
  readonly at: number;
  /** The session that goes on; undefined until it shows itself. */
  readonly session: string | undefined;
}

type Outcome = Promise<Result<Acted, ActFailure>>;

const nextId = monotonicFactory();

/** Does what was decided: writes messages, saves work, says which terminal to open. */
export class Actor {
  private readonly starts: LaterStarts;

  constructor(
    private readonly parts: RecoveryParts,
    private readonly cases: Cases,
    private readonly drafts: Drafts,
    private readonly journal: RecoveryJournal,
    private readonly hooks: {
      readonly launch: (launch: Launch) => void;
      readonly follow: (followed: Followed) => void;
    },
  ) {
    this.starts = new LaterStarts(parts, (later) => this.startAgain(later));
  }

  async perform(found: Case, decision: Decision, options: ActOptions): Outcome {
    switch (decision.do) {
      case 'nothing':
      case 'wait':
        return fail({ code: 'not_possible', message: decision.text });
      case 'ask':
        await this.ask(found, decision, decision.reason as AskReason);
        return ok({ kind: 'asked' });
      case 'checkpoint':
        return this.checkpoint(found, decision, options);
      case 'stop':
        return this.stop(found, decision, options);
      case 'nudge':
        return this.once(found, options, (attempt) => this.nudge(found, decision, options, attempt));
      case 'block':
        return this.once(found, options, (attempt) => this.block(found, decision, options, attempt));
      case 'reassign':
        return this.once(found, options, (attempt) => this.reassign(found, decision, options, attempt));
      case 'restart':
      case 'escalate':
        if (decision.confirmGone && !options.saysGone)
          return fail({
            code: 'confirm_gone',
            message: 'Nothing tells whether its process still runs. Close it first, then confirm.',
          });
        // Asking a process to end is no attempt yet: that comes with the terminal.
        if (decision.via === 'terminal_after_stop')
          return this.restart(found, decision, options, found.incident.attempts.length + 1);
        return this.once(found, options, (attempt) => this.restart(found, decision, options, attempt));
    }
  }

  /** It is the person's turn: one window says so. */
  async ask(found: Case, decision: Decision, reason: AskReason): Promise<void> {
    const { engine, store, clock } = this.parts;
    const claim = await store.claim(found.incident, 'ask');
    engine.changeIncident(found.incident.id, { type: 'escalate', at: clock.now() });
    if (!claim) return;
    const saved = decision.savesWork ? await this.save(found, within(WAITED_FOR_MS)) : null;
    const checkpoint = saved?.ok ? { checkpoint: saved.value.ref } : {};
    const attempts = found.incident.attempts.map(({ kind, rung, outcome, state }) => ({ kind, rung, outcome, state }));
    this.journal.asked(found, reason, { attempts, why: found.incident.why, ...checkpoint });
    this.journal.did(found.incident, decision, 'asked', { automated: decision.reason !== 'clicked', ...checkpoint });
    await claim.done();
  }

  /** Saves the work in progress of a session; undefined incident where nothing is stuck. */
  async save({ view, incident }: { view: AgentView; incident: Incident | null }, watch: CheckpointWatch) {
    const { processes, files, clock } = this.parts;
    if (view.cwd === undefined)
      return fail({ code: 'not_a_work_tree' as const, message: 'It is not known where this agent works.' });
    return saveCheckpoint({
      processes,
      files,
      cwd: view.cwd,
      session: sessionFolderName(view.session),
      id: nextId(clock.now()),
      message: presentable(checkpointMessage(this.cases.progress(view, incident), view.session)),
      now: clock.now(),
      ...watch,
    });
  }

  /** What will be started once this agent has ended; null where nothing waits for that. */
  waitsFor(session: string): Launch | null {
    const later = this.starts.of(session);
    if (!later) return null;
    const planned = this.plan(later.found, later.decision, later.options, later.checkpoint);
    return planned.ok ? planned.value : null;
  }

  /** What a restart would start, without a word about whether it may. */
  planned(found: Case, decision: Decision, options: ActOptions): Launch | null {
    const planned = this.plan(found, decision, options, null);
    return planned.ok ? planned.value : null;
  }

  /** The person starts it by hand. */
  leave(session: string): void {
    this.starts.forget(session);
  }

  /** Sessions whose process was asked to end: those that have ended can be started again. */
  sessionsChanged(): void {
    this.starts.sessionsChanged();
  }

  /** The process of this session is gone: what was to be started after it is. */
  ended(session: string): void {
    this.starts.ended(session);
  }

  private startAgain({ found, decision, options, checkpoint }: LaterStart): void {
    const attempt = found.incident.attempts.length + 1;
    const launched = this.launch(found, decision, options, attempt, checkpoint);
    if (launched.ok && launched.value.kind === 'launch') this.hooks.launch(launched.value.launch);
    else if (!launched.ok) this.parts.log.warn(launched.error.message);
  }

  private async nudge(found: Case, decision: Decision, options: ActOptions, attempt: number): Outcome {
    const { clock } = this.parts;
    const text = options.text ?? this.drafts.nudge(found, options.automated, clock.now(), decision.split);
    const sent = await this.send(found, found.view, { kind: 'nudge', text }, options, attempt);
    if (!sent.ok) return sent;
    this.attempted(found, sent.value, 'nudge', decision, options, attempt, {});
    await this.journal.planBlocked(found.view, found.incident);
    return ok({ kind: 'sent', delivery: sent.value });
  }

  private async block(found: Case, decision: Decision, options: ActOptions, attempt: number): Outcome {
    const call = this.cases.callOf(found.incident);
    if (!call) return fail({ code: 'not_possible', message: 'The call that repeats is not known word by word.' });
    const text = options.text ?? this.drafts.block(found, options.automated);
    const draft = { kind: 'block' as const, text, call: { name: call.name, args: call.args } };
    const sent = await this.send(found, found.view, draft, options, attempt);
    if (!sent.ok) return sent;
    this.attempted(found, sent.value, 'block', decision, options, attempt, { call: found.incident.subject });
    return ok({ kind: 'sent', delivery: sent.value });
  }

  /**
   * Hands the task to another session, or to a new terminal. Automatic mode cannot choose: it tells the agent to leave the call alone, and
   * the person picks (`to` null).
   */
  private async reassign(found: Case, decision: Decision, options: ActOptions, attempt: number): Outcome {
    const { engine, clock } = this.parts;
    const { incident, view } = found;
    const now = clock.now();
    const prompt = options.text ?? this.drafts.prompt(found, 'reassign', options.automated, now);
    const to = options.automated ? null : options.to;
    if (to === undefined) return fail({ code: 'choose_target', message: 'Choose an idle agent or a new terminal.' });
    const task = { to, avoid: this.drafts.avoid(incident), prompt };
    const leave = { kind: 'reassign' as const, text: this.drafts.handedOver(found, options.automated, now), task };
    if (to === null) {
      if (options.automated) {
        const sent = await this.send(found, view, leave, options, attempt);
        if (!sent.ok) return sent;
        this.attempted(found, sent.value, 'reassign', decision, options, attempt, { to, avoid: task.avoid });
        this.journal.asked(found, 'start_needs_person', { choose: 'reassign', avoid: task.avoid });
        await this.journal.planBlocked(view, incident);
        return ok({ kind: 'sent', delivery: sent.value });
      }
      const launched = this.launch(
        found,
        { ...decision, start: { mode: 'fresh' } },
        { ...options, text: prompt },
        attempt,
        null,
      );
      if (launched.ok) await this.tellToLeave(found, leave, options);
      return launched;
    }
    const target = engine.agent(to);
    if (!target) return fail({ code: 'choose_target', message: 'This session is not there any more.' });
    const sent = await this.send(found, target, { kind: 'reassign', text: prompt, task }, options, attempt);
    if (!sent.ok) return sent;
    this.attempted(found, sent.value, 'reassign', decision, options, attempt, { to, avoid: task.avoid });
    this.hooks.follow({ incident: incident.id, message: sent.value.message.id, from: view, at: now, session: to });
    await this.tellToLeave(found, leave, options);
    return ok({ kind: 'sent', delivery: sent.value });
  }

  /** The stuck agent leaves the call to the other one. It gets no message where none may be sent. */
  private async tellToLeave(
    found: Case,
    leave: Pick<MessageDraft, 'kind' | 'text' | 'task'>,
    options: ActOptions,
  ): Promise<void> {
    if (messageHindrance(this.cases.messageSituation(found.view))) return;
    const sent = await this.send(null, found.view, { kind: 'nudge', text: leave.text }, options, 0);
    if (!sent.ok) this.parts.log.warn(sent.error.message);
  }

  private async restart(found: Case, decision: Decision, options: ActOptions, attempt: number): Outcome {
    const { clock, settings } = this.parts;
    let checkpoint: SavedCheckpoint | null = null;
    if (decision.savesWork) {
      const saved = await this.save(found, within(WAITED_FOR_MS));
      if (saved.ok) checkpoint = saved.value;
      else if (
        saved.error.code !== 'clean' &&
        saved.error.code !== 'not_a_work_tree' &&
        saved.error.code !== 'no_git'
      ) {
        this.parts.log.warn(`A restart, without a checkpoint: ${saved.error.message}`);
        if (!options.automated && !options.withoutCheckpoint)
          return fail({ code: 'checkpoint', message: saved.error.message });
      }
    }
    const start = decision.start ?? { mode: 'fresh' };
    if (decision.via === 'terminal' || decision.via === 'chat')
      return this.launch(found, decision, options, attempt, checkpoint);
    if (decision.via === 'terminal_after_stop') {
      const until = clock.now() + settings().expiryMs;
      const later = { found, decision, options, checkpoint, until };
      const told = { attempt, automated: options.automated, ...start };
      if (await this.parts.terminals?.end(found.view)) {
        this.starts.add(found.view.session, later);
        this.journal.did(found.incident, decision, 'stopping', told);
        return ok({ kind: 'stopping', here: true });
      }
      // An agent that no message can end is closed by its person alone.
      if (this.parts.takes(found.view).includes('stop')) {
        const text = this.drafts.stop(found, options.automated, this.parts.clock.now());
        const sent = await this.send(found, found.view, { kind: 'stop', text }, options, attempt);
        if (!sent.ok) return sent;
      }
      this.starts.add(found.view.session, later);
      this.journal.did(found.incident, decision, 'stopping', told);
      return ok({ kind: 'stopping', here: false });
    }
    const prompt = options.text ?? this.promptFor(found, decision, options, checkpoint);
    const kind = decision.do === 'escalate' ? 'escalate' : 'restart';
    const draft = {
      kind,
      text: this.drafts.stop(found, options.automated, this.parts.clock.now()),
      restart: { ...start, prompt },
    } as const;
    const sent = await this.send(found, found.view, draft, options, attempt);
    if (!sent.ok) return sent;
    this.attempted(found, sent.value, kind, decision, options, attempt, { ...start, ...ref(checkpoint) });
    const session = start.mode === 'resume' ? found.view.session : undefined;
    this.hooks.follow({
      incident: found.incident.id,
      message: sent.value.message.id,
      from: found.view,
      at: clock.now(),
      session,
    });
    return ok({ kind: 'sent', delivery: sent.value });
  }

  /** The terminal or the chat in which the agent goes on. Planned here, opened by the editor. */
  private launch(
    found: Case,
    decision: Decision,
    options: ActOptions,
    attempt: number,
    checkpoint: SavedCheckpoint | null,
  ): Result<Acted, ActFailure> {
    const { clock } = this.parts;
    const { incident, view } = found;
    const start = decision.start ?? { mode: 'fresh' };
    // Its own chat of this window, whatever command the settings know for it.
    const inChat = this.parts.chats?.isHere(view) === true;
    const planned = inChat ? null : this.plan(found, decision, options, checkpoint);
    if (planned?.ok === false) return planned;
    // Written before the attempt is counted: it would tell the new agent of itself.
    const prompt = options.text ?? this.promptFor(found, decision, options, checkpoint);
    const message = nextId(clock.now());
    const kind = decision.do === 'reassign' ? 'reassign' : decision.do === 'escalate' ? 'escalate' : 'restart';
    const data = { ...start, ...ref(checkpoint), ...(decision.do === 'reassign' && { to: null }) };
    this.attempted(found, { id: message, at: clock.now() }, kind, decision, options, attempt, data);
    const session = planned?.value.session;
    this.hooks.follow({ incident: incident.id, message, from: view, at: clock.now(), session });
    if (planned) return ok({ kind: 'launch', launch: planned.value });
    const model = start.model === undefined ? {} : { model: start.model };
    const remarks = start.thinking === undefined ? [] : ['A chat thinks as much as its model does by itself.'];
    return ok({
      kind: 'chat',
      chat: { prompt: launchPrompt(prompt), ...model, cancels: decision.do !== 'reassign', remarks },
    });
  }

  private plan(
    found: Case,
    decision: Decision,
    options: ActOptions,
    checkpoint: SavedCheckpoint | null,
  ): Result<Launch, ActFailure> {
    const { settings, newSession } = this.parts;
    const { incident, view } = found;
    const planned = planLaunch(
      {
        agent: view.agent,
        style: 'terminal',
        session: view.session,
        prompt: options.text ?? this.promptFor(found, decision, options, checkpoint),
        newSession: newSession(),
        cwd: view.cwd ?? '',
        ...(decision.start ?? { mode: 'fresh' }),
      },
      settings().launch,
    );
    if (!planned.ok) return fail({ code: 'launch', message: planned.error.message });
    const title = `${view.agentName}: ${view.title}`.slice(0, 60);
    return ok({ ...planned.value, title, incident: incident.id, from: view.session });
  }

  private async stop(found: Case, decision: Decision, options: ActOptions): Outcome {
    if (decision.via === 'chat') {
      this.journal.did(found.incident, decision, 'stopping', { automated: options.automated });
      return ok({ kind: 'cancel' });
    }
    const text = options.text ?? this.drafts.stop(found, options.automated, this.parts.clock.now());
    const sent = await this.send(
      found,
      found.view,
      { kind: 'stop', text },
      options,
      found.incident.attempts.length + 1,
    );
    if (!sent.ok) return sent;
    this.journal.did(found.incident, decision, 'sent', {
      automated: options.automated,
      message: sent.value.message.id,
    });
    return ok({ kind: 'sent', delivery: sent.value });
  }

  private async checkpoint(found: Case, decision: Decision, options: ActOptions): Outcome {
    const saved = await this.save(found, within(CHECKPOINT_MS, options.watch));
    if (!saved.ok) return fail({ code: 'checkpoint', message: saved.error.message });
    this.journal.did(found.incident, decision, 'saved', { ...ref(saved.value), changed: saved.value.changed });
    return ok({ kind: 'saved', checkpoint: saved.value });
  }

  private promptFor(found: Case, decision: Decision, options: ActOptions, checkpoint: SavedCheckpoint | null): string {
    const mode: PromptMode = decision.do === 'reassign' ? 'reassign' : (decision.start?.mode ?? 'fresh');
    return this.drafts.prompt(found, mode, options.automated, this.parts.clock.now(), checkpoint?.ref);
  }

  /** One window does it, and only while it is still wanted. */
  private async once(found: Case, options: ActOptions, run: (attempt: number) => Outcome): Outcome {
    const attempt = found.incident.attempts.length + 1;
    // The claim that nudges by hand take too: whoever is first sends.
    const claim = await this.parts.store.claim(found.incident, `send:${attempt}`);
    if (!claim) return fail({ code: 'other_window', message: 'Another window has just done something about this.' });
    try {
      if (options.stillWanted?.() === false) {
        await claim.release();
        return fail({ code: 'not_possible', message: 'It is no longer needed.' });
      }
      const result = await run(attempt);
      await (result.ok ? claim.done() : claim.release());
      return result;
    } catch (error) {
      await claim.release();
      throw error;
    }
  }

  private async send(
    about: Case | null,
    to: AgentView,
    draft: Pick<MessageDraft, 'kind' | 'text' | 'task' | 'restart' | 'call'>,
    options: ActOptions,
    attempt: number,
  ): Promise<Result<Delivery, ActFailure>> {
    const { clock, settings, engine } = this.parts;
    const root = this.cases.rootFolder(to);
    if (root === null) return fail({ code: 'inbox', message: 'The agent works in a folder that is not open here.' });
    const sent = await sendMessage(
      root,
      {
        ...draft,
        session: to.session,
        agent: to.agent,
        automated: options.automated,
        expiresIn: settings().expiryMs,
        ...(about && { incident: about.incident.id, attempt }),
      },
      clock.now(),
    );
    if (!sent.ok) return fail({ code: 'inbox', message: sent.error.message });
    engine.mailChanged(to.session);
    return ok(sent.value);
  }

  private attempted(
    { incident, view }: Case,
    what: Delivery | { readonly id: string; readonly at: number },
    kind: MessageKind,
    decision: Decision,
    options: ActOptions,
    attempt: number,
    data: Readonly<Record<string, unknown>>,
  ): void {
    const { engine, clock } = this.parts;
    const isMessage = 'message' in what;
    const message = isMessage ? what.message.id : what.id;
    const rung: RungKind | undefined = decision.rung?.kind;
    this.journal.did(incident, decision, isMessage ? 'sent' : 'started', {
      attempt,
      automated: options.automated,
      message,
      kind,
      case: this.cases.caseOf(incident),
      root: this.cases.rootOf(incident.session),
      planItem: planOutlook(view.plan).stuckOn?.id ?? null,
      ...data,
    });
    engine.changeIncident(incident.id, {
      type: 'attempt',
      attempt: {
        attempt,
        kind,
        message,
        at: clock.now(),
        automated: options.automated,
        state: isMessage ? 'queued' : 'taken',
        ...(!isMessage && { takenAt: what.at }),
        ...(rung && { rung }),
      },
    });
    this.cases.catchUp(incident.id, view.session, message);
    engine.mailChanged(view.session);
  }
}

function ref(checkpoint: SavedCheckpoint | null): { checkpoint?: string } {
  return checkpoint === null ? {} : { checkpoint: checkpoint.ref };
}
