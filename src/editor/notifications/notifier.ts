import * as vscode from 'vscode';
import { restOf } from '../../base/beat';
import type { IncidentChange } from '../../engine/events';
import type { AgentView, Incident } from '../../core/model';
import { blockedBy, failureWords } from '../../recover/gates/verdict';
import { gateBlocked } from '../../core/rules/cards/gate-blocked';
import {
  age,
  escalated,
  freed,
  freedBy,
  incidentNotification,
  manyStuck,
  noLongerStuck,
  reliefOf,
  type NotificationButton,
} from '../../core/words';
import { ask } from './ask';
import { inform, sayInStatusBar } from '../voice';
import type { AgentList } from '../agent-list';
import type { GatesUi } from '../gates/gates';
import { buttonsHere, gateButtons, noticeDue, silenceOf, usableButtons, waitForRepeat } from './notify';
import type { Panels } from '../panel/panels';
import type { QuickNudge } from '../nudges/quick-nudge';
import type { ControlsOf } from '../controls/controls';
import type { Services } from '../services';
import type { Topic } from '../settings/topics';
import { isInTrouble } from '../status/status';
import { whyOf } from '../trees/row-words';

/** Time to wait for a second incident before the first one is shown: a person must not see two notifications at once. */
const GATHER_MS = 300;

/** Time between two notifications. */
const APART_MS = 10_000;

/** Time for which the status bar shows that an agent was freed. */
const FREED_MS = 10_000;

/** Buttons that act on an agent because it is stuck. */
const FOR_STUCK: readonly NotificationButton[] = ['Nudge', 'Restart', 'Stop Agent', 'Send to Agent'];

/** Returns true if the agent was freed: a notification stays on screen even then. */
function isFreed(view: AgentView, { id, level }: Incident): boolean {
  return level === 'stuck' && !isInTrouble(view) && !view.incidents.some((one) => one.id === id);
}

export interface NotifierParts {
  readonly list: AgentList;
  readonly panels: Panels;
  readonly nudge: QuickNudge;
  readonly gates: GatesUi;
  readonly controls: ControlsOf;
}

/** Shows one notification per incident, for counted facts only, in one window. */
export class Notifier implements vscode.Disposable {
  private waiting: IncidentChange[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastShownAt = Number.NEGATIVE_INFINITY;
  private readonly notified = new Set<string>();
  /** Alerts that wait for one more repeat, by incident, with the count at which they began to wait. */
  private readonly held = new Map<string, { readonly count: number; readonly timer: NodeJS.Timeout }>();
  private readonly escalated = new Set<string>();
  private readonly subscription: { dispose(): void };

  constructor(
    private readonly services: Services,
    private readonly parts: NotifierParts,
  ) {
    this.subscription = services.agents.onDidChangeIncident((change) => this.consider(change));
  }

  dispose(): void {
    this.subscription.dispose();
    clearTimeout(this.timer);
    for (const { timer } of this.held.values()) clearTimeout(timer);
  }

  private consider(change: IncidentChange): void {
    const { incident, session } = change;
    const due = noticeDue(change);
    if (due.escalated) void this.showEscalated(change);
    if (due.freed) void this.showFreed(change);
    if (!due.alert || this.notified.has(incident.id) || this.isHeld(change)) return;
    this.notified.add(incident.id);
    const silence = this.silence('stuck', vscode.window.state.focused && this.parts.panels.isVisible(session), session);
    if (silence) {
      this.services.log.info(`no notification for ${incident.id} (${incident.detector}): ${silence}`);
      this.markNotified(incident);
      return;
    }
    this.waiting.push(change);
    // An extension can neither change nor remove a notification that is on screen. So the next one waits, and names what is new.
    const rest = restOf(APART_MS, this.lastShownAt, this.services.now());
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        void this.show();
      },
      Math.max(GATHER_MS, rest),
    );
  }

  private isHeld({ incident, session }: IncidentChange): boolean {
    const { agents, log, now } = this.services;
    const held = this.held.get(incident.id);
    const wait = waitForRepeat(incident, agents.agent(session)?.promptedAt, held?.count, now());
    clearTimeout(held?.timer);
    if (wait === 0) this.held.delete(incident.id);
    else {
      const timer = setTimeout(() => this.considerAgain(incident.id, session), wait);
      this.held.set(incident.id, { count: held?.count ?? incident.count, timer });
      if (!held) log.info(`no notification for ${incident.id} before its next repeat: a person has just written`);
    }
    return wait > 0;
  }

  /** Considers an alert again when no further repeat came: the agent may still be stuck. */
  private considerAgain(id: string, session: string): void {
    const incident = this.services.agents.agent(session)?.incidents.find((one) => one.id === id);
    if (incident) this.consider({ incident, before: incident, session });
    else this.held.delete(id);
  }

  private silence(topic: Topic, inView: boolean, session: string) {
    const { settings, now } = this.services;
    const { notifyOf, quietHours } = settings();
    const muted = this.parts.list.isMuted(session);
    return silenceOf({ enabled: notifyOf.has(topic), quietHours, inView, muted, now: new Date(now()) });
  }

  private async show(): Promise<void> {
    const { store, now, log } = this.services;
    // Set before the claims, which take a moment: what comes meanwhile must not be shown next to these.
    const before = this.lastShownAt;
    this.lastShownAt = now();
    const mine: IncidentChange[] = [];
    for (const change of this.waiting.splice(0)) {
      const claim = await store.claim(change.incident, 'toast').catch(() => null);
      if (claim) {
        await claim.done();
        this.markNotified(change.incident);
        mine.push(change);
      } else log.info(`no notification for ${change.incident.id}: another window has it, or it was shown before`);
    }
    // Some of them may be over by now.
    const [first, ...others] = mine.filter((change) => this.isStill(change));
    if (!first) {
      this.lastShownAt = before;
      return;
    }
    const sessions = new Set(others.map(({ session }) => session).filter((session) => session !== first.session));
    if (sessions.size === 0) await this.showOne(first);
    else await this.showMany([first.session, ...sessions]);
  }

  /** Returns whether an agent is still stuck in the incident. A warning is always shown. */
  private isStill({ incident, session }: IncidentChange): boolean {
    const view = this.services.agents.agent(session);
    return !view || incident.level !== 'stuck' || isInTrouble(view);
  }

  private async showOne({ incident, session }: IncidentChange): Promise<void> {
    const view = this.services.agents.agent(session);
    const gates = incident.detector === gateBlocked.id ? view?.gates : undefined;
    const failed = gates && blockedBy(gates.results);
    const notice = incidentNotification({
      detector: incident.detector,
      title: incident.title,
      ...(view?.machine && { machine: view.machine.name }),
      call: incident.subject,
      count: incident.count,
      ...(view && { time: age(this.services.now() - (view.health.lastProgress?.at ?? view.health.startedAt)) }),
      ...(failed && { gate: failureWords(failed) }),
    });
    if (!notice) return;
    const trusted = vscode.workspace.isTrusted;
    const buttons = gates ? gateButtons(gates, trusted) : usableButtons(notice.buttons, trusted, view?.machine);
    const shown = buttonsHere(buttons, view ? this.parts.controls(view).recovery.surfaceOf(view) : null);
    await this.answered(await ask(notice, shown), session, incident);
  }

  private async answered(answer: NotificationButton | undefined, session: string, incident: Incident): Promise<void> {
    const { panels, nudge, gates, controls } = this.parts;
    const view: AgentView | undefined = this.services.agents.agent(session);
    if (answer === 'Show Evidence' || answer === 'Show Gates') panels.show(session);
    else if (answer === 'Not Stuck') await vscode.commands.executeCommand('unstuck.notStuck', incident);
    else if (!view) return;
    else if (answer !== undefined && FOR_STUCK.includes(answer) && isFreed(view, incident))
      void inform(noLongerStuck(view.title));
    else if (answer === 'Nudge') await nudge.send(view);
    else if (answer === 'Send to Agent') await gates.send(view);
    else if (answer === 'Restart') await controls(view).recovery.chooseRestart(view);
    else if (answer === 'Save Checkpoint') await controls(view).recovery.saveCheckpoint(view);
    else if (answer === 'Go to Terminal' || answer === 'Go to Chat') await controls(view).recovery.goTo(view);
    else if (answer === 'Stop Agent') await controls(view).recovery.stop(view);
  }

  /** Shows one more notification, the last about this incident, when recovery ended without success. */
  private async showEscalated({ incident, session }: IncidentChange): Promise<void> {
    if (this.escalated.has(incident.id)) return;
    this.escalated.add(incident.id);
    const silence = this.silence('stuck', false, session);
    if (silence === 'notifications are off' || silence === 'quiet hours') return;
    const claim = await this.services.store.claim(incident, 'asks').catch(() => null);
    if (!claim) return;
    await claim.done();
    const view = this.services.agents.agent(session);
    const notice = escalated(incident.title, incident.attempts.length, view?.machine?.name);
    const buttons = buttonsHere(
      usableButtons(notice.buttons, vscode.workspace.isTrusted, view?.machine),
      view ? this.parts.controls(view).recovery.surfaceOf(view) : null,
    );
    await this.answered(await ask(notice, buttons), session, incident);
  }

  /** Shows in the status bar for ten seconds, and in one quiet notification, that something that was sent freed the agent. */
  private async showFreed({ incident, session }: IncidentChange): Promise<void> {
    const relief = reliefOf(incident);
    if (!relief) return;
    const claim = await this.services.store.claim(incident, 'freed').catch(() => null);
    if (!claim) return;
    await claim.done();
    sayInStatusBar('pass', freedBy(relief), FREED_MS);
    if (this.silence('freed', vscode.window.state.focused && this.parts.panels.isVisible(session), session)) return;
    const machine = this.services.agents.agent(session)?.machine?.name;
    const notice = freed(incident.title, relief, machine);
    await this.answered(await ask(notice), session, incident);
  }

  /** Shows one notification for several incidents that came together. */
  private async showMany(sessions: readonly string[]): Promise<void> {
    const { agents, now } = this.services;
    const views = sessions.flatMap((session) => agents.agent(session) ?? []);
    const answer = await ask(manyStuck(views.map((view) => ({ title: view.title, why: whyOf(view, now()) }))));
    if (answer === 'Show Agents') await vscode.commands.executeCommand('unstuck.agents.focus');
    else if (answer === 'Next Agent') await vscode.commands.executeCommand('unstuck.showNextNeedingMe');
  }

  private markNotified(incident: Incident): void {
    this.services.agents.changeIncident(incident.id, { type: 'notified', at: this.services.now() });
  }
}
