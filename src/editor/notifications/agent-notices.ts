import * as vscode from 'vscode';
import { type AgentView, needsAnswer } from '../../core/model';
import { ask } from './ask';
import {
  type Named,
  type Notification,
  died,
  finished,
  manyDied,
  manyFinished,
  manyWait,
  usageLimitOpen,
  usageLimitReached,
  waitsForYou,
} from '../../core/words';
import type { AgentList } from '../agent-list';
import type { AgentSource } from '../agent-source';
import type { Panels } from '../panel/panels';
import type { ControlsOf } from '../controls/controls';
import type { Services } from '../services';
import type { Topic } from '../settings/topics';
import { whyOf } from '../trees/row-words';
import { continueAll, waitsAfterLimit } from '../nudges/continue-all';
import { Attention, type Notice, type NoticeKind } from './attention';
import { buttonsHere, silenceOf, usableButtons } from './notify';

/** Time to wait for others of the same kind, so that they share one notification: an outage ends several agents at once. */
const GATHER_MS = 1_000;
/** The word in the settings for each kind of notice. */
const TOPICS: Readonly<Record<NoticeKind, Topic>> = {
  waits: 'waiting',
  died: 'died',
  finished: 'finished',
  limit: 'limit',
  limit_open: 'limit',
};
/** Time before an agent is sent anything after its limit opens, milliseconds: it may continue on its own, Claude Code after a minute. */
const CONTINUES_MS = 3 * 60_000;
/** A timer of the system accepts no longer wait. */
const LONGEST_TIMER_MS = 6 * 3_600_000;

type Source = Pick<AgentSource, 'onDidChange' | 'agent' | 'shownAgent' | 'agents'>;

export interface AgentNoticesHost {
  readonly services: Pick<Services, 'store' | 'settings' | 'now' | 'log' | 'agentNames'> & { readonly agents: Source };
  readonly list: Pick<AgentList, 'isMuted' | 'placeName'>;
  readonly panels: Pick<Panels, 'show' | 'isVisible'>;
  readonly controls: ControlsOf;
  /** Takes the person to the place where the agent can be answered. */
  readonly goTo: (view: AgentView) => Promise<void>;
}

/** Notifies once of agents that wait for a person, died, finished, or reached a usage limit, as far as the settings want it. */
export class AgentNotices implements vscode.Disposable {
  private readonly attention: Attention;
  private readonly gathered = new Map<NoticeKind, Notice[]>();
  private readonly subscription: { dispose(): void };
  private gathering: NodeJS.Timeout | undefined;
  private waking: NodeJS.Timeout | undefined;
  private readonly continuing = new Set<NodeJS.Timeout>();

  constructor(private readonly host: AgentNoticesHost) {
    const { agents, settings, now } = host.services;
    this.attention = new Attention(
      () => ({ waitMs: settings().notifyWaitsMs, isInFront: (view) => this.isInFront(view) }),
      now(),
    );
    for (const view of agents.agents()) this.take(this.attention.changed(view.session, view));
    this.subscription = agents.onDidChange((sessions) => {
      for (const session of sessions) this.changed(session);
      this.wake();
    });
    this.wake();
  }

  dispose(): void {
    this.subscription.dispose();
    clearTimeout(this.gathering);
    clearTimeout(this.waking);
    for (const timer of this.continuing) clearTimeout(timer);
  }

  private changed(session: string): void {
    const view = this.host.services.agents.shownAgent(session);
    this.take(this.attention.changed(session, view));
    // Finding its terminal takes a moment, so the search starts with the wait and is over when the wait is long enough.
    if (view && needsAnswer(view.state)) this.host.controls(view).recovery.isInFront(view);
  }

  private isInFront(view: AgentView): boolean {
    const { panels, controls } = this.host;
    return vscode.window.state.focused && (panels.isVisible(view.session) || controls(view).recovery.isInFront(view));
  }

  /** Checks again when time alone makes something due. */
  private wake(): void {
    clearTimeout(this.waking);
    const now = this.host.services.now();
    const next = this.attention.nextAt(now);
    if (next === Number.POSITIVE_INFINITY) return;
    this.waking = setTimeout(
      () => {
        this.take(this.attention.due(this.host.services.now()));
        this.wake();
      },
      Math.min(LONGEST_TIMER_MS, Math.max(0, next - now)),
    );
  }

  private take(notices: readonly Notice[]): void {
    for (const notice of notices) {
      if (notice.kind === 'limit_open') this.continueLater(notice.agent, notice.since);
      if (!this.isWanted(notice)) continue;
      const others = this.gathered.get(notice.kind);
      if (others) others.push(notice);
      else this.gathered.set(notice.kind, [notice]);
    }
    if (this.gathered.size === 0) return;
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      const all = [...this.gathered];
      this.gathered.clear();
      for (const [kind, gathered] of all) {
        this.show(kind, gathered).catch((error: unknown) => this.host.services.log.error(`${kind}: ${String(error)}`));
      }
    }, GATHER_MS);
  }

  /**
   * In automatic mode, one window sends a continue message once to each agent that the limit stopped. It is no step against a loop, so nothing counts
   * it.
   */
  private continueLater(agent: AgentView['agent'], since: number): void {
    const { agents, log, now, settings, store } = this.host.services;
    const send = async () => {
      // As it is by then: the person may have switched it off while the agents had time to continue.
      if (settings().recovery.automatic !== true || !vscode.workspace.isTrusted) return;
      const mine: AgentView[] = [];
      for (const view of agents.agents()) {
        if (view.agent !== agent || view.machine || !waitsAfterLimit(view, now())) continue;
        const claim = await store.claim({ agent, session: view.session, key: 'continue' }, String(since));
        await claim?.done();
        if (claim) mine.push(view);
      }
      if (mine.length === 0) return;
      const said = await continueAll(mine, this.host.controls, now(), true);
      if (said !== '') log.info(said);
    };
    const timer = setTimeout(() => {
      this.continuing.delete(timer);
      send().catch((error: unknown) => log.error(`continue after a limit: ${String(error)}`));
    }, CONTINUES_MS);
    this.continuing.add(timer);
  }

  private isWanted(notice: Notice): boolean {
    const { notifyOf, quietHours } = this.host.services.settings();
    const muted = 'session' in notice && this.host.list.isMuted(notice.session);
    const now = new Date(this.host.services.now());
    const silence = silenceOf({ enabled: notifyOf.has(TOPICS[notice.kind]), quietHours, inView: false, muted, now });
    if (silence) this.host.services.log.info(`no notification (${notice.kind}): ${silence}`);
    return silence === null;
  }

  private async show(kind: NoticeKind, notices: readonly Notice[]): Promise<void> {
    const mine: Notice[] = [];
    for (const notice of notices) if (this.isTrueStill(notice) && (await this.claim(notice))) mine.push(notice);
    const [first] = mine;
    if (!first) return;
    if (!('session' in first)) return this.showLimit(kind, first.agent, first.since);
    const views = mine.flatMap((one) => ('session' in one ? (this.host.services.agents.agent(one.session) ?? []) : []));
    const [view] = views;
    if (!view) return;
    if (views.length > 1) {
      const many = { waits: manyWait, died: manyDied, finished: manyFinished };
      await this.answered(many[first.kind](views.length), undefined);
    } else await this.answered(this.noticeOf(first.kind, view), view);
  }

  private noticeOf(kind: 'waits' | 'died' | 'finished', view: AgentView): Notification {
    const now = this.host.services.now();
    const agent: Named = { title: view.title, place: this.host.list.placeName(view) };
    switch (kind) {
      case 'waits':
        return waitsForYou(agent, now - view.state.since, whyOf(view, now));
      case 'died': {
        // Its last output is in its terminal.
        const notice = died(agent);
        return { ...notice, buttons: buttonsHere(notice.buttons, this.host.controls(view).recovery.surfaceLeft(view)) };
      }
      case 'finished':
        return finished(agent, view.state.since - view.health.startedAt);
    }
  }

  private async showLimit(kind: NoticeKind, agent: AgentView['agent'], since: number): Promise<void> {
    const { agentNames, agents, log } = this.host.services;
    const name = agentNames.get(agent) ?? agent;
    if (kind === 'limit_open') return this.answered(usageLimitOpen(name), undefined);
    const opensAt = agents.agents().find((view) => view.agent === agent && view.usageLimit)?.usageLimit?.opensAt;
    log.info(`${agent}: usage limit since ${new Date(since).toISOString()}`);
    await this.answered(usageLimitReached(name, Math.max(1, this.attention.held(agent)), opensAt), undefined);
  }

  /** Returns whether a notice still holds: an agent may have continued while others were waited for. */
  private isTrueStill(notice: Notice): boolean {
    if (!('session' in notice)) return true;
    const state = this.host.services.agents.agent(notice.session)?.state;
    if (!state) return false;
    switch (notice.kind) {
      case 'waits':
        return needsAnswer(state);
      case 'died':
        return state.ended === 'died';
      case 'finished':
        return state.kind === 'finished';
    }
  }

  /** Claims the notice, so that only one window shows it. */
  private async claim(notice: Notice): Promise<boolean> {
    const { store, agents } = this.host.services;
    const session = 'session' in notice ? notice.session : '';
    const view = 'session' in notice ? agents.agent(notice.session) : undefined;
    const agent = 'session' in notice ? view?.agent : notice.agent;
    if (agent === undefined) return false;
    // The offset of another machine's clock is known to some milliseconds, and differs a little each time.
    const since = view?.machine ? Math.round(notice.since / 60_000) : notice.since;
    const claim = await store.claim({ agent, session, key: `notice ${notice.kind}` }, String(since));
    await claim?.done();
    return claim !== null;
  }

  private async answered(notice: Notification, view: AgentView | undefined): Promise<void> {
    const answer = await ask(notice, usableButtons(notice.buttons, vscode.workspace.isTrusted, view?.machine));
    if (answer === 'Show Agents') await vscode.commands.executeCommand('unstuck.agents.focus');
    else if (answer === 'Continue All') await vscode.commands.executeCommand('unstuck.continueAll');
    else if (answer === 'Next Agent') await vscode.commands.executeCommand('unstuck.showNextNeedingMe');
    else if (!view) return;
    else if (answer === 'Show Agent') this.host.panels.show(view.session);
    else if (answer === 'Go to Terminal' || answer === 'Go to Chat') await this.host.controls(view).recovery.goTo(view);
    else if (answer === 'Restart') await this.host.controls(view).recovery.chooseRestart(view);
    else if (answer === 'Go There') await this.host.goTo(view);
  }
}
