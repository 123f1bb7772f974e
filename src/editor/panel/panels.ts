import * as vscode from 'vscode';
import type { AgentView, Incident, Source } from '../../core/model';
import { panelSnapshot } from '../panel-model/build';
import { type PanelIntent, parseIntent } from '../panel-model/intents';
import { DESCRIBED_STEPS, type HostMessage } from '../panel-model/messages';
import { showable } from '../panel-model/showable';
import { storedPlace } from '../panel-model/stored';
import { TIMELINE_MODES, type TimelineMode } from '../panel-model/timeline';
import { Emitter } from '../../base/util/emitter';
import { presentable } from '../../base/util/redact';
import { signsInLine } from '../../base/util/showable';
import { onlyThere, treeTitle } from '../../core/words';
import type { Configuration } from '../settings/configuration';
import type { Connections } from '../connect/connect';
import type { Evidence } from '../transcripts/evidence';
import type { GatesUi } from '../gates/gates';
import type { HandsOf } from '../hands/hands';
import { setContext } from '../context-keys';
import type { Services } from '../services';
import { showCounted } from '../transcripts/counted';
import { showSkipped } from '../transcripts/skipped';
import type { Transcripts } from '../transcripts/transcripts';
import type { IncidentsView } from '../trees/incidents-view';
import { PAGE_OPTIONS, pageHtml, tabIcon } from './html';
import { pastView } from './past-view';
import { markersOf, newestSubjects, stepsOf, subjectsOf } from './snapshot';
import { fail, inform, warn } from '../voice';

const VIEW_TYPE = 'unstuck.panel';
const MODE_KEY = 'unstuck.timelineMode';
/** A visible panel gets at most four snapshots a second: more would be drawn, but not read. Milliseconds. */
const INTERVAL_MS = 250;

/** What needs the files of an agent, or what is known of it on its own machine only. */
const NEEDS_FILES: ReadonlySet<PanelIntent['type']> = new Set([
  'openLine',
  'openStep',
  'openAll',
  'openTranscript',
  'connect',
  'notStuck',
  'copySample',
  'compareSamples',
  'showSkipped',
  'showCounted',
  'runGates',
  'cancelGates',
  'sendGates',
  'openFailure',
  'hold',
  'saveCheckpoint',
  'exportIncident',
  'reportIncident',
  'exportFixture',
  'showRules',
  'withdraw',
]);

interface Shown {
  readonly session: string;
  /** The incident that was chosen; the gravest active one where none was. */
  readonly incident?: string;
  /** An incident of the history, whose session is not followed. */
  readonly past?: Incident;
}

function titleOf({ title }: AgentView): string {
  return treeTitle(signsInLine(title));
}

/** Where the panel opens, if it is not open yet, and whether it takes the focus. */
interface Where {
  readonly column?: vscode.ViewColumn;
  readonly preserveFocus?: boolean;
}

export interface PanelParts {
  readonly configuration: Configuration;
  readonly connections: Connections;
  readonly evidence: Evidence;
  readonly gates: GatesUi;
  readonly incidents: IncidentsView;
  readonly hands: HandsOf;
  readonly transcripts: Transcripts;
}

/** The panel: one editor tab that shows one agent at a time. */
export class Panels implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown: Shown | undefined;
  private ready = false;
  /** Its first snapshot was sent before the page listens, and nothing has changed since: see `adopt`. */
  private isAhead = false;
  private lastSentAt = 0;
  private timer: NodeJS.Timeout | undefined;
  /** The message box is to get the focus with the next snapshot. */
  private wantsFocus = false;
  private readonly registration: vscode.Disposable;
  private readonly shownAnew = new Emitter<void>();
  /** The panel came into view. */
  readonly onDidShow = this.shownAnew.event;

  constructor(
    private readonly services: Services,
    private readonly parts: PanelParts,
  ) {
    this.registration = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        const place = storedPlace(state);
        // Another version stored it: nothing says what it showed.
        if (!place) return panel.dispose();
        this.adopt(panel, { session: place.session });
        if (place.incident !== undefined) await this.restorePast(place.session, place.incident);
      },
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registration.dispose();
    this.shownAnew.dispose();
    this.panel?.dispose();
  }

  /** Shows an agent. `editDraft`: the message box gets the focus with the draft selected. */
  show(session: string, options: Where & { editDraft?: boolean; incident?: string } = {}): void {
    this.wantsFocus = options.editDraft === true;
    this.open({ session, ...(options.incident !== undefined && { incident: options.incident }) }, options);
  }

  /** Shows an incident of the history, also when its session is not followed any more. */
  showIncident(incident: Incident): void {
    this.open({ session: incident.session, incident: incident.id, past: incident });
  }

  /** Session of the panel that has the focus or is visible. */
  current(): string | undefined {
    return this.panel?.visible ? this.shown?.session : undefined;
  }

  isVisible(session: string): boolean {
    return this.panel?.visible === true && this.shown?.session === session;
  }

  /** Sends a snapshot when the shown session is among those that changed; of all sessions without `sessions`. */
  update(sessions?: readonly string[]): void {
    if (!this.panel?.visible || !this.shown || (sessions && !sessions.includes(this.shown.session))) return;
    this.services.agents.ask(this.shown.session);
    if (this.timer) return;
    const wait = Math.max(0, this.lastSentAt + INTERVAL_MS - this.services.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.send();
    }, wait);
  }

  private open(shown: Shown, { column = vscode.ViewColumn.Active, preserveFocus = false }: Where = {}): void {
    this.shown = shown;
    this.services.agents.ask(shown.session);
    if (this.panel) {
      this.panel.reveal(undefined, preserveFocus);
      this.send();
      return;
    }
    const view = this.view();
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      view ? titleOf(view) : 'Unstuck',
      { viewColumn: column, preserveFocus },
      PAGE_OPTIONS,
    );
    this.adopt(panel, shown);
  }

  /** After a reload, a panel of the history has no followed session to wait for. */
  private async restorePast(session: string, id: string): Promise<void> {
    // An open incident belongs to a session that reading will find again.
    const [past] = await this.services.store.incidents({ ids: [id], active: false });
    if (!past || this.shown?.session !== session) return;
    this.shown = { session, incident: id, past };
    this.send();
  }

  private adopt(panel: vscode.WebviewPanel, shown: Shown): void {
    this.panel = panel;
    this.shown = shown;
    this.ready = false;
    panel.iconPath = tabIcon(this.services.context.extensionUri);
    panel.webview.options = PAGE_OPTIONS;
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) return;
      this.send();
      this.shownAnew.fire();
    });
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.ready = false;
      this.isAhead = false;
    });
    panel.webview.html = pageHtml(this.services.context.extensionUri, 'panel');
    // VS Code keeps messages until the page has loaded, so the first picture need not wait for the page to ask. The focus does.
    // Behind the turn that opens the page: the extension host hands on what a turn sends when it ends.
    setTimeout(() => {
      if (this.panel === panel && !this.ready && !this.wantsFocus) this.isAhead = this.sendNow();
    });
  }

  private view(): AgentView | undefined {
    const past = this.past();
    return past ? pastView(past) : this.shown && this.services.agents.agent(this.shown.session);
  }

  /** The incident of the history that is shown; a session that is followed is shown itself. */
  private past(): Incident | undefined {
    const { session, past } = this.shown ?? {};
    return session === undefined || this.services.agents.agent(session) ? undefined : past;
  }

  private send(): void {
    if (this.ready) this.sendNow();
    else this.isAhead = false;
  }

  /** @returns whether there was something to send */
  private sendNow(): boolean {
    const view = this.view();
    if (!this.panel || !this.shown || !view) return false;
    const { agents, store, now } = this.services;
    this.lastSentAt = now();
    this.panel.title = titleOf(view);
    const timeline = agents.timeline(this.shown.session);
    const steps = stepsOf(timeline);
    const trusted = vscode.workspace.isTrusted;
    const past = this.past();
    const incident = this.incidentOf(view);
    const { messages, recovery: recovers } = this.parts.hands(view);
    // Nobody is there any more who could be told anything, or started again.
    const recovery = past ? undefined : recovers.shown(view, incident);
    const helpedBefore = recovery && recovers.helpedBefore(view, incident);
    const closing = recovers.waitsForClose(view);
    const surface = recovers.surfaceOf(view);
    setContext('unstuck.panelTerminal', surface === 'terminal');
    setContext('unstuck.panelChat', surface === 'chat');
    setContext('unstuck.panelCloses', closing);
    if (incident) setContext('unstuck.evidenceSeen', true);
    if (!this.ready) this.post({ type: 'timelineMode', mode: this.timelineMode() });
    this.post({
      type: 'snapshot',
      snapshot: panelSnapshot({
        view,
        steps,
        subjects: newestSubjects(timeline),
        markers: markersOf(timeline, steps.from),
        told: agents.told(this.shown.session),
        past: past ? [past] : this.ofSession(agents.incidentsOf(this.shown.session)),
        ...(this.shown.incident !== undefined && { chosen: this.shown.incident }),
        flags: {
          restricted: !trusted,
          paused: this.parts.configuration.isPaused,
          gone: view.deleted,
          ...(past && { past: true }),
          storeLocked: store.status().mode !== 'ready',
        },
        closing,
        draft: messages.draft(view),
        reach: messages.reach(view),
        connected: messages.isConnected(view),
        notTested: messages.notTested(view),
        ...(recovery && { recovery }),
        ...(helpedBefore && { helpedBefore }),
        now: now(),
      }),
    });
    if (this.wantsFocus) {
      this.wantsFocus = false;
      this.post({ type: 'focusMessage' });
    }
    return true;
  }

  private timelineMode(): TimelineMode {
    const kept = this.services.context.globalState.get<unknown>(MODE_KEY);
    return TIMELINE_MODES.find((mode) => mode === kept) ?? 'steps';
  }

  private post(message: HostMessage): void {
    void this.panel?.webview.postMessage(message);
  }

  private receive(message: unknown): void {
    const intent = parseIntent(message);
    if (!intent) {
      this.services.log.warn('the panel sent a message that is not understood');
      return;
    }
    this.act(intent).catch((error: unknown) => {
      this.services.log.error(`${intent.type}: ${String(error)}`);
      void fail(`Unstuck could not do that: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  private async act(intent: PanelIntent): Promise<void> {
    if (intent.type === 'ready') {
      this.ready = true;
      this.post({ type: 'timelineMode', mode: this.timelineMode() });
      if (!this.isAhead) this.send();
      this.isAhead = false;
      this.shownAnew.fire();
      return;
    }
    const view = this.view();
    if (!view || !this.shown) return;
    if (view.machine && NEEDS_FILES.has(intent.type)) {
      void inform(onlyThere(view.machine.name));
      return;
    }
    const run = (command: string, ...rest: unknown[]) => vscode.commands.executeCommand(command, ...rest);
    switch (intent.type) {
      case 'openLine':
        return this.openPlace(view, intent);
      case 'openStep': {
        const timeline = this.services.agents.timeline(view.session);
        if (!timeline || intent.step >= timeline.length) return undefined;
        return this.openPlace(view, {
          file: view.file,
          line: timeline.line(intent.step),
          offset: timeline.offset(intent.step),
        });
      }
      case 'openAll': {
        const incident = this.past() ?? view.incidents[0];
        const rows = incident?.evidence.filter((row) => row.role !== 'between').map((row) => row.source) ?? [];
        return this.parts.transcripts.showAll(rows, view.session);
      }
      case 'openTranscript':
        await run('unstuck.openTranscript', view.session);
        return undefined;
      case 'sendNudge':
        return this.sendNudge(view, intent.text, intent.incident);
      case 'withdraw':
        return this.withdraw(view, intent.id);
      case 'sendAgain': {
        const delivery = view.deliveries.find((one) => one.message.id === intent.id);
        const result = delivery && (await this.parts.hands(view).messages.sendAgain(view, delivery));
        if (result && 'message' in result) void warn(result.message);
        return undefined;
      }
      case 'connect':
        return this.parts.connections.connect(view.agent);
      case 'manageTrust':
        await run('workbench.trust.manage');
        return undefined;
      case 'resume':
        return this.parts.configuration.pause(false);
      case 'mute':
        await run('unstuck.mute', view.session);
        return undefined;
      case 'notStuck':
        await run('unstuck.notStuck', this.incidentOf(view) ?? view.session);
        return undefined;
      case 'copySummary':
        await run('unstuck.copySummary', view.session);
        return undefined;
      case 'copyCard':
        await run('unstuck.copyCard', view.session);
        return undefined;
      case 'copySample': {
        const incident = this.past() ?? view.incidents[0];
        const sample = intent.which === 'first' ? incident?.firstSample : incident?.lastSample;
        if (sample) await vscode.env.clipboard.writeText(presentable(sample.text));
        return undefined;
      }
      case 'compareSamples': {
        const incident = this.past() ?? this.incidentOf(view);
        return incident && this.parts.evidence.compare(incident);
      }
      case 'showCounted':
        return showCounted(this.services, this.parts.evidence, view, intent);
      case 'showSkipped':
        return showSkipped(view);
      case 'showIncident':
        this.open({ ...this.shown, incident: intent.id });
        return undefined;
      case 'describeSteps':
        return this.describe(view, intent.from, intent.to);
      case 'showRules':
        await run('unstuck.showRules', view.session);
        return undefined;
      case 'timelineMode':
        await this.services.context.globalState.update(MODE_KEY, intent.mode);
        return undefined;
      case 'runGates':
        return this.parts.gates.run(view);
      case 'cancelGates':
        return this.parts.gates.cancel(view);
      case 'sendGates':
        return this.parts.gates.send(view);
      case 'openFailure':
        return this.parts.gates.openFailure(view, intent.gate, intent.failure);
      case 'recover':
        return this.parts.hands(view).recovery.act(view, this.incidentOf(view), intent.action);
      case 'hold':
        return this.parts.hands(view).recovery.hold(view, this.incidentOf(view), intent.on);
      case 'saveCheckpoint':
        return this.parts.hands(view).recovery.saveCheckpoint(view);
      case 'exportIncident':
      case 'reportIncident':
      case 'exportFixture': {
        const incident = this.incidentOf(view);
        if (incident) await run(`unstuck.${intent.type}`, incident);
        return undefined;
      }
      case 'showSimilar': {
        const incident = this.incidentOf(view);
        if (incident) this.parts.incidents.showSimilar(incident);
        return undefined;
      }
      case 'nextNeedingMe':
        await run('unstuck.showNextNeedingMe');
        return undefined;
    }
  }

  /** The incidents of a session that is followed, with the one that is shown where reading the session again did not find it. */
  private ofSession(incidents: readonly Incident[]): readonly Incident[] {
    const { past } = this.shown ?? {};
    return past === undefined || incidents.some(({ id }) => id === past.id) ? incidents : [past, ...incidents];
  }

  /** The incident that the panel shows: the one that was chosen, else the gravest. */
  private incidentOf(view: AgentView): Incident | undefined {
    const incident = this.shown?.incident;
    const past = this.past();
    if (past) return past.id === incident ? past : view.incidents[0];
    if (incident === undefined || incident === '') return view.incidents[0];
    const kept = this.shown?.past?.id === incident ? this.shown.past : undefined;
    return (
      this.services.agents.incidentsOf(view.session).find(({ id }) => id === incident) ?? kept ?? view.incidents[0]
    );
  }

  /** The panel may name only transcripts that are followed, or the one of the incident that it shows. */
  private async openPlace(view: AgentView, place: Source): Promise<void> {
    if (place.file !== view.file) {
      this.services.log.warn('the panel asked for a file that is not its transcript');
      return;
    }
    await this.parts.evidence.show(place, view.session);
  }

  private async sendNudge(view: AgentView, text: string, id: string | undefined): Promise<void> {
    const incident = view.incidents.find((one) => one.id === id);
    const result = await this.parts.hands(view).messages.send(view, text, incident);
    if ('message' in result) void warn(result.message);
    this.send();
  }

  private async withdraw(view: AgentView, id: string): Promise<void> {
    const trouble = await this.parts.hands(view).messages.withdraw(view, id);
    if (trouble) void inform(trouble);
  }

  private describe(view: AgentView, from: number, to: number): void {
    const timeline = this.services.agents.timeline(view.session);
    if (timeline)
      this.post({
        type: 'subjects',
        subjects: showable(subjectsOf(timeline, from, Math.min(to, from + DESCRIBED_STEPS))),
      });
  }
}
