import type * as vscode from 'vscode';
import type { AgentView } from '../../core/model';
import { ask } from '../notifications/ask';
import { longestWait, notTaken } from '../../core/words';
import type { AgentSource } from '../agent-source';
import type { Connections } from '../connect/connect';
import type { Panels } from '../panel/panels';

/** Notifies once of each message that was not taken in time, so that the person who sent it does not wait for nothing. */
export class ExpiredNudges implements vscode.Disposable {
  private readonly known = new Set<string>();
  private readonly subscription: { dispose(): void };

  constructor(
    private readonly agents: Pick<AgentSource, 'onDidChange' | 'agent'>,
    private readonly panels: Pick<Panels, 'show'>,
    private readonly connections: Pick<Connections, 'connect'>,
    private readonly now: () => number,
  ) {
    this.subscription = agents.onDidChange((sessions) => {
      for (const session of sessions) this.look(session);
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private look(session: string): void {
    const view = this.agents.agent(session);
    for (const { message, state, times } of view?.deliveries ?? []) {
      if (state !== 'expired' || this.known.has(message.id)) continue;
      this.known.add(message.id);
      // An agent that did not wait for its gates has ended, and no longer needs feedback.
      if (message.kind === 'gate' && view?.state.kind === 'finished') continue;
      // What expired before this window opened is old news.
      const recent = this.now() - (times.expired ?? 0) < 60_000;
      if (view && recent) void this.notify(session, view, longestWait(message));
    }
  }

  private async notify(session: string, view: AgentView, expiry: number): Promise<void> {
    const notice = notTaken(view.title, expiry, view.machine?.name);
    const answer = await ask(notice);
    if (answer === 'Show Nudge') this.panels.show(session);
    else if (answer === 'Connect Agent') await this.connections.connect(view);
  }
}
