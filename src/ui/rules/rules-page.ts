import * as vscode from 'vscode';
import type { AgentView } from '../../model';
import { rulesMessage } from '../../panel/build-rules';
import { type RulesIntent, parseRulesIntent } from '../../panel/rules-intents';
import { rulesNotice } from '../../words';
import type { AgentPorts } from '../create';
import { pageHtml, pageOptions, tabIcon } from '../panel/html';
import type { Services } from '../services';
import type { Configuration } from '../settings/configuration';
import { isOwn, lessSensitive, moreSensitive } from './change-rule';
import { changeRule, personalRules, saysOfFolder } from './rule-settings';

const VIEW_TYPE = 'unstuck.rules';
/** What the rules count is sent at most so often. Milliseconds. */
const INTERVAL_MS = 1_000;

interface RulesParts {
  readonly configuration: Pick<Configuration, 'onDidChange'>;
  readonly detectors: AgentPorts['detectors'];
}

/** *Rules for This Agent…*: which rules watch an agent, what they count now, and what can be done about each. */
export class RulesPage implements vscode.Disposable {
  private page: vscode.WebviewPanel | undefined;
  private session: string | undefined;
  private isReady = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: readonly { dispose(): void }[];

  constructor(
    private readonly services: Pick<Services, 'engine' | 'feedback' | 'context' | 'log'>,
    private readonly parts: RulesParts,
  ) {
    this.subscriptions = [
      parts.configuration.onDidChange(() => this.send()),
      services.engine.onDidChange((sessions) => this.update(sessions)),
      vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
        deserializeWebviewPanel: (page, state: unknown) => Promise.resolve(this.restore(page, state)),
      }),
    ];
  }

  show(session: string): void {
    this.session = session;
    if (this.page) {
      this.page.reveal();
      this.send();
      return;
    }
    const options = pageOptions(this.services.context.extensionUri);
    this.adopt(vscode.window.createWebviewPanel(VIEW_TYPE, 'Rules', vscode.ViewColumn.Active, options));
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of this.subscriptions) one.dispose();
    this.page?.dispose();
  }

  private restore(page: vscode.WebviewPanel, state: unknown): void {
    const { session } = (state ?? {}) as { readonly session?: unknown };
    // Another version stored it: nothing says whose rules it showed.
    if (typeof session !== 'string') return page.dispose();
    this.session = session;
    this.adopt(page);
  }

  private adopt(page: vscode.WebviewPanel): void {
    const { extensionUri } = this.services.context;
    this.page = page;
    this.isReady = false;
    page.iconPath = tabIcon(extensionUri);
    page.webview.options = pageOptions(extensionUri);
    page.webview.onDidReceiveMessage((message: unknown) => {
      const intent = parseRulesIntent(message);
      if (!intent) return this.services.log.warn('the page of rules sent a message that is not understood');
      this.act(intent).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        void vscode.window.showErrorMessage(`Unstuck could not change the rule: ${why}`);
      });
    });
    page.onDidChangeViewState(() => this.send());
    page.onDidDispose(() => {
      this.page = undefined;
    });
    page.webview.html = pageHtml(page.webview, extensionUri, 'rules');
  }

  private async act(intent: RulesIntent): Promise<void> {
    switch (intent.type) {
      case 'ready':
        this.isReady = true;
        this.send();
        return;
      case 'openSettings':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'unstuck.detectors');
        return;
      case 'change': {
        const view = this.view();
        if (view) await changeRule(view.agent, intent.detector, intent.change, this.parts.detectors);
      }
    }
  }

  /** A session that was not read yet after a reload comes with the first change of it. */
  private update(sessions: readonly string[]): void {
    if (!this.page?.visible || this.timer || this.session === undefined || !sessions.includes(this.session)) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.send();
    }, INTERVAL_MS);
  }

  private view(): AgentView | undefined {
    return this.session === undefined ? undefined : this.services.engine.agent(this.session);
  }

  private send(): void {
    const view = this.view();
    if (!view || !this.page?.visible || !this.isReady) return;
    const { agent } = view;
    const options = this.parts.detectors(agent);
    const written = personalRules();
    const message = rulesMessage({
      view,
      incidents: this.services.engine.session(view.session)?.book.all() ?? [],
      options,
      said: this.services.feedback.list(),
      means: (detector) => ({
        isOwn: isOwn(written, agent, detector),
        canBeLess: lessSensitive(detector, options[detector]) !== null,
        canBeMore: moreSensitive(detector, options[detector]) !== null,
      }),
      notice: saysOfFolder() ? rulesNotice(vscode.workspace.isTrusted) : '',
    });
    void this.page.webview.postMessage(message);
  }
}
