import type * as vscode from 'vscode';
import type { RangeDays, StatisticsMessage } from '../panel-model';
import { parseStatisticsIntent } from '../panel-model/statistics-intents';
import { signsInLine } from '../../base/util/showable';
import type { Services } from '../services';
import { PageTab } from './page-tab';

const DAY_MS = 86_400_000;
/** Time after a change of the history before the figures are queried again, milliseconds. The history changes often while agents work. */
const QUIET_MS = 2_000;

/** *Show Statistics*: an editor tab with the figures of the history. */
export class StatisticsPage implements vscode.Disposable {
  private readonly tab: PageTab;
  private days: RangeDays = 30;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscription: { dispose(): void };

  constructor(private readonly services: Pick<Services, 'store' | 'context' | 'log' | 'now' | 'agentNames'>) {
    this.tab = new PageTab(services.context.extensionUri, {
      name: 'statistics',
      title: 'Statistics',
      receive: (message) => this.receive(message),
      shown: () => void this.send(),
    });
    this.subscription = services.store.onDidChange(() => this.soon());
  }

  show(): void {
    this.tab.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.tab.dispose();
  }

  private receive(message: unknown): void {
    const intent = parseStatisticsIntent(message);
    if (!intent) return this.services.log.warn('the statistics sent a message that is not understood');
    this.days = intent.days;
    this.tab.ready();
    void this.send();
  }

  private soon(): void {
    if (!this.tab.isVisible || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.send();
    }, QUIET_MS);
  }

  private async send(): Promise<void> {
    if (!this.tab.listens) return;
    const { days } = this;
    const message = await this.figures(days);
    // Another range may have been chosen in the meantime.
    if (days === this.days) this.tab.send(message);
  }

  private async figures(days: RangeDays): Promise<StatisticsMessage> {
    const { store, now, agentNames } = this.services;
    const until = now() + 1;
    try {
      const all = await store.statistics({ since: days === 0 ? 0 : until - days * DAY_MS, until });
      const byAgent = all.byAgent.map((row) => ({ ...row, key: agentNames.get(row.key) ?? row.key }));
      const byModel = all.byModel.map((row) => ({ ...row, key: signsInLine(row.key) }));
      return { days, figures: { ...all, byAgent, byModel }, problem: '' };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { days, figures: null, problem };
    }
  }
}
