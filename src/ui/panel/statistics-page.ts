import * as vscode from 'vscode';
import type { RangeDays, StatisticsMessage } from '../../panel';
import { parseStatisticsIntent } from '../../panel/statistics-intents';
import { signsInLine } from '../../util/showable';
import type { Services } from '../services';
import { pageHtml, pageOptions, tabIcon } from './html';

const VIEW_TYPE = 'unstuck.statistics';
const DAY_MS = 86_400_000;
/** The figures are asked for again so long after the history changed: it changes often while agents work. Milliseconds. */
const QUIET_MS = 2_000;

/** *Show Statistics*: an editor tab with the figures of the history. */
export class StatisticsPage implements vscode.Disposable {
  private page: vscode.WebviewPanel | undefined;
  private days: RangeDays = 30;
  private isReady = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: { dispose(): void }[];

  constructor(private readonly services: Pick<Services, 'store' | 'context' | 'log' | 'now' | 'agentNames'>) {
    this.subscriptions = [
      vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
        deserializeWebviewPanel: (page) => Promise.resolve(this.adopt(page)),
      }),
      services.store.onDidChange(() => this.soon()),
    ];
  }

  show(): void {
    if (this.page) return this.page.reveal();
    const options = pageOptions(this.services.context.extensionUri);
    this.adopt(vscode.window.createWebviewPanel(VIEW_TYPE, 'Statistics', vscode.ViewColumn.Active, options));
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of this.subscriptions) one.dispose();
    this.page?.dispose();
  }

  private adopt(page: vscode.WebviewPanel): void {
    const { extensionUri } = this.services.context;
    this.page = page;
    this.isReady = false;
    page.iconPath = tabIcon(extensionUri);
    page.webview.options = pageOptions(extensionUri);
    page.webview.onDidReceiveMessage((message: unknown) => {
      const intent = parseStatisticsIntent(message);
      if (!intent) return this.services.log.warn('the statistics sent a message that is not understood');
      this.days = intent.days;
      this.isReady = true;
      void this.send();
    });
    page.onDidChangeViewState(() => {
      if (page.visible) void this.send();
    });
    page.onDidDispose(() => {
      this.page = undefined;
    });
    page.webview.html = pageHtml(page.webview, extensionUri, 'statistics');
  }

  private soon(): void {
    if (!this.page?.visible || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.send();
    }, QUIET_MS);
  }

  private async send(): Promise<void> {
    if (!this.page?.visible || !this.isReady) return;
    const { days } = this;
    const message = await this.figures(days);
    // Another range was chosen meanwhile.
    if (days === this.days) void this.page?.webview.postMessage(message);
  }

  private async figures(days: RangeDays): Promise<StatisticsMessage> {
    const { store, now, agentNames } = this.services;
    const until = now() + 1;
    try {
      const all = await store.statistics({ since: days === 0 ? 0 : until - days * DAY_MS, until });
      const byAgent = all.byAgent.map((row) => ({ ...row, key: agentNames.get(row.key) ?? row.key }));
      const byModel = all.byModel.map((row) => ({ ...row, key: signsInLine(row.key) }));
      return { type: 'statistics', days, figures: { ...all, byAgent, byModel }, problem: '' };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { type: 'statistics', days, figures: null, problem };
    }
  }
}
