import * as vscode from 'vscode';
import type { AgentView } from '../../core/model';
import { ask } from './ask';
import { doesNotAnswer } from '../../core/words';
import type { AgentList } from '../agent-list';
import type { Connections } from '../connect/connect';
import type { Routes } from '../nudges/routes';
import type { Panels } from '../panel/panels';
import type { Services } from '../services';
import { silenceOf, usableButtons } from './notify';

/** A hook calls while its tool runs, and the transcript may be read before its call is seen: time to wait for the call, milliseconds. */
const SETTLE_MS = 5_000;

export interface SilentAgentsHost {
  readonly services: Pick<Services, 'store' | 'settings' | 'now' | 'log'> & {
    readonly engine: Pick<Services['engine'], 'onDidChange' | 'agent'>;
  };
  readonly routes: Pick<Routes, 'seemsSilent' | 'isSilent'>;
  readonly list: Pick<AgentList, 'isMuted' | 'placeName'>;
  readonly panels: Pick<Panels, 'show' | 'isVisible'>;
  readonly connections: Pick<Connections, 'connect'>;
}

/**
 * Notifies once of each session whose agent is connected and makes calls without calling us. No nudge reaches such an agent, and nothing else shows
 * it.
 */
export class SilentAgents implements vscode.Disposable {
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly notified = new Set<string>();
  private readonly subscription: { dispose(): void };

  constructor(private readonly host: SilentAgentsHost) {
    this.subscription = host.services.engine.onDidChange((sessions) => {
      for (const session of sessions) this.look(session);
    });
  }

  dispose(): void {
    this.subscription.dispose();
    for (const timer of this.waiting.values()) clearTimeout(timer);
  }

  private look(session: string): void {
    if (this.notified.has(session) || this.waiting.has(session)) return;
    const view = this.host.services.engine.agent(session);
    if (!view || isOver(view) || !this.host.routes.seemsSilent(view)) return;
    // Hooks of a sub-agent may call in its parent's name, so those calls are the parent's to report.
    if (view.parent !== undefined) return;
    const settled = setTimeout(() => {
      this.waiting.delete(session);
      this.notify(session).catch((error: unknown) => this.host.services.log.error(`does not answer: ${String(error)}`));
    }, SETTLE_MS);
    this.waiting.set(session, settled);
  }

  private async notify(session: string): Promise<void> {
    const { services, routes, list, panels, connections } = this.host;
    const view = services.engine.agent(session);
    if (!view || isOver(view) || !(await routes.isSilent(view)) || this.notified.has(session)) return;
    this.notified.add(session);
    const { notifyOf, quietHours } = services.settings();
    const silence = silenceOf({
      enabled: notifyOf.has('unreachable'),
      quietHours,
      // The panel shows it too.
      inView: vscode.window.state.focused && panels.isVisible(session),
      muted: list.isMuted(session),
      now: new Date(services.now()),
    });
    services.log.warn(`${view.agent} ${session} is connected and does not answer`);
    if (silence) return;
    const claim = await services.store.claim({ agent: view.agent, session, key: 'notice silent' }, 'once');
    if (!claim) return;
    await claim.done();
    const notice = doesNotAnswer({ title: view.title, place: list.placeName(view) });
    const answer = await ask(notice, usableButtons(notice.buttons, vscode.workspace.isTrusted));
    if (answer === 'Show Agent') panels.show(session);
    else if (answer === 'Connect Agent') await connections.connect(view);
  }
}

function isOver(view: AgentView): boolean {
  return view.history || view.state.kind === 'finished';
}
