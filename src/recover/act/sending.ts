import { type MessageDraft, sendMessage } from '../../agents/inbox';
import type { AgentView, Delivery, MessageKind, RungKind } from '../../core/model';
import { type Result, fail, ok } from '../../base/util/result';
import { type Decision, takenRung } from '../decisions/decision';
import { planOutlook } from '../decisions/plan-items';
import type { Cases } from './cases';
import type { RecoveryJournal } from './journal';
import type { ActFailure, Acted, ActOptions, Case, RecoveryParts } from './ports';

export type DraftedMessage = Pick<MessageDraft, 'kind' | 'text' | 'task' | 'restart' | 'call'>;

/** An attempt: its message, or what was started without one. */
interface Attempt {
  readonly kind: MessageKind;
  readonly by: Delivery | { readonly id: string; readonly at: number };
  readonly number: number;
}

/** Writes messages into inboxes, and counts actions as attempts of an incident. */
export class AttemptSender {
  constructor(
    private readonly parts: Pick<RecoveryParts, 'clock' | 'settings' | 'engine'>,
    private readonly cases: Cases,
    private readonly journal: RecoveryJournal,
  ) {}

  /**
   * Writes a message.
   *
   * @param about the incident that it concerns, and which attempt it is; null for a message about none
   */
  async send(
    about: { readonly found: Case; readonly attempt: number } | null,
    to: AgentView,
    draft: DraftedMessage,
    automated: boolean,
  ): Promise<Result<Delivery, ActFailure>> {
    const { clock, settings, engine } = this.parts;
    const root = this.cases.rootFolder(to);
    if (root === null) return fail({ code: 'inbox', message: 'The agent works in a folder that is not open here.' });
    const message = {
      ...draft,
      session: to.session,
      agent: to.agent,
      automated,
      expiresIn: settings().expiryMs,
      ...(about && { incident: about.found.incident.id, attempt: about.attempt }),
    };
    const sent = await sendMessage(root, message, clock.now());
    if (!sent.ok) return fail({ code: 'inbox', message: sent.error.message });
    engine.mailChanged(to.session);
    return ok(sent.value);
  }

  /**
   * Sends a message about an incident, and counts it as the attempt `number`, with `data` for the event log.
   *
   * @param to the agent that gets it; the stuck one by default
   */
  async attempt(
    found: Case,
    decision: Decision,
    options: ActOptions,
    number: number,
    draft: DraftedMessage,
    data: Readonly<Record<string, unknown>> = {},
    to: AgentView = found.view,
  ): Promise<Result<Extract<Acted, { kind: 'sent' }>, ActFailure>> {
    const sent = await this.send({ found, attempt: number }, to, draft, options.automated);
    if (!sent.ok) return sent;
    this.attempted(found, decision, options, { kind: draft.kind, by: sent.value, number }, data);
    return ok({ kind: 'sent', delivery: sent.value });
  }

  /** Counts an attempt, and writes it into the event log with `data`. */
  attempted(
    { incident, view }: Case,
    decision: Decision,
    { automated }: ActOptions,
    { kind, by, number }: Attempt,
    data: Readonly<Record<string, unknown>> = {},
  ): void {
    const { engine, clock } = this.parts;
    const isMessage = 'message' in by;
    const message = isMessage ? by.message.id : by.id;
    const rung: RungKind | undefined = takenRung(decision)?.kind;
    this.journal.did(incident, decision, isMessage ? 'sent' : 'started', {
      attempt: number,
      automated,
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
        attempt: number,
        kind,
        message,
        at: isMessage ? clock.now() : by.at,
        automated,
        state: isMessage ? 'queued' : 'taken',
        ...(!isMessage && { takenAt: by.at }),
        ...(rung && { rung }),
      },
    });
    this.cases.catchUp(incident.id, view.session, message);
    engine.mailChanged(view.session);
  }
}
