import * as vscode from 'vscode';
import { restOf } from '../../base/beat';
import type { AgentView } from '../../core/model';
import { overviewRow } from '../panel-model/build-overview';
import { type OverviewMessage, type OverviewRow, STRIP_STEPS } from '../panel-model/overview';
import { type OverviewIntent, parseOverviewIntent } from '../panel-model/overview-intents';
import { watchOf } from '../panel-model/watch';
import { Emitter } from '../../base/util/emitter';
import { whyWords } from '../../core/words';
import type { AgentList } from '../agent-list';
import type { Configuration } from '../settings/configuration';
import type { QuickNudge } from '../nudges/quick-nudge';
import type { Services } from '../services';
import { whyFactsOf, lookOf } from '../trees/row-words';
import { PageTab } from './page-tab';
import type { Panels } from './panels';
import { stepsInTime } from './snapshot';
import { showError } from '../voice';

/** Interval between messages, milliseconds. A visible page gets at most four a second: more would be drawn, but not read. */
const INTERVAL_MS = 250;
/** Number of rows that are made in one turn of the event loop. */
const ROWS_A_TURN = 50;

export interface OverviewPageParts {
  readonly configuration: Pick<Configuration, 'isPaused'>;
  readonly list: AgentList;
  readonly nudge: QuickNudge;
  readonly panels: Panels;
  readonly goTo: (view: AgentView) => Promise<void>;
}

/** The overview: an editor tab with one row for each agent. */
export class OverviewPage implements vscode.Disposable {
  private readonly tab: PageTab;
  private isSending = false;
  /** True if its first rows were sent before the page listens: see `show`. */
  private isAhead = false;
  private lastSentAt = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Sessions that changed since the last message; null if all rows are to be sent. */
  private changed: Set<string> | null = null;
  private readonly shownAgain = new Emitter<void>();
  /** Fires when it comes into view. */
  readonly onDidShow = this.shownAgain.event;

  constructor(
    private readonly services: Services,
    private readonly parts: OverviewPageParts,
  ) {
    this.tab = new PageTab(services.context.extensionUri, {
      name: 'overview',
      title: 'Agents',
      receive: (message) => this.receive(message),
      shown: () => {
        this.update();
        this.shownAgain.fire();
      },
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.tab.dispose();
    this.shownAgain.dispose();
  }

  get isVisible(): boolean {
    return this.tab.isVisible;
  }

  show(): void {
    if (!this.tab.show()) return;
    // The first rows need not wait for the page's request. A new page has none of the rows that an earlier one was sent.
    this.changed = null;
    this.isAhead = true;
    void this.send();
  }

  /** Takes the agents that changed; all if none are named. */
  update(sessions?: readonly string[]): void {
    if (!sessions) this.changed = null;
    else if (this.changed) for (const session of sessions) this.changed.add(session);
    if (!this.tab.listens || this.timer) return;
    const wait = restOf(INTERVAL_MS, this.lastSentAt, this.services.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.tab.listens) void this.send();
    }, wait);
  }

  private async send(): Promise<void> {
    // A change while the rows of one message are made goes into the next message.
    if (this.isSending) return this.update([]);
    this.isSending = true;
    const { changed } = this;
    this.changed = new Set();
    const views = this.parts.list.views();
    const rows: OverviewRow[] = [];
    let made = 0;
    for (const view of views) {
      if (changed && !changed.has(view.session)) continue;
      if (++made % ROWS_A_TURN === 0) await new Promise((resume) => setImmediate(resume));
      rows.push(this.rowOf(view));
    }
    this.lastSentAt = this.services.now();
    this.isSending = false;
    const message: OverviewMessage = {
      whole: changed === null,
      rows,
      order: views.map((view) => view.session),
      now: this.lastSentAt,
      restricted: !vscode.workspace.isTrusted,
      paused: this.parts.configuration.isPaused,
    };
    this.tab.send(message);
  }

  private rowOf(view: AgentView): OverviewRow {
    const { agents, now } = this.services;
    const { list } = this.parts;
    const timeline = agents.timeline(view.session);
    const from = Math.max(0, (timeline?.length ?? 0) - STRIP_STEPS);
    const watch = watchOf(view, view.incidents, stepsInTime(timeline));
    return overviewRow({
      view,
      steps: { from, flags: timeline?.slice(from).flags ?? new Uint8Array(0) },
      look: lookOf(view, now()),
      doing: whyWords(whyFactsOf(view, now(), watch)),
      place: list.placeName(view),
      folder: list.placeOf(view)?.folder ?? '',
      trusted: vscode.workspace.isTrusted,
      now: now(),
    });
  }

  private receive(message: unknown): void {
    const intent = parseOverviewIntent(message);
    if (!intent) {
      this.services.log.warn('the overview sent a message that is not understood');
      return;
    }
    this.act(intent).catch((error: unknown) => {
      this.services.log.error(`overview, ${intent.type}: ${String(error)}`);
      void showError(`Unstuck could not do that: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  private async act(intent: OverviewIntent): Promise<void> {
    if (intent.type === 'ready') {
      this.tab.ready();
      // Sends rows that changed since they were sent ahead, or all rows if sending ahead had to wait.
      if (!this.isAhead) this.update();
      else if (this.changed?.size !== 0) this.update([]);
      this.isAhead = false;
      this.shownAgain.fire();
      return;
    }
    if (intent.type === 'replay') return void (await vscode.commands.executeCommand('unstuck.replay'));
    const view = this.services.agents.agent(intent.session);
    if (!view) return;
    switch (intent.type) {
      case 'open':
        this.parts.panels.show(view.session, { column: vscode.ViewColumn.Beside, preserveFocus: !intent.focus });
        return;
      case 'nudge':
        return this.parts.nudge.send(view);
      case 'go':
        return this.parts.goTo(view);
    }
  }
}
