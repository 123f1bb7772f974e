import * as vscode from 'vscode';
import type { AgentView } from '../model';
import { inOrder } from './order';
import { signsInLine } from '../protocol/signs';
import { stateWords, treeTitle } from './words';

export interface StatusBarState {
  readonly views: readonly AgentView[];
  /** Sessions whose incidents the person has seen. */
  readonly isSeen: (view: AgentView) => boolean;
  readonly paused: boolean;
  readonly trusted: boolean;
  /** Why the engine stopped; null while it runs. */
  readonly stopped: string | null;
  readonly now: number;
}

/** What the item shows: the first row of design/UI.md 7.6 that applies. */
export interface StatusBarFace {
  readonly text: string;
  readonly background: 'error' | 'warning' | undefined;
  readonly firstLine: string;
  readonly command: string;
  readonly argument?: string;
}

const MOST_LINES = 8;

/** Pure: which face the one item has. Null: hidden. Silent agents never change it. */
export function faceOf({ views, isSeen, paused, trusted, stopped }: StatusBarState): StatusBarFace | null {
  if (stopped !== null) {
    return { text: '$(error) Unstuck', background: 'error', firstLine: `Unstuck has stopped: ${stopped}`, command: 'unstuck.showLog' };
  }
  const running = views.filter((view) => view.state.kind !== 'finished');
  const stuck = inOrder(running.filter((view) => view.state.kind === 'stuck' || view.state.kind === 'escalated'));
  const first = stuck.find((view) => !isSeen(view)) ?? stuck[0];
  if (first) {
    const unseen = stuck.some((view) => !isSeen(view));
    return {
      text: `$(warning) ${stuck.length} stuck`,
      background: unseen ? 'warning' : undefined,
      firstLine: stuck.length === 1 ? '1 agent is stuck' : `${stuck.length} agents are stuck`,
      command: 'unstuck.showEvidence',
      argument: first.session,
    };
  }
  const waiting = running.filter((view) => view.state.kind === 'waiting' && view.state.waitingFor !== 'turn_end');
  if (waiting[0]) {
    const firstLine = waiting.length === 1 ? '1 agent waits for you' : `${waiting.length} agents wait for you`;
    return { text: `$(comment-discussion) ${waiting.length} waiting`, background: undefined, firstLine, command: 'unstuck.showEvidence', argument: waiting[0].session };
  }
  const blind = running.filter((view) => view.state.kind === 'not_monitored').length;
  if (blind > 0) {
    const seen = running.length - blind;
    return {
      text: `$(eye-closed) ${seen} of ${running.length}`,
      background: undefined,
      firstLine: `${seen} of ${running.length} agents are monitored`,
      command: 'unstuck.showAgents',
    };
  }
  const recovering = running.filter((view) => view.state.kind === 'recovering');
  if (recovering[0]) {
    const text = `$(debug-restart) ${recovering.length} recovering`;
    const firstLine = recovering.length === 1 ? '1 agent is recovering' : `${recovering.length} agents are recovering`;
    return { text, background: undefined, firstLine, command: 'unstuck.showEvidence', argument: recovering[0].session };
  }
  if (!trusted && views.length > 0) {
    return { text: '$(lock) Unstuck', background: undefined, firstLine: 'Restricted mode: reading only', command: 'workbench.trust.manage' };
  }
  if (paused) return { text: '$(debug-pause) Paused', background: undefined, firstLine: 'Watching is paused', command: 'unstuck.resume' };
  if (running.length === 0) return null;
  const firstLine = running.length === 1 ? '1 agent, all well' : `${running.length} agents, all well`;
  return { text: `$(pulse) ${running.length}`, background: undefined, firstLine, command: 'unstuck.showAgents' };
}

/** The one status bar item. */
export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem('unstuck.status', vscode.StatusBarAlignment.Left, 10);
    this.item.name = 'Unstuck';
  }

  show(state: StatusBarState): void {
    const face = faceOf(state);
    if (!face) {
      this.item.hide();
      return;
    }
    this.item.text = face.text;
    this.item.backgroundColor = face.background && new vscode.ThemeColor(`statusBarItem.${face.background}Background`);
    this.item.tooltip = tooltip(face, state);
    this.item.command = { command: face.command, title: face.firstLine, arguments: face.argument === undefined ? [] : [face.argument] };
    const running = state.views.filter((view) => view.state.kind !== 'finished').length;
    this.item.accessibilityInformation = { label: `Unstuck, ${face.firstLine}, ${running} watched` };
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function tooltip(face: StatusBarFace, { views, now }: StatusBarState): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  text.appendText(face.firstLine);
  const running = inOrder(views.filter((view) => view.state.kind !== 'finished'));
  for (const view of running.slice(0, MOST_LINES)) {
    const words = stateWords(view, now);
    text.appendMarkdown(`\n\n$(${words.icon}) `);
    text.appendText(`${treeTitle(view)}: ${signsInLine(words.description)}`);
  }
  if (running.length > MOST_LINES) text.appendMarkdown(`\n\nand ${running.length - MOST_LINES} more`);
  return text;
}
