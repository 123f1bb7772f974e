import { sendMessage } from '../../agents/inbox';
import { gateBlocked } from '../../core/rules/cards/gate-blocked';
import type { AgentView, GateReport, Incident } from '../../core/model';
import { blockingEvent, blockingMarkdown } from './blocking-event';
import { messageHindrance } from '../decisions/reach';
import { HINDRANCE_CLAUSES } from '../../core/words/messages/reach';
import { messageSituation } from '../decisions/message-situation';
import type { GateParts } from './ports';

export interface GateFeedback {
  readonly view: AgentView;
  readonly root: string;
  readonly report: GateReport;
  /** Suggestions of the user, by gate id. */
  readonly advice: ReadonlyMap<string, string>;
  readonly most: number;
  /** Sent by the gates themselves, not by a click. */
  readonly automated: boolean;
  /** A hook waits for the verdict: the end of the turn is not the end of the agent. */
  readonly isHeld: boolean;
}

/** Returns the incident of the refused claims: their own, or one of the same steps that they joined. */
export function blockedIncident({ incidents }: AgentView): Incident | undefined {
  return incidents.find((one) => [one, ...(one.context ?? [])].some(({ detector }) => detector === gateBlocked.id));
}

/** Returns the report with the id of the message, or with the reason why none was sent. */
export async function sendFeedback(feedback: GateFeedback, parts: GateParts): Promise<GateReport> {
  const { view, root, report, advice, most, automated } = feedback;
  const event = blockingEvent(report, advice);
  const hindrance = event === null ? 'no gate failed' : hindranceOf(feedback, parts);
  if (event === null || hindrance !== null) return { ...report, notSent: hindrance ?? '' };
  const incident = blockedIncident(view);
  const attempt = Math.max(1, report.attempt);
  const sent = await sendMessage(
    root,
    {
      session: view.session,
      agent: view.agent,
      kind: 'gate',
      text: blockingMarkdown(event, attempt, Math.max(most, attempt)),
      automated,
      attempt,
      ...(incident && { incident: incident.id }),
    },
    parts.now(),
  );
  if (!sent.ok) {
    parts.log.warn(sent.error.message);
    return { ...report, notSent: sent.error.message };
  }
  const { id } = sent.value.message;
  if (incident) {
    parts.engine.changeIncident(incident.id, {
      type: 'attempt',
      attempt: { attempt, kind: 'gate', message: id, at: parts.now(), automated, state: 'queued' },
    });
  }
  parts.engine.mailChanged(view.session);
  parts.sent(view, report, id, automated);
  const { notSent: _, ...rest } = report;
  return { ...rest, message: id };
}

function hindranceOf({ view, report, most, automated, isHeld }: GateFeedback, parts: GateParts): string | null {
  if (view.deleted) return HINDRANCE_CLAUSES.finished;
  const session = parts.engine.session(view.session);
  const why = messageHindrance(messageSituation(view, session, { trusted: parts.isTrusted(), inFolder: true }));
  if (why !== null && !(why === 'finished' && isHeld)) return HINDRANCE_CLAUSES[why];
  if (automated && report.attempt > most) return `it was told ${most} times; over to you`;
  return null;
}
