import * as vscode from 'vscode';
import { type HoverLine, hoverOf } from './hover';
import { MOST, inertLine } from './inert';

/** Content of an item of the status bar. Its icon is our own; every other text may contain words of others. */
export interface StatusLook {
  readonly icon: string;
  readonly text: string;
  /** Text for a screen reader. */
  readonly label: string;
  readonly isWarning: boolean;
  readonly hover: readonly HoverLine[];
  readonly command: { readonly command: string; readonly arguments: readonly unknown[] };
}

/** An item of the status bar. */
export class StatusItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  /** The content that was set last. Setting an item sends it to the window each time, even if nothing about it is new. */
  private shown = '';

  constructor(id: string, name: string) {
    this.item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 10);
    this.item.name = name;
  }

  show(look: StatusLook): void {
    const shown = JSON.stringify(look);
    if (shown === this.shown) return;
    this.shown = shown;
    const label = inertLine(look.label, MOST.sentence);
    this.item.text = `$(${look.icon}) ${inertLine(look.text, MOST.label)}`;
    this.item.backgroundColor = look.isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.tooltip = hoverOf(look.hover);
    this.item.command = { command: look.command.command, title: label, arguments: [...look.command.arguments] };
    this.item.accessibilityInformation = { label };
    this.item.show();
  }

  hide(): void {
    this.shown = '';
    this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}
