import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ConnectPlan } from '../../agents/inbox/bridge';

const SCHEME = 'unstuck-plan';

/** Shows what Connect would write as a difference of two read-only documents. */
export class PlanPreviews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  private readonly texts = new Map<string, string>();
  private shown = 0;

  async show(plan: ConnectPlan, title: string): Promise<void> {
    this.shown++;
    const side = (name: 'before' | 'after', text: string) => {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.shown}/${name}/${basename(plan.file)}` });
      this.texts.set(uri.path, text);
      return uri;
    };
    const before = side('before', plan.before ?? '');
    const after = side('after', plan.after);
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
  }

  async hide(): Promise<void> {
    this.texts.clear();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const ours = tabs.filter(
      (tab) => tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.scheme === SCHEME,
    );
    await vscode.window.tabGroups.close(ours);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  dispose(): void {
    this.registration.dispose();
  }
}
