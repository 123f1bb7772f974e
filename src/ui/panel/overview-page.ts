import * as vscode from 'vscode';
import type { AgentView } from '../../model';
import { overviewRow } from '../../panel/build-overview';
import { type OverviewMessage, type OverviewRow, STRIP_STEPS } from '../../panel/overview';
import { type OverviewIntent, parseOverviewIntent } from '../../panel/overview-intents';
import { watchOf } from '../../panel/watch';
import { Emitter } from '../../util/emitter';
import { doingWords } from '../../words';
import type { AgentList } from '../agent-list';
import type { Configuration } from '../settings/configuration';
import type { QuickNudge } from '../nudges/quick-nudge';
import type { Services } from '../services';
import { doingFactsOf, lookOf } from '../trees/row-words';
import { pageHtml, pageOptions, tabIcon } from './html';
import type { Panels } from './panels';
import { stepsInTime } from './snapshot';

const VIEW_TYPE = 'unstuck.overview';
/** A visible page gets at most four messages a second: more would be drawn, but not read. Milliseconds. */
const INTERVAL_MS = 250;
/** Rows that are made in one turn of the event loop. */
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
  private page: vscode.WebviewPanel | undefined;
  private isReady = false;
  private isSending = false;
  private lastSentAt = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Sessions that changed since the last message; null: all rows are to be sent. */
  private changed: Set<string> | null = null;
  private readonly registration: vscode.Disposable;
  private readonly shownAnew = new Emitter<void>();
  /** It came into view. */
  readonly onDidShow = this.shownAnew.event;

  constructor(
    private readonly services: Services,
    private readonly parts: OverviewPageParts,
  ) {
    this.registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: (page) => Promise.resolve(this.adopt(page)),
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registration.dispose();
    this.shownAnew.dispose();
    this.page?.dispose();
  }

  get isVisible(): boolean {
    return this.page?.visible === true;
  }

  show(): void {
    if (this.page) return this.page.reveal();
    const { extensionUri } = this.services.context;
    this.adopt(
      vscode.window.createWebviewPanel(VIEW_TYPE, 'Agents', vscode.ViewColumn.Active, pageOptions(extensionUri)),
    );
  }

  /** These agents changed; all, when none are named. */
  update(sessions?: readonly string[]): void {
    if (!sessions) this.changed = null;
    else if (this.changed) for (const session of sessions) this.changed.add(session);
    if (!this.page?.visible || !this.isReady || this.timer) return;
    const wait = Math.max(0, this.lastSentAt + INTERVAL_MS - this.services.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.send();
    }, wait);
  }

  private adopt(page: vscode.WebviewPanel): void {
    const { extensionUri } = this.services.context;
    this.page = page;
    this.isReady = false;
    page.iconPath = tabIcon(extensionUri);
    page.webview.options = pageOptions(extensionUri);
    page.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    page.onDidChangeViewState(() => {
      if (!page.visible) return;
      this.update();
      this.shownAnew.fire();
    });
    page.onDidDispose(() => {
      this.page = undefined;
      this.isReady = false;
    });
    page.webview.html = pageHtml(page.webview, extensionUri, 'overview');
  }

  private async send(): Promise<void> {
    if (!this.page?.visible || !this.isReady) return;
    // What changes while the rows of one message are made goes into the next.
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
      type: 'rows',
      whole: changed === null,
      rows,
      order: views.map((view) => view.session),
      now: this.lastSentAt,
      restricted: !vscode.workspace.isTrusted,
      paused: this.parts.configuration.isPaused,
    };
    void this.page?.webview.postMessage(message);
  }

  private rowOf(view: AgentView): OverviewRow {
    const { engine, now } = this.services;
    const { list } = this.parts;
    const timeline = engine.timeline(view.session);
    const from = Math.max(0, (timeline?.length ?? 0) - STRIP_STEPS);
    const watch = watchOf(view, view.incidents, stepsInTime(timeline));
    return overviewRow({
      view,
      steps: { from, flags: timeline?.slice(from).flags ?? new Uint8Array(0) },
      look: lookOf(view, now()),
      doing: doingWords(doingFactsOf(view, now(), watch)),
      place: list.placeName(view),
      folder: list.placeOf(view)?.folder ?? '',
      trusted: vscode.workspace.isTrusted,
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
      void vscode.window.showErrorMessage(
        `Unstuck could not do that: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  }

  private async act(intent: OverviewIntent): Promise<void> {
    if (intent.type === 'ready') {
      this.isReady = true;
      this.update();
      this.shownAnew.fire();
      return;
    }
    if (intent.type === 'replay') return void (await vscode.commands.executeCommand('unstuck.replay'));
    const view = this.services.engine.agent(intent.session);
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
