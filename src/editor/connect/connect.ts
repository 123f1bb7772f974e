import * as vscode from 'vscode';
import type { AgentId, AgentView } from '../../core/model';
import type { Bridge, ConnectionState, ConnectPlan, ConnectScope } from '../../agents/inbox/bridge';
import {
  type ConnectFacts,
  connectOutlook,
  connectQuestion,
  connectState,
  ELSEWHERE,
  elsewhereSentence,
  looksThere,
  notTestedWith,
  PROOF_TEXTS,
} from '../../core/words';
import { setContext } from '../context-keys';
import { PlanPreviews } from './plan-previews';
import type { Routes } from '../nudges/routes';
import type { Services } from '../services';
import type { Untested } from '../nudges/untested';
import { askFirst, fail, inform, pickOne, warn } from '../voice';

/** An agent of this kind that works in these folders and keeps its files where this window does not look; null where there is none. */
export type ElsewherePort = (
  agent: AgentId,
  folders: readonly string[],
) => Promise<{
  readonly pid: number;
  readonly variable: string;
  readonly folder: string;
  readonly ours: string;
  readonly settable: boolean;
} | null>;

/** States of which a list says more than their message. */
const CONNECTIONS: Partial<Record<ConnectionState, 'works' | 'none'>> = { connected: 'works', not_connected: 'none' };

/** Sets up and removes the ways by which messages reach running agents. Everything is shown before it is written. */
export class Connections implements vscode.Disposable {
  private readonly previews = new PlanPreviews();

  constructor(
    private readonly services: Services,
    private readonly routes: Routes,
    private readonly untested: Pick<Untested, 'isFound' | 'versionOf' | 'sentenceOf'>,
    private readonly elsewhere: ElsewherePort,
  ) {}

  dispose(): void {
    this.previews.dispose();
  }

  /** `Unstuck: Connect Agent…`. Ends with a tested answer or the exact next step. */
  async connect(agent?: string): Promise<void> {
    const bridge = await this.pickBridge('Connect', agent);
    const folder = bridge && (await this.pickFolder(bridge));
    if (!bridge || !folder || !(await this.looksRight(bridge, folder))) return;
    await this.connectIn(bridge, folder, bridge.scopes[0]);
  }

  /** `Unstuck: Disconnect Agent…`. Takes out exactly what Connect wrote. */
  async disconnect(agent?: string): Promise<void> {
    const bridge = await this.pickBridge('Disconnect', agent);
    const folder = bridge && (await this.pickFolder(bridge));
    if (!bridge || !folder) return;
    const { scope, file } = await bridge.status(this.place(folder));
    const name = this.nameOf(bridge);
    if (scope === null) {
      void inform(`${name} is not connected here.`);
      return;
    }
    const detail = `What Unstuck wrote into ${file} is taken out again; the rest stays as it is.`;
    const yes = await askFirst({ message: `Disconnect ${name}?`, detail }, 'Disconnect');
    if (yes !== 'Disconnect') return;
    const result = await bridge.disconnect({ ...this.place(folder), scope });
    this.routes.forget();
    if (!result.ok) void fail(result.error.message);
    else void inform(`${name} is disconnected. ${result.value.file} holds nothing of Unstuck any more.`);
  }

  /** After an update of the extension: brings what is installed up to date. Nothing is installed that was not there. */
  async refresh(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      if (folder.uri.scheme !== 'file') continue;
      for (const bridge of this.services.bridges.values()) {
        const { state, message } = await bridge.refresh(this.place(folder.uri.fsPath));
        if (state === 'connected') setContext('unstuck.connected', true);
        if (state !== 'connected' && state !== 'not_connected') this.services.log.warn(message);
      }
    }
  }

  /** Returns whether the agent keeps its files where this window looks; if not, asks the person whether to go on. */
  private async looksRight(bridge: Bridge, folder: string): Promise<boolean> {
    const found = await this.elsewhere(bridge.agent, [folder]).catch(() => null);
    if (!found) return true;
    const text = elsewhereSentence(this.nameOf(bridge), found);
    const buttons = [...(found.settable ? [ELSEWHERE.lookThere] : []), ELSEWHERE.connectAnyway];
    const answer = await warn(text, ...buttons);
    if (answer === ELSEWHERE.lookThere) await this.lookThere(found.variable, found.folder);
    return answer === ELSEWHERE.connectAnyway;
  }

  private async lookThere(variable: string, folder: string): Promise<void> {
    const configuration = vscode.workspace.getConfiguration('unstuck');
    const folders = { ...configuration.inspect<object>('agents.folders')?.globalValue, [variable]: folder };
    await configuration.update('agents.folders', folders, vscode.ConfigurationTarget.Global);
    if ((await inform(looksThere(folder), 'Reload Window')) === 'Reload Window')
      await vscode.commands.executeCommand('workbench.action.reloadWindow');
  }

  private async connectIn(bridge: Bridge, folder: string, scope: ConnectScope): Promise<void> {
    const planned = await bridge.plan({ ...this.place(folder), scope });
    if (!planned.ok) {
      await this.offerOther(bridge, folder, planned.error.message, planned.error.alternative);
      return;
    }
    if (!(await this.agrees(bridge, planned.value))) return;
    const connected = await bridge.connect(planned.value);
    this.routes.forget();
    if (!connected.ok) {
      await this.offerOther(bridge, folder, connected.error.message, connected.error.alternative);
      return;
    }
    setContext('unstuck.connected', true);
    const tested = await bridge.test();
    const name = this.nameOf(bridge);
    const test = tested.message.replace(/\.?$/, '.');
    const text = `${name} is connected, waiting for proof: its next call. ${test}`;
    // The first note says what sessions that run now get; all of them stood in the question before.
    const [first = ''] = planned.value.remarks;
    if (tested.passed && connected.value.state !== 'connected') {
      void warn(`Unstuck is set up for ${name}. ${test} ${connected.value.message}`);
    } else if (tested.passed) void inform(`${text} ${first}`.trim());
    else void warn(text);
  }

  /** Shows what will be written, as a difference in an editor, and asks beside it, so that it can be read and scrolled meanwhile. */
  private async agrees(bridge: Bridge, plan: ConnectPlan): Promise<boolean> {
    if (plan.diff === '') return true;
    const agent = this.nameOf(bridge);
    await this.previews.show(plan, `Connect ${agent}`);
    const untested = await this.untested.sentenceOf(bridge.agent, this.viewsOf(bridge));
    const question = connectQuestion({
      agent,
      file: plan.file,
      isNew: plan.before === null,
      added: plan.diff.split('\n').filter((line) => line.startsWith('+')).length,
      warnings: [...(untested === null ? [] : [untested]), ...plan.warnings],
    });
    const answer = await inform(question, 'Connect', 'Details…', 'Cancel');
    const agreed = answer === 'Connect' || (answer === 'Details…' && (await this.agreesToDetails(agent, plan)));
    await this.previews.hide();
    return agreed;
  }

  private async agreesToDetails(agent: string, plan: ConnectPlan): Promise<boolean> {
    const detail = [plan.file, ...[...plan.warnings, ...plan.remarks].flatMap((text) => ['', text])];
    const answer = await askFirst({ level: 'information', message: `Connect ${agent}?`, detail }, 'Connect');
    return answer === 'Connect';
  }

  private async offerOther(
    bridge: Bridge,
    folder: string,
    message: string,
    other: ConnectScope | undefined,
  ): Promise<void> {
    const label = other === 'user' ? 'Use My User Settings' : 'Use the Project’s Personal Settings';
    const answer = await fail(message, ...(other ? [label] : []));
    if (other && answer === label) await this.connectIn(bridge, folder, other);
  }

  private async pickBridge(verb: 'Connect' | 'Disconnect', agent: string | undefined): Promise<Bridge | undefined> {
    const bridges = [...this.services.bridges.values()];
    const wanted = agent === undefined ? undefined : this.services.bridges.get(agent);
    if (wanted || bridges.length <= 1) return wanted ?? bridges[0];
    const picking = Promise.all(bridges.map((bridge) => this.itemOf(verb, bridge))).then((items) =>
      // Agents that work here come first; the list's own order decides between equals.
      items.sort((one, other) => other.watched - one.watched),
    );
    const picked = await pickOne(picking, {
      placeHolder: verb === 'Connect' ? 'Connect which agent?' : 'Disconnect which agent?',
    });
    return picked?.bridge;
  }

  private async itemOf(verb: 'Connect' | 'Disconnect', bridge: Bridge) {
    const views = this.viewsOf(bridge);
    const [folder] = this.services.folders();
    const status = folder === undefined ? null : await bridge.status(this.place(folder)).catch(() => null);
    const facts: ConnectFacts = {
      sessions: views.length,
      isFound: await this.untested.isFound(bridge.agent),
      connection: status === null ? 'other' : (CONNECTIONS[status.state] ?? 'other'),
      proof: PROOF_TEXTS[this.routes.proofOfAll(views)],
      file: status?.file ?? '',
      message: status?.message ?? '',
    };
    const version = await this.untested.versionOf(bridge.agent, views);
    const untested = version === null ? '' : notTestedWith(version);
    const description = [connectState(facts), untested].filter((part) => part !== '').join(', ');
    const detail = status === null ? '' : connectOutlook(verb, facts);
    return { label: this.nameOf(bridge), description, detail, watched: views.length, bridge };
  }

  private async pickFolder({ scopes }: Bridge): Promise<string | undefined> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
    if (folders.length === 0) {
      void inform('Open a folder first: an agent is connected for the folder it works in.');
      return undefined;
    }
    // The user's own settings count for all folders.
    if (folders.length === 1 || !scopes.includes('project')) return folders[0]?.uri.fsPath;
    const rows = folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath }));
    return (await pickOne(rows, { placeHolder: 'For which folder?' }))?.description;
  }

  private place(folder: string) {
    const workspaceFolders = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
    return { folder, workspaceFolders };
  }

  private viewsOf({ agent }: Bridge): readonly AgentView[] {
    return this.services.engine.agents().filter((view) => view.agent === agent);
  }

  private nameOf(bridge: Bridge): string {
    return this.services.agentNames.get(bridge.agent) ?? bridge.agent;
  }
}
