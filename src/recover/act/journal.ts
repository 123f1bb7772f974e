import type { AgentView, Delivery, Incident, RecoveryAttempt, RungKind } from '../../core/model';
import type { AskReason, Decision } from '../decisions/decision';
import { REASON_TEXTS, takenRung } from '../decisions/decision';
import { planOutlook } from '../decisions/plan-items';
import type { EventIdentity, NewStoreEvent } from '../../history/types';
import type { Case, RecoveryParts, RecoveryStep } from './ports';

/** Facts of one recovery step in addition to those that listeners get. */
export type StepData = Readonly<Record<string, unknown>>;

type MadeAttempt = Pick<RecoveryAttempt, 'message' | 'at' | 'rung'>;

/** Writes the story of recoveries into the event log: types Recovery, SubtaskBlocked, ApprovalRequested. */
export class RecoveryJournal {
  constructor(
    private readonly parts: RecoveryParts,
    private readonly onStep: (step: RecoveryStep) => void,
  ) {}

  /** Notes that an action was taken. */
  did(incident: Incident, decision: Decision, result: string, data: StepData): void {
    this.step(
      incident,
      decision.do,
      takenRung(decision)?.number ?? null,
      takenRung(decision)?.kind ?? null,
      decision.reason,
      result,
      data,
    );
  }

  /** Notes that a person wrote a message about no incident. */
  wrote({ session, agent }: AgentView, { message }: Delivery): void {
    const data = { action: 'nudge', message: message.id, attempt: 1, automated: false };
    this.append({ t: this.parts.clock.now(), type: 'Recovery', session, agent, data });
  }

  /** Notes the result of an attempt: one event for each, which is replaced when more is known. */
  cameOf(incident: Incident, { message, at, rung }: MadeAttempt, result: string, data: StepData): void {
    // After the attempt itself, which may be of the same moment: an agent can be faster than the receipt of the sending.
    const identity = { since: at + 1, cycle: 0, place: 8, words: ['result', incident.id, message] };
    const number = this.parts.settings().ladder.find((one) => one.kind === rung)?.number ?? null;
    const knownAt = this.parts.clock.now();
    this.step(incident, 'result', number, rung ?? null, 'watched', result, { message, ...data, knownAt }, identity);
  }

  /**
   * Notes that an item of an agent's plan is blocked: an event `SubtaskBlocked` names what continues without it; if nothing is left, the person is
   * asked. Once per item, in all windows together.
   */
  async planBlocked(view: AgentView, incident: Incident | null): Promise<void> {
    const { stuckOn, isBlocked, others } = planOutlook(view.plan);
    if (!stuckOn || (!isBlocked && (others.length === 0 || !incident))) return;
    const key = { agent: view.agent, session: view.session, key: `plan:${stuckOn.id}` };
    const claim = await this.parts.store.claim(key, 'event:blocked');
    if (!claim) return;
    const item = { id: stuckOn.id, title: stuckOn.title };
    const list = others.map(({ id, title }) => ({ id, title }));
    const continuing = `Continuing with ${list.length} independent ${list.length === 1 ? 'item' : 'items'}.`;
    const reason = incident ? incident.reason : 'plan_says_blocked';
    const message = list.length > 0 ? continuing : 'No independent work remaining.';
    this.write('SubtaskBlocked', view, incident, { item, reason, others: list, message });
    if (list.length === 0 && isBlocked) {
      const text = REASON_TEXTS.no_independent_work;
      this.write('ApprovalRequested', view, incident, { item, reason: 'no_independent_work', text });
    }
    await claim.done();
  }

  /** Notes that it is the person's turn. */
  asked({ incident, view }: Case, reason: AskReason, data: StepData): void {
    const { stuckOn } = planOutlook(view.plan);
    const item = stuckOn && { id: stuckOn.id, title: stuckOn.title };
    this.write('ApprovalRequested', view, incident, { item, reason, text: REASON_TEXTS[reason], ...data });
  }

  private step(
    incident: Incident,
    action: RecoveryStep['action'],
    rung: number | null,
    rungKind: RungKind | null,
    reason: string,
    result: string,
    data: StepData,
    identity?: EventIdentity,
  ): void {
    const at = this.parts.clock.now();
    this.append({
      t: at,
      type: 'Recovery',
      session: incident.session,
      agent: incident.agent,
      incident: incident.id,
      data: { action, rung, rungKind, reason, detector: incident.detector, result, ...data },
      ...(identity && { identity }),
    });
    this.onStep({ at, session: incident.session, incident: incident.id, action, rung, rungKind, reason, result });
  }

  private write(
    type: 'SubtaskBlocked' | 'ApprovalRequested',
    view: AgentView,
    incident: Incident | null,
    data: StepData,
  ): void {
    const { session, agent } = view;
    const t = this.parts.clock.now();
    this.append({ t, type, session, agent, data, ...(incident && { incident: incident.id }) });
  }

  private append(event: NewStoreEvent): void {
    this.parts.store
      .appendEvent(event)
      .catch((error: unknown) => this.parts.log.warn(`the event log could not be written: ${String(error)}`));
  }
}
