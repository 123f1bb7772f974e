import * as vscode from 'vscode';
import type { AgentView } from '../../model';
import { signsInLine } from '../../util/showable';
import { type StatusCommand, TOOLTIP_AGENTS, andMore, treeTitle } from '../../words';
import { markdownText } from '../markdown';
import { lookOf, rowDescription } from '../trees/row-words';
import type { Status } from './status';

const COMMANDS: Readonly<Record<StatusCommand, string>> = {
  show_next: 'unstuck.showEvidence',
  show_recovering: 'unstuck.showEvidence',
  show_agents: 'unstuck.showAgents',
  manage_trust: 'workbench.trust.manage',
  resume: 'unstuck.resume',
};

type PlaceName = (view: AgentView) => string;

/** The one status bar item. */
export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  /** What it shows. An item that is set goes to the window each time, also when nothing about it is new. */
  private shown = '';

  constructor() {
    this.item = vscode.window.createStatusBarItem('unstuck.status', vscode.StatusBarAlignment.Left, 10);
    this.item.name = 'Unstuck';
  }

  /**
   * @param now milliseconds since the epoch
   * @param placeName where an agent works, as far as that tells it from the others
   */
  show({ item, session, running }: Status, now: number, placeName: PlaceName = () => ''): void {
    if (!item) {
      this.shown = '';
      this.item.hide();
      return;
    }
    const hover = tooltip(item.tooltip, running, now, placeName);
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

function tooltip(
  firstLine: string,
  running: readonly AgentView[],
  now: number,
  placeName: PlaceName,
): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  text.appendMarkdown(markdownText(firstLine));
  for (const view of running.slice(0, TOOLTIP_AGENTS)) {
    text.appendMarkdown(`\n\n$(${lookOf(view, now).icon}) `);
    const description = rowDescription(view, now, placeName(view));
    text.appendMarkdown(markdownText(signsInLine(`${treeTitle(view.title)}: ${description}`)));
  }
  return text.appendMarkdown(`\n\n${andMore(running.length)}`);
}
