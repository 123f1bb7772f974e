import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ConnectPlan } from '../../agents/inbox/bridge';

const SCHEME = 'unstuck-plan';

/** Shows what Connect would write: each file as a diff of two read-only documents with a *Connect* button in its title bar. */
export class PlanPreviews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly subscriptions: readonly vscode.Disposable[] = [
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.commands.registerCommand('unstuck.connectAsShown', () => this.settle(true)),
    vscode.window.tabGroups.onDidChangeTabs(() => {
      if (tabs().length === 0) this.settle(false);
    }),
  ];
  private readonly texts = new Map<string, string>();
  private shown = 0;
  private settle: (agreed: boolean) => void = () => {};

  async show(plans: readonly { readonly plan: ConnectPlan; readonly title: string }[]): Promise<void> {
    this.settle(false);
    // Whoever waited for that answer now puts its own preview away, which must not take the new one with it.
    await this.hide();
    for (const { plan, title } of plans) {
      this.shown++;
      const before = this.side('before', plan, plan.before ?? '');
      const after = this.side('after', plan, plan.after);
      await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: plans.length === 1 });
    }
  }

  /** Waits for the person to read what is shown. Resolves to true on the title bar button, to false once everything is closed. */
  answer(): Promise<boolean> {
    return new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  async hide(): Promise<void> {
    this.texts.clear();
    await vscode.window.tabGroups.close(tabs());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  dispose(): void {
    this.settle(false);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private side(name: 'before' | 'after', plan: ConnectPlan, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.shown}/${name}/${basename(plan.file)}` });
    this.texts.set(uri.path, text);
    return uri;
  }
}

function tabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.scheme === SCHEME);
}
