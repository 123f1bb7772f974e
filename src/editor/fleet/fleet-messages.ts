import type { FleetClient, SentMessage } from '../../fleet';
import { type AgentView, type Delivery, type Incident, type MachineAct, canContinue } from '../../core/model';
import { draftContinue } from '../../recover/drafts/continue';
import { draftNudge } from '../../recover/drafts/draft';
import { messageHindrance } from '../../recover/decisions/reach';
import { draftAgain } from '../../agents/inbox/messages/send';
import { presentable } from '../../base/util/redact';
import type { Result } from '../../base/util/result';
import { HINDRANCE_TEXTS, type Reach, onlyThere, sendProblem } from '../../core/words';
import type { AgentMessages } from '../controls/controls';
import type { SendResult } from '../controls/controls';
import type { RemoteAgents } from './remote-agents';
import { remoteDelivery } from './remote-view';

/** A person's request to an agent on another machine. */
export type FleetRequest = Pick<
  Parameters<FleetClient['send']>[0],
  'action' | 'text' | 'incident' | 'attempt' | 'restart'
>;

export interface FleetMessagesHost {
  readonly agents: Pick<RemoteAgents, 'idOf' | 'messageSent'>;
  readonly client: () => FleetClient | null;
  readonly isTrusted: () => boolean;
  readonly now: () => number;
  /** Returns how long a message waits to be taken, milliseconds. */
  readonly expiryMs: () => number;
  /** Called when a message changes its state, to notify those who wait for it. */
  readonly follow: (sending: SentMessage, key: string) => void;
}

/** A relay accepts no message that waits longer, milliseconds. */
const LONGEST_EXPIRY_MS = 10 * 60_000;

/** Sends messages to the agents of other machines, through the message server and the relay of each. */
export class FleetMessages implements AgentMessages {
  constructor(private readonly host: FleetMessagesHost) {}

  draft(view: AgentView): string {
    const incident = view.incidents[0];
    if (!incident) return canContinue(view.state, this.host.now()) ? draftContinue(view.state) : '';
    // The draft is for an agent to read.
    return draftNudge(incident, { automatic: false, now: this.host.now(), related: view.incidents });
  }

  reach(view: AgentView): Reach {
    const hindrance = this.hindrance(view);
    if (hindrance) return hindrance;
    return { kind: 'elsewhere', machine: view.machine?.name ?? '', isLost: view.state.lost !== undefined };
  }

  isConnected(view: AgentView): boolean {
    return view.machine?.accepts.includes('nudge') === true;
  }

  notTested(): null {
    return null;
  }

  send(view: AgentView, text: string, incident: Incident | undefined): Promise<SendResult> {
    const reach = this.reach(view);
    if (reach.kind === 'hindered') return Promise.resolve({ message: HINDRANCE_TEXTS[reach.why] });
    const attempt = (incident?.attempts.length ?? 0) + 1;
    const about = incident ? { incident: incident.id, attempt } : {};
    const sent = this.request(view, { action: 'nudge', text, ...about });
    return Promise.resolve(sent.ok ? { sent: remoteDelivery(view, sent.value) } : { message: sent.error });
  }

  canWithdraw(): boolean {
    return false;
  }

  /** Refuses: only the other machine can withdraw a message that has reached it. */
  withdraw(view: AgentView): Promise<string> {
    return Promise.resolve(onlyThere(view.machine?.name ?? ''));
  }

  sendAgain(view: AgentView, delivery: Delivery): Promise<SendResult> {
    const incident = view.incidents.find(({ id }) => id === delivery.message.incident);
    return this.send(view, draftAgain(delivery.message).text, incident);
  }

  /** Sends what a person requests. If nothing was sent, returns the reason in one sentence. */
  request(view: AgentView, request: FleetRequest): Result<SentMessage, string> {
    const id = this.host.agents.idOf(view.session);
    const client = this.host.client();
    const machine = view.machine?.name ?? '';
    if (!id || !client) return { ok: false, error: sendProblem('unknown_agent', machine) };
    const expiresInMs = Math.min(LONGEST_EXPIRY_MS, this.host.expiryMs());
    const sent = client.send({ ...id, ...request, text: presentable(request.text), expiresInMs });
    if (!sent.ok) return { ok: false, error: sendProblem(sent.error, machine) };
    this.host.agents.messageSent(view.session, sent.value);
    this.host.follow(sent.value, view.session);
    return sent;
  }

  /** Returns what hinders this request to the agent now; null if nothing does. */
  hindrance(view: AgentView, act: MachineAct = 'nudge'): Extract<Reach, { kind: 'hindered' }> | null {
    if (view.machine?.accepts.includes(act) !== true)
      return { kind: 'hindered', why: view.state.lost === undefined ? 'not_allowed' : 'machine_silent' };
    const why = messageHindrance({
      trusted: this.host.isTrusted(),
      inFolder: true,
      state: view.state,
      liveness: 'unknown',
      // A stop or a restart is no answer to the agent's question.
      waitingFor: act === 'nudge' ? (view.state.waitingFor ?? null) : null,
    });
    return why === null ? null : { kind: 'hindered', why };
  }
}
