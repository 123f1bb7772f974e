import { basename, relative } from 'node:path';
import * as vscode from 'vscode';
import type { AgentId, AgentView } from '../../core/model';
import type { Bridge, ConnectionState } from '../../agents/inbox/bridge';
import { inboxRoot } from '../../agents/inbox/root';
import {
  type ConnectFacts,
  connectOutlook,
  connectState,
  ELSEWHERE,
  elsewhereSentence,
  looksThere,
  notTestedWith,
  PROOF_TEXTS,
} from '../../core/words';
import { setContext } from '../context-keys';
import { type AgentInFolder, Plans } from './plans';
import type { Routes } from '../nudges/routes';
import type { Services } from '../services';
import type { Untested } from '../nudges/untested';
import { askFirst, showError, inform, pickOne, warn } from '../voice';

/** The agent that a person wants to connect. Without `cwd` it stands for all agents of its kind. */
export type Whom = Pick<AgentView, 'cwd'> & { readonly agent: string };

/** Finds an agent of this kind that works in these folders and keeps its files where this window does not look; null if there is none. */
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

/** States for which a list shows more than their message. */
const CONNECTIONS: Partial<Record<ConnectionState, ConnectFacts['connection']>> = {
  connected: 'works',
  not_trusted: 'trust',
  not_connected: 'none',
};

/** Sets up and removes the ways in which messages reach running agents. Everything is shown before it is written. */
export class Connections implements vscode.Disposable {
  private readonly plans: Plans;
  private refreshing: Promise<void> = Promise.resolve();
  private readonly subscriptions: readonly vscode.Disposable[] = [
    vscode.workspace.onDidGrantWorkspaceTrust(() => void this.refresh()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void this.refresh()),
  ];

  constructor(
    private readonly services: Services,
    private readonly routes: Routes,
    private readonly untested: Pick<Untested, 'isFound' | 'versionOf' | 'sentenceOf'>,
    private readonly elsewhere: ElsewherePort,
  ) {
    this.plans = new Plans(services, routes, untested);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.plans.dispose();
  }

  /**
   * *Connect Agent…*: connects an agent in its own folder, otherwise one kind of agent in all folders of this window. Ends with a tested answer or
   * the exact next step. Returns true if everything was written.
   *
   * @param nudges a nudge follows at once
   */
  async connect(whom?: Whom, nudges = false): Promise<boolean> {
    const bridge = await this.pickBridge('Connect', whom?.agent);
    if (!bridge) return false;
    const folders = whom?.cwd === undefined ? openFolders() : [whom.cwd];
    if (folders.length === 0) void inform(NO_FOLDER);
    const places = folders.map((folder) => ({ bridge, folder }));
    return this.connectAt(isForAllFolders(bridge) ? places.slice(0, 1) : places, nudges);
  }

  /** *Connect All*: connects every agent of this window that can be connected and is not yet. */
  async connectAll(): Promise<void> {
    const places = new Map<string, AgentInFolder>();
    for (const { agent, cwd, state } of this.services.engine.agents()) {
      const bridge = this.services.bridges.get(agent);
      if (!bridge || cwd === undefined || state.kind === 'finished' || inboxRoot(this.services.folders(), cwd) === null)
        continue;
      const key = isForAllFolders(bridge) ? agent : `${agent}\n${cwd}`;
      if ((await bridge.status(this.place(cwd))).state !== 'connected') places.set(key, { bridge, folder: cwd });
    }
    if (places.size === 0) void inform('All agents in this window that can be connected are connected.');
    else await this.connectAt([...places.values()], false);
  }

  /** `Unstuck: Disconnect Agent…`: removes exactly what Connect wrote. */
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
    const detail = `Unstuck removes what it wrote to ${file}. The rest stays as it is.`;
    const yes = await askFirst({ message: `Disconnect ${name}?`, detail }, 'Disconnect');
    if (yes !== 'Disconnect') return;
    const result = await bridge.disconnect({ ...this.place(folder), scope });
    this.routes.forget();
    if (!result.ok) void showError(result.error.message);
    else void inform(`${name} is disconnected. Unstuck removed everything it wrote to ${result.value.file}.`);
  }

  /**
   * Brings what is installed up to date, after an update of the extension and when a folder is opened or trusted: hooks look for messages in the
   * folders that they know. Installs nothing new.
   */
  refresh(): Promise<void> {
    // One after the other, since each reads and writes the same records.
    const run = () => this.refreshNow();
    this.refreshing = this.refreshing.then(run, run);
    return this.refreshing;
  }

  private async refreshNow(): Promise<void> {
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

  /** Returns whether the agent keeps its files where this window looks; if not, asks the person whether to continue. */
  private async looksRight({ bridge, folder }: AgentInFolder): Promise<boolean> {
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

  private async connectAt(places: readonly AgentInFolder[], nudges: boolean): Promise<boolean> {
    const right: AgentInFolder[] = [];
    for (const place of places) if (await this.looksRight(place)) right.push(place);
    const written = await this.plans.carryOut(right, nudges);
    if (written > 0) setContext('unstuck.connected', true);
    return written > 0 && written === places.length;
  }

  private async pickBridge(verb: 'Connect' | 'Disconnect', agent: string | undefined): Promise<Bridge | undefined> {
    const bridges = [...this.services.bridges.values()];
    const wanted = agent === undefined ? undefined : this.services.bridges.get(agent);
    if (wanted || bridges.length <= 1) return wanted ?? bridges[0];
    const picking = Promise.all(bridges.map((bridge) => this.itemOf(verb, bridge))).then((items) =>
      // Agents that work here come first. The sort is stable, so the list's own order decides between equals.
      items.sort((one, other) => other.watched - one.watched),
    );
    const picked = await pickOne(picking, {
      placeHolder: verb === 'Connect' ? 'Connect which agent?' : 'Disconnect which agent?',
    });
    return picked?.bridge;
  }

  private async itemOf(verb: 'Connect' | 'Disconnect', bridge: Bridge) {
    const views = this.viewsOf(bridge);
    const places = this.services.folders().slice(0, isForAllFolders(bridge) ? 1 : undefined);
    const asked = await Promise.all(
      places.map(async (folder) => {
        const status = await bridge.status(this.place(folder)).catch(() => null);
        return status === null ? [] : [{ folder, status }];
      }),
    );
    const found = asked.flat();
    // Of several folders, prefers one in which there is something to do.
    const done = verb === 'Connect' ? 'connected' : 'not_connected';
    const { folder, status } = found.find((one) => one.status.state !== done) ?? found[0] ?? NOWHERE;
    const facts: ConnectFacts = {
      sessions: views.length,
      isFound: await this.untested.isFound(bridge.agent),
      connection: status === null ? 'other' : (CONNECTIONS[status.state] ?? 'other'),
      proof: PROOF_TEXTS[this.routes.proofOfAll(views)],
      folders: {
        connected: found.filter((one) => one.status.state === 'connected').length,
        all: places.length,
      },
      file: status === null ? '' : places.length > 1 ? relative(folder, status.file) : status.file,
      message: status?.message ?? '',
    };
    const version = await this.untested.versionOf(bridge.agent, views);
    const untested = version === null ? '' : notTestedWith(version);
    const description = [connectState(facts), untested].filter((part) => part !== '').join(', ');
    const detail = status === null ? '' : connectOutlook(verb, facts);
    return { label: this.nameOf(bridge), description, detail, watched: views.length, bridge };
  }

  private async pickFolder(bridge: Bridge): Promise<string | undefined> {
    const folders = openFolders();
    if (folders.length === 0) void inform(NO_FOLDER);
    if (folders.length <= 1 || isForAllFolders(bridge)) return folders[0];
    const rows = folders.map((folder) => ({ label: basename(folder), description: folder }));
    return (await pickOne(rows, { placeHolder: 'Disconnect which folder?' }))?.description;
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

const NOWHERE = { folder: '', status: null };
const NO_FOLDER = 'First open the folder in which the agent works. An agent is connected for one folder.';

function openFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}

/** Returns whether its settings belong to the person, not to a folder. */
function isForAllFolders({ scopes }: Bridge): boolean {
  return scopes[0] === 'user';
}
