import { monotonicFactory } from 'ulid';
import { sessionFolderName } from '../../agents/inbox';
import { presentable } from '../../base/util/redact';
import { fail, ok } from '../../base/util/result';
import { saveCheckpoint } from '../checkpoint';
import type { AskReason, Decision } from '../decisions/decision';
import { checkpointMessage } from '../drafts/progress-summary';
import type { Action, Outcome, ActionParts } from './actions/action';
import { checkpoint } from './actions/checkpoint';
import { block, nudge } from './actions/nudge';
import { reassign } from './actions/reassign';
import { restart } from './actions/restart';
import { stop } from './actions/stop';
import type { Cases } from './cases';
import { WAITED_FOR_MS, within } from './checkpoint-time';
import type { Drafts } from './drafts';
import type { RecoveryJournal } from './journal';
import { type LaterStart, LaterStarts } from './later-starts';
import { PendingStarts, type PlannedStart } from './pending-starts';
import type { ActOptions, Case, CheckpointWatch, Launch, RecoveryParts } from './ports';
import type { AttemptSender } from './sending';
import { type FollowedAttempt, Starting } from './starting';

const nextId = monotonicFactory();

/** Carries out decisions. Each kind of action has its file in `actions/`. */
export class Actor {
  /** Starts that wait for an agent to end. */
  readonly later: LaterStarts;
  /** Starts whose session is still to appear. */
  readonly pending: PendingStarts;
  private readonly workshop: ActionParts;

  constructor(
    private readonly parts: RecoveryParts,
    private readonly cases: Cases,
    drafts: Drafts,
    private readonly journal: RecoveryJournal,
    sending: AttemptSender,
    private readonly hooks: {
      readonly launch: (launch: Launch) => void;
      readonly follow: (followed: FollowedAttempt) => void;
    },
  ) {
    this.pending = new PendingStarts(parts, cases, journal, (start, session) =>
      hooks.follow(starting.count(start, session)),
    );
    const starting = new Starting(parts, drafts, sending, cases, this.pending, () => nextId(parts.clock.now()));
    this.later = new LaterStarts(parts, cases, (later) => this.startAgain(later));
    this.workshop = {
      parts,
      cases,
      drafts,
      journal,
      sending,
      starting,
      later: this.later,
      follow: hooks.follow,
      save: (of, watch) => this.save(of, watch),
    };
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
        return checkpoint(this.workshop, found, decision, options, nextAttempt(found));
      case 'stop':
        return options.automated
          ? this.once(stop, found, decision, options, 'stop')
          : stop(this.workshop, found, decision, options, nextAttempt(found));
      case 'nudge':
        return this.once(nudge, found, decision, options);
      case 'block':
        return this.once(block, found, decision, options);
      case 'reassign':
        return this.once(reassign, found, decision, options);
      case 'restart':
      case 'escalate':
        if (decision.confirmGone && !options.saysGone)
          return fail({
            code: 'confirm_gone',
            message: 'Unstuck cannot tell whether it is still running. Quit it, then click Restart again.',
          });
        // Asking a process to end is no attempt yet: that is counted with its next session.
        if (decision.via === 'terminal_after_stop')
          return restart(this.workshop, found, decision, options, nextAttempt(found));
        return this.once(restart, found, decision, options);
    }
  }

  /** Hands the move to the person: one window reports it. */
  async ask(found: Case, decision: Decision, reason: AskReason): Promise<void> {
    const { engine, store, clock } = this.parts;
    const claim = await store.claim(found.incident, 'ask');
    engine.changeIncident(found.incident.id, { type: 'escalate', at: clock.now() });
    if (!claim) return;
    const saved = decision.savesWork ? await this.save(found, within(WAITED_FOR_MS)) : null;
    const ref = saved?.ok ? { checkpoint: saved.value.ref } : {};
    const attempts = found.incident.attempts.map(({ kind, rung, outcome, state }) => ({ kind, rung, outcome, state }));
    this.journal.asked(found, reason, { attempts, why: found.incident.why, ...ref });
    this.journal.did(found.incident, decision, 'asked', { automated: decision.reason !== 'clicked', ...ref });
    await claim.done();
  }

  /** Saves the work in progress of a session; `incident` is null if nothing is stuck. */
  async save(
    { view, incident }: Parameters<ActionParts['save']>[0],
    watch: CheckpointWatch,
  ): ReturnType<ActionParts['save']> {
    const { processes, files, clock } = this.parts;
    if (view.cwd === undefined)
      return fail({ code: 'not_a_work_tree', message: 'Unstuck does not know where this agent works.' });
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

  /** Returns the start that waits for this agent to end; null if there is none. */
  waitsFor(session: string): Launch | null {
    const later = this.later.of(session);
    return later ? this.planned(later) : null;
  }

  /** Returns the program that a restart would start, allowed or not; null if none can be started. */
  planned(start: PlannedStart): Launch | null {
    const planned = this.workshop.starting.plan(start);
    return planned.ok ? planned.value : null;
  }

  private startAgain(later: LaterStart): void {
    const launched = this.workshop.starting.launch(later);
    if (launched.ok && launched.value.kind === 'launch') this.hooks.launch(launched.value.launch);
    else if (!launched.ok) this.parts.log.warn(launched.error.message);
  }

  /** Lets a single window take the action, and only while it is still wanted. */
  private async once(
    action: Action,
    found: Case,
    decision: Decision,
    options: ActOptions,
    // The same claim as for nudges by hand: whichever is first sends.
    what = `send:${nextAttempt(found)}`,
  ): Outcome {
    const number = nextAttempt(found);
    const claim = await this.parts.store.claim(found.incident, what);
    if (!claim) return fail({ code: 'other_window', message: 'Another window has just acted on this.' });
    try {
      if (options.stillWanted?.() === false) {
        await claim.release();
        return fail({ code: 'not_possible', message: 'It is no longer needed.' });
      }
      const result = await action(this.workshop, found, decision, options, number);
      // A start is no attempt until its session appears.
      const isMade = result.ok && result.value.kind !== 'launch' && result.value.kind !== 'chat';
      await (isMade ? claim.done() : claim.release());
      return result;
    } catch (error) {
      await claim.release();
      throw error;
    }
  }
}

function nextAttempt({ incident }: Case): number {
  return incident.attempts.length + 1;
}
