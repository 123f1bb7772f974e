import * as vscode from 'vscode';
import { gateBlocked } from '../rules/cards/gate-blocked';
import { mayNotify } from '../incident/notify';
import type { GateReport, Incident } from '../model';
import { type NotificationButton, escalated, incidentNotification, manyStuck } from '../words';
import { blockedBy, failureWords } from '../recover/gates/verdict';
import { signsInLine } from '../util/showable';
import type { IncidentChange } from '../engine/engine';
import type { Services } from './services';
import { isQuiet } from './settings';

/** More than one incident within this time is told in one notification (design/UI.md 7.7). */
const MERGE_MS = 10_000;
/** Time for a second one to come before the first is told: a person must not see two toasts at once. */
const GATHER_MS = 300;
/** What is off until the folder is trusted. */
const NEED_TRUST: readonly string[] = ['Nudge', 'Restart', 'Save Checkpoint', 'Send to Agent', 'Stop Agent'];

export interface NotifierActions {
  showEvidence(session: string): void;
  nudge(session: string): void;
  mute(session: string, incident: Incident): void;
  restart(session: string): void;
  stop(session: string): void;
  saveCheckpoint(session: string): void;
  showAgents(): void;
  /** Sends what the quality gates found to the agent. */
  sendGates(session: string): void;
  /** The agent's panel is before the person's eyes in a focused window. */
  isInView(session: string): boolean;
}

/** One notification per incident, for counted facts only, from one window. */
export class Notifier implements vscode.Disposable {
  private waiting: IncidentChange[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastToldAt = Number.NEGATIVE_INFINITY;
  private readonly asked = new Set<string>();
  private readonly escalated = new Set<string>();
  private readonly subscription: { dispose(): void };

  constructor(
    private readonly services: Services,
    private readonly actions: NotifierActions,
  ) {
    this.subscription = services.engine.onDidChangeIncident((change) => this.consider(change));
  }

  dispose(): void {
    this.subscription.dispose();
    clearTimeout(this.timer);
  }

  private consider(change: IncidentChange): void {
    const { incident, session } = change;
    const { settings, log, now } = this.services;
    if (incident.state === 'escalated' && change.before !== null && change.before.state !== 'escalated')
      void this.tellEscalated(change);
    if (mayNotify(incident) !== 'notify' || this.asked.has(incident.id)) return;
    this.asked.add(incident.id);
    const silent = !settings().notifications
      ? 'notifications are off'
      : isQuiet(settings().quietHours, new Date(now()))
        ? 'quiet hours'
        : this.actions.isInView(session)
          ? 'its panel is in view'
          : null;
    if (silent) {
      log.info(`no notification for ${incident.id} (${incident.detector}): ${silent}`);
      this.markNotified(incident);
      return;
    }
    this.waiting.push(change);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.tell();
    }, GATHER_MS);
  }

  private async tell(): Promise<void> {
    const { store, now, log } = this.services;
    const mine: IncidentChange[] = [];
    for (const change of this.waiting.splice(0)) {
      const claim = await store.claim(change.incident, 'toast').catch(() => null);
      if (claim) {
        await claim.done();
        this.markNotified(change.incident);
        mine.push(change);
      } else log.info(`no notification for ${change.incident.id}: another window has it, or it was shown before`);
    }
    const first = mine[0];
    if (!first) return;
    const soonAfter = now() - this.lastToldAt < MERGE_MS;
    this.lastToldAt = now();
    if (mine.length > 1 || soonAfter) await this.tellMany();
    else await this.tellOne(first);
  }

  private async tellOne({ incident, session }: IncidentChange): Promise<void> {
    const gates = incident.detector === gateBlocked.id ? this.services.engine.agent(session)?.gates : undefined;
    const failed = gates && blockedBy(gates.results);
    const notice = incidentNotification({
      detector: incident.detector,
      title: signsInLine(incident.title),
      call: signsInLine(incident.subject),
      count: incident.count,
      ...(failed && { gate: signsInLine(failureWords(failed)) }),
    });
    if (!notice) return;
    const buttons = gates ? gateButtons(gates) : trusted(notice.buttons);
    this.answered(await vscode.window.showWarningMessage(notice.text, ...buttons), incident, session);
  }

  private answered(answer: string | undefined, incident: Incident, session: string): void {
    const { actions } = this;
    switch (answer) {
      case 'Show Evidence':
      case 'Show Gates':
        return actions.showEvidence(session);
      case 'Nudge':
        return actions.nudge(session);
      case 'Send to Agent':
        return actions.sendGates(session);
      case 'Restart':
        return actions.restart(session);
      case 'Save Checkpoint':
        return actions.saveCheckpoint(session);
      case 'Stop Agent':
        return actions.stop(session);
      case 'Mute':
        return actions.mute(session, incident);
      default:
    }
  }

  /** Recovery ended without success: once more a person is told, and then never again of this incident. */
  private async tellEscalated({ incident, session }: IncidentChange): Promise<void> {
    const { store, settings, now } = this.services;
    if (this.escalated.has(incident.id) || incident.history) return;
    this.escalated.add(incident.id);
    if (!settings().notifications || isQuiet(settings().quietHours, new Date(now()))) return;
    const claim = await store.claim(incident, 'asks').catch(() => null);
    if (!claim) return;
    await claim.done();
    const notice = escalated(signsInLine(incident.title), incident.attempts.length);
    const answer = await vscode.window.showErrorMessage(notice.text, ...trusted(notice.buttons));
    this.answered(answer, incident, session);
  }

  private async tellMany(): Promise<void> {
    const stuck = this.services.engine
      .agents()
      .filter((view) => view.state.kind === 'stuck' || view.state.kind === 'escalated').length;
    const notice = manyStuck(stuck);
    if ((await vscode.window.showWarningMessage(notice.text, ...notice.buttons)) === 'Show Agents')
      this.actions.showAgents();
  }

  private markNotified(incident: Incident): void {
    this.services.engine.changeIncident(incident.id, { type: 'notified', at: this.services.now() });
  }
}

/** What failed went to the agent already, or a person may send it. */
function gateButtons(report: GateReport): readonly string[] {
  const mayBeSent = report.message === undefined && report.verdict === 'failed' && vscode.workspace.isTrusted;
  return mayBeSent ? ['Show Gates', 'Send to Agent'] : ['Show Gates'];
}

function trusted(buttons: readonly NotificationButton[]): readonly string[] {
  return vscode.workspace.isTrusted ? buttons : buttons.filter((button) => !NEED_TRUST.includes(button));
}
