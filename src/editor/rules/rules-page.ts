import * as vscode from 'vscode';
import type { AgentId, AgentView, DetectorId, Preset } from '../../core/model';
import { cardOf } from '../../core/rules';
import type { Past, RuleChange } from '../panel-model';
import { rulesMessage } from '../panel-model/build-rules';
import { type RulesIntent, parseRulesIntent } from '../panel-model/rules-intents';
import { rulesNotice } from '../../core/words';
import type { AgentPorts } from '../agent-ports';
import { PageTab } from '../panel/page-tab';
import type { Services } from '../services';
import type { Configuration } from '../settings/configuration';
import { type RulesOf, isOwn, lessSensitive, moreSensitive, withRule } from './change-rule';
import type { RulesPast } from './past';
import { showError } from '../voice';

/** Number of past days that are read automatically. */
const DAYS = 7;
const DAY_MS = 86_400_000;
/** Minimum time between two messages with the counts of the rules, milliseconds. */
const INTERVAL_MS = 1_000;

interface RulesParts {
  readonly configuration: Pick<Configuration, 'onDidChange' | 'settings'>;
  readonly detectors: AgentPorts['detectors'];
  readonly past: RulesPast;
}

/** *Rules for This Agent…*: shows which rules watch an agent, what they count now, and what can be done about each. */
export class RulesPage implements vscode.Disposable {
  private readonly tab: PageTab;
  private session: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private past: Past | null = null;
  private days: number | null = DAYS;
  /** The change of a rule that was clicked last. The next one begins with what it has written. */
  private changing: Promise<void> = Promise.resolve();
  private reading: { readonly of: string; readonly stop: AbortController } | undefined;
  private readonly subscriptions: readonly { dispose(): void }[];

  constructor(
    private readonly services: Pick<Services, 'engine' | 'feedback' | 'context' | 'log' | 'now'>,
    private readonly parts: RulesParts,
  ) {
    this.tab = new PageTab(services.context.extensionUri, {
      name: 'rules',
      title: 'Rules',
      receive: (message) => this.receive(message),
      shown: () => this.send(),
      takesBack: (state) => this.takesBack(state),
    });
    this.subscriptions = [
      this.tab,
      parts.configuration.onDidChange(() => this.send()),
      services.engine.onDidChange((sessions) => this.update(sessions)),
    ];
  }

  show(session: string): void {
    this.session = session;
    this.tab.show();
    this.send();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.reading?.stop.abort();
    for (const one of this.subscriptions) one.dispose();
  }

  private takesBack(state: unknown): boolean {
    const { session } = (state ?? {}) as { readonly session?: unknown };
    // Another version stored it, so nothing shows whose rules it showed.
    if (typeof session !== 'string') return false;
    this.session = session;
    return true;
  }

  private receive(message: unknown): void {
    const intent = parseRulesIntent(message);
    if (!intent) return this.services.log.warn('the page of rules sent a message that is not understood');
    this.act(intent).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      void showError(`Unstuck could not change the rule: ${why}`);
    });
  }

  private async act(intent: RulesIntent): Promise<void> {
    switch (intent.type) {
      case 'ready':
        this.tab.ready();
        this.send();
        return;
      case 'allHistory':
        this.days = null;
        this.send();
        return;
      case 'openSettings':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'unstuck.detectors');
        return;
      case 'change': {
        const view = this.view();
        if (!view) return;
        const change = () => changeRule(this.personal(view.agent), intent.detector, intent.change);
        this.changing = this.changing.then(change, change);
        await this.changing;
      }
    }
  }

  /** Updates the page when its session changed. A session that was not read yet after a reload comes with its first change. */
  private update(sessions: readonly string[]): void {
    if (this.session !== undefined && sessions.includes(this.session)) this.sendSoon();
  }

  private sendSoon(): void {
    if (!this.tab.isVisible || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.send();
    }, INTERVAL_MS);
  }

  private view(): AgentView | undefined {
    return this.session === undefined ? undefined : this.services.engine.agent(this.session);
  }

  /** Begins to read the past of this kind of agent, unless that is under way or done. */
  private readPast(agent: AgentId): void {
    const of = `${agent} ${this.days}`;
    if (this.reading?.of === of) return;
    this.stopReading();
    const stop = new AbortController();
    this.reading = { of, stop };
    const since = this.days === null ? 0 : this.services.now() - this.days * DAY_MS;
    const counted = (past: Past): void => {
      if (stop.signal.aborted) return;
      if (!this.tab.isVisible && past.read < past.all) return this.stopReading();
      this.past = past;
      this.sendSoon();
    };
    this.parts.past.read(agent, since, stop.signal, counted).catch((error: unknown) => {
      this.services.log.warn(`the past of the rules could not be read: ${String(error)}`);
    });
  }

  /** Forgets what was read. It is read again when the page comes into view. */
  private stopReading(): void {
    this.reading?.stop.abort();
    this.reading = undefined;
    this.past = null;
  }

  private personal(agent: AgentId): RulesOf {
    return personalRules(agent, this.parts.configuration.settings.preset);
  }

  private send(): void {
    const view = this.view();
    if (!view || !this.tab.listens) return;
    const { agent } = view;
    this.readPast(agent);
    const options = this.parts.detectors(agent);
    const own = this.personal(agent);
    const message = rulesMessage({
      view,
      incidents: this.services.engine.session(view.session)?.book.all() ?? [],
      options,
      said: this.services.feedback.list(),
      means: (detector) => ({
        isOwn: isOwn(own, detector),
        canBeLess: lessSensitive(own, detector) !== null,
        canBeMore: moreSensitive(own, detector) !== null,
      }),
      past: this.past,
      days: this.days,
      notice: saysOfFolder() ? rulesNotice(vscode.workspace.isTrusted) : '',
    });
    this.tab.send(message);
  }
}

/** Returns the rules of one kind of agent as the person set them, without the settings of a folder. */
function personalRules(agent: AgentId, preset: Preset): RulesOf {
  return { agent, preset, detectors: inspected()?.globalValue ?? {} };
}

/** Changes a rule for one kind of agent in the person's own settings. A detector that another one covers is changed as that one. */
async function changeRule(of: RulesOf, detector: DetectorId, change: RuleChange): Promise<void> {
  const changed = withRule(of, cardOf(detector).foundBy ?? detector, change);
  const value = Object.keys(changed).length === 0 ? undefined : changed;
  await vscode.workspace.getConfiguration('unstuck').update('detectors', value, vscode.ConfigurationTarget.Global);
}

/** Returns whether this folder overrides the rules that a person set for all folders. */
function saysOfFolder(): boolean {
  const setting = inspected();
  return setting?.workspaceValue !== undefined || setting?.workspaceFolderValue !== undefined;
}

function inspected() {
  return vscode.workspace.getConfiguration('unstuck').inspect<Record<string, unknown>>('detectors');
}
