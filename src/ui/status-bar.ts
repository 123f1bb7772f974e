import * as vscode from 'vscode';
import type { AgentView } from '../model';
import { signsInLine } from '../util/showable';
import { type StatusCommand, TOOLTIP_AGENTS, andMore, statusItem, treeDescription, treeTitle } from '../words';
import { hintOf, lookOf } from './words';

export interface StatusBarState {
  /** In order: the ones that need a person first. */
  readonly views: readonly AgentView[];
  /** Were the incidents of this agent shown in a focused window? */
  readonly isSeen: (view: AgentView) => boolean;
  readonly paused: boolean;
  readonly trusted: boolean;
  readonly now: number;
}

const COMMANDS: Readonly<Record<StatusCommand, string>> = {
  show_log: 'unstuck.showLog',
  show_stuck: 'unstuck.showEvidence',
  show_waiting: 'unstuck.showEvidence',
  show_recovering: 'unstuck.showEvidence',
  show_agents: 'unstuck.showAgents',
  manage_trust: 'workbench.trust.manage',
  resume: 'unstuck.resume',
};

/** The one status bar item: the first face of design/UI.md 7.6 that applies. */
export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  /** What it shows: told again it would go to the window each second, the same. */
  private shown = '';

  constructor() {
    this.item = vscode.window.createStatusBarItem('unstuck.status', vscode.StatusBarAlignment.Left, 10);
    this.item.name = 'Unstuck';
  }

  show({ views, isSeen, paused, trusted, now }: StatusBarState): void {
    const running = views.filter((view) => view.state.kind !== 'finished');
    const stuck = running.filter((view) => view.state.kind === 'stuck' || view.state.kind === 'escalated');
    const waiting = running.filter((view) => view.state.kind === 'waiting' && view.state.waitingFor !== 'turn_end');
    const recovering = running.filter((view) => view.state.kind === 'recovering');
    const unseen = stuck.filter((view) => !isSeen(view));
    const item = statusItem({
      stuck: stuck.length,
      unseen: unseen.length,
      waiting: waiting.length,
      notMonitored: running.filter((view) => view.state.kind === 'not_monitored').length,
      recovering: recovering.length,
      agents: running.length,
      restricted: !trusted && running.length > 0,
      paused,
    });
    if (!item) {
      this.shown = '';
      this.item.hide();
      return;
    }
    const about: Partial<Record<StatusCommand, AgentView | undefined>> = {
      show_stuck: unseen[0] ?? stuck[0],
      show_waiting: waiting[0],
      show_recovering: recovering[0],
    };
    const session = about[item.command]?.session;
    const hover = tooltip(item.tooltip, running, now);
    const shown = JSON.stringify([item, session, hover.value]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.item.text = item.text;
    this.item.backgroundColor =
      item.background === null ? undefined : new vscode.ThemeColor(`statusBarItem.${item.background}Background`);
    this.item.tooltip = hover;
    this.item.command = {
      command: COMMANDS[item.command],
      title: item.label,
      arguments: session === undefined ? [] : [session],
    };
    this.item.accessibilityInformation = { label: item.label };
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function tooltip(firstLine: string, running: readonly AgentView[], now: number): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  text.appendText(firstLine);
  for (const view of running.slice(0, TOOLTIP_AGENTS)) {
    text.appendMarkdown(`\n\n$(${lookOf(view, now).icon}) `);
    const description = treeDescription(view.state, view.agentName, now, hintOf(view, now));
    text.appendText(`${treeTitle(signsInLine(view.title))}: ${description}`);
  }
  return text.appendMarkdown(`\n\n${andMore(running.length)}`);
}
