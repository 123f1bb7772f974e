import type { AgentMessages, SendResult } from '../controls/controls';
import type { Recovery } from '../../recover/act/service';
import { draftContinue } from '../../recover/drafts/continue';
import { inboxRoot } from '../../agents/inbox/root';
import { deliveries } from '../../agents/inbox/messages/deliveries';
import { draftAgain } from '../../agents/inbox/messages/send';
import { withdrawMessage } from '../../agents/inbox/messages/waiting';
import { type AgentView, type Delivery, type Incident, canContinue } from '../../core/model';
import { HINDRANCE_TEXTS, type Reach, tooLate } from '../../core/words';
import type { Connections } from '../connect/connect';
import type { Services } from '../services';
import { reachNow } from './reach-now';
import type { Routes } from './routes';
import type { Untested } from './untested';

/** A way for messages other than the inbox alone. */
export interface DirectWay {
  /** Returns whether this is the way to the agent now. */
  leadsTo(view: AgentView): boolean;
  /** Asks the person, has the message written, and hands it over at once. */
  send(view: AgentView, text: string, write: () => Promise<SendResult>): Promise<SendResult>;
}

/**
 * Nudges that a person sends to the agents of this machine. About an incident they are a step of its recovery, otherwise a message in their own
 * right.
 */
export class Nudges implements AgentMessages {
  constructor(
    private readonly services: Services,
    private readonly recovery: Recovery,
    private readonly routes: Pick<Routes, 'routeOf' | 'isConnected' | 'learn'>,
    private readonly untested: Pick<Untested, 'ofView'>,
    private readonly connections: Pick<Connections, 'connect'>,
    private readonly direct?: DirectWay,
  ) {}

  draft(view: AgentView): string {
    const incident = view.incidents[0];
    if (incident) return this.recovery.draft(incident.id, 'nudge');
    return canContinue(view.state, this.services.now()) ? draftContinue(view.state) : '';
  }

  reach(view: AgentView): Reach {
    return reachNow(view, this.routes.routeOf(view), this.recovery.messageSituation(view), this.services);
  }

  isConnected(view: AgentView): boolean {
    return this.routes.isConnected(view);
  }

  notTested(view: AgentView): string | null {
    return this.untested.ofView(view);
  }

  /** Sends a message. If nothing can hand it over, first offers to connect the agent. */
  async send(view: AgentView, text: string, incident: Incident | undefined): Promise<SendResult> {
    await this.routes.learn(view);
    const reach = this.reach(view);
    if (reach.kind === 'not_connected' && reach.canConnect && !(await this.connections.connect(view, true)))
      return { handled: true };
    const write = () => (incident ? this.sendStep(incident, text) : this.sendOwn(view, text));
    return this.direct?.leadsTo(view) ? this.direct.send(view, text, write) : write();
  }

  canWithdraw(): boolean {
    return true;
  }

  /** Withdraws a message while it waits. Says whether that worked. */
  async withdraw(view: AgentView, id: string): Promise<string | null> {
    const root = this.rootOf(view);
    if (root === null) return HINDRANCE_TEXTS.no_folder;
    const withdrawn = await withdrawMessage(root, view.session, id, this.services.now());
    this.services.engine.mailChanged(view.session);
    if (withdrawn.ok) return null;
    return withdrawn.error.code === 'not_waiting' ? this.tooLate(view, root, id) : withdrawn.error.message;
  }

  private async tooLate(view: AgentView, root: string, id: string): Promise<string> {
    const now = this.services.now();
    const known = await deliveries(root, view.session, now);
    const delivery = known.ok ? known.value.deliveries.find(({ message }) => message.id === id) : undefined;
    return tooLate(view.agentName, delivery, now);
  }

  /** Sends the same words again, for a message that expired or failed. */
  async sendAgain(view: AgentView, delivery: Delivery): Promise<SendResult> {
    const incident = view.incidents.find((one) => one.id === delivery.message.incident);
    return this.send(view, draftAgain(delivery.message).text, incident);
  }

  /** Takes the next step in the recovery of an incident. Recovery decides whether it may be sent. */
  private async sendStep({ id }: Incident, text: string): Promise<SendResult> {
    const acted = await this.recovery.act(id, { action: 'nudge', text });
    if (!acted.ok) return { message: acted.error.message };
    return acted.value.kind === 'sent' ? { sent: acted.value.delivery } : { message: 'No nudge was sent.' };
  }

  /** Sends a message that is about no incident. */
  private async sendOwn(view: AgentView, text: string): Promise<SendResult> {
    const sent = await this.recovery.message(view, text);
    return sent.ok ? { sent: sent.value } : { message: sent.error.message };
  }

  private rootOf(view: AgentView): string | null {
    return view.cwd === undefined ? null : inboxRoot(this.services.folders(), view.cwd);
  }
}
