import type { AgentView, Delivery, Incident } from '../../model';
import type { Reach } from '../../words';
import type { Nudges, SendResult } from '../nudges/nudges';
import { reachNow } from '../nudges/reach-now';
import type { Routes } from '../nudges/routes';
import type { Untested } from '../nudges/untested';
import type { Services } from '../services';
import type { AgentMessages } from './hands';

/** Messages to the agents of this machine: through their inboxes. */
export class LocalMessages implements AgentMessages {
  constructor(
    private readonly services: Pick<Services, 'settings' | 'now' | 'bridges'>,
    private readonly nudges: Nudges,
    private readonly routes: Pick<Routes, 'routeOf' | 'isConnected'>,
    private readonly untested: Pick<Untested, 'ofView'>,
  ) {}

  draft(view: AgentView): string {
    return this.nudges.draft(view);
  }

  reach(view: AgentView): Reach {
    return reachNow(view, this.routes.routeOf(view), this.nudges.situation(view), this.services);
  }

  isConnected(view: AgentView): boolean {
    return this.routes.isConnected(view);
  }

  canConnect({ agent }: AgentView): boolean {
    return this.services.bridges.has(agent);
  }

  notTested(view: AgentView): string | null {
    return this.untested.ofView(view);
  }

  send(view: AgentView, text: string, incident: Incident | undefined): Promise<SendResult> {
    return this.nudges.send(view, text, incident);
  }

  canWithdraw(): boolean {
    return true;
  }

  withdraw(view: AgentView, id: string): Promise<string | null> {
    return this.nudges.withdraw(view, id);
  }

  sendAgain(view: AgentView, delivery: Delivery): Promise<SendResult> {
    return this.nudges.sendAgain(view, delivery);
  }
}
