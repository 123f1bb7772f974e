import * as vscode from 'vscode';
import type { Bridge, BridgeFailure, ConnectPlan, ConnectTarget } from '../../agents/inbox/bridge';
import { type ConnectChange, connectQuestion, connectedWords, setUpWords } from '../../core/words';
import type { Routes } from '../nudges/routes';
import type { Untested } from '../nudges/untested';
import type { Services } from '../services';
import { askFirst, showError, inform, warn } from '../voice';
import { PlanPreviews } from './plan-previews';

/** One kind of agent in one folder. */
export interface AgentInFolder {
  readonly bridge: Bridge;
  readonly folder: string;
}

interface Planned {
  readonly bridge: Bridge;
  readonly plan: ConnectPlan;
}

/** Plans what Connect writes, shows it, asks once, writes it and tests it. */
export class Plans implements vscode.Disposable {
  private readonly previews = new PlanPreviews();

  constructor(
    private readonly services: Pick<Services, 'agentNames' | 'engine'>,
    private readonly routes: Pick<Routes, 'forget'>,
    private readonly untested: Pick<Untested, 'sentenceOf'>,
  ) {}

  dispose(): void {
    this.previews.dispose();
  }

  /**
   * @param nudges a nudge follows at once and reports its own result
   * @returns number of places where it was written
   */
  async carryOut(places: readonly AgentInFolder[], nudges: boolean): Promise<number> {
    const planned: Planned[] = [];
    for (const { bridge, folder } of places) {
      const workspaceFolders = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
      const one = await this.plan(bridge, { folder, workspaceFolders, scope: bridge.scopes[0] });
      if (one) planned.push(one);
    }
    if (planned.length === 0 || !(await this.agrees(planned, nudges))) return 0;
    const works: string[] = [];
    let written = 0;
    for (const one of planned) {
      const said = await this.write(one, nudges);
      if (said === null) continue;
      written++;
      if (said !== '') works.push(said);
    }
    if (works.length > 0 && !nudges) void inform(works.join(' '));
    return written;
  }

  /** Plans. If that is impossible, says why, and offers the other settings if those may work. */
  private async plan(bridge: Bridge, target: ConnectTarget): Promise<Planned | null> {
    const plan = await bridge.plan(target);
    return plan.ok ? { bridge, plan: plan.value } : this.planOther(bridge, target, plan.error);
  }

  private async planOther(bridge: Bridge, target: ConnectTarget, error: BridgeFailure): Promise<Planned | null> {
    const { message, alternative } = error;
    const label = alternative === 'user' ? 'Use My User Settings' : 'Use the Project’s Personal Settings';
    const answer = await showError(message, ...(alternative ? [label] : []));
    return alternative && answer === label ? this.plan(bridge, { ...target, scope: alternative }) : null;
  }

  /** Shows what will be written as diffs in the editor, and asks until there is an answer. */
  private async agrees(planned: readonly Planned[], nudges: boolean): Promise<boolean> {
    const changing = planned.filter(({ plan }) => plan.diff !== '');
    if (changing.length === 0) return true;
    await this.previews.show(changing.map(({ bridge, plan }) => ({ plan, title: `Connect ${this.nameOf(bridge)}` })));
    const changes = await Promise.all(changing.map((one) => this.changeOf(one)));
    const { message, detail, connect, read } = connectQuestion(changes, nudges);
    const answer = await askFirst({ level: 'information', message, detail }, connect, read);
    const agreed = answer === connect || (answer === read && (await this.previews.answer()));
    await this.previews.hide();
    return agreed;
  }

  private async changeOf({ bridge, plan }: Planned): Promise<ConnectChange> {
    const views = this.services.engine.agents().filter(({ agent }) => agent === bridge.agent);
    const untested = await this.untested.sentenceOf(bridge.agent, views);
    return {
      agent: this.nameOf(bridge),
      file: plan.file,
      isNew: plan.before === null,
      added: plan.diff.split('\n').filter((line) => line.startsWith('+')).length,
      notes: [...(untested === null ? [] : [untested]), ...plan.warnings, ...plan.remarks],
    };
  }

  /**
   * Writes and tests. A step that is left to the person is shown at once; otherwise returns who is connected and how the test went. Null if nothing
   * was written.
   */
  private async write({ bridge, plan }: Planned, nudges: boolean): Promise<string | null> {
    const connected = await bridge.connect(plan);
    this.routes.forget();
    if (!connected.ok) {
      const other = await this.planOther(bridge, plan.target, connected.error);
      return other !== null && (await this.agrees([other], nudges)) ? this.write(other, nudges) : null;
    }
    const tested = await bridge.test();
    if (tested.passed && connected.value.state === 'connected')
      return connectedWords(this.nameOf(bridge), tested.message);
    void warn(setUpWords(this.nameOf(bridge), tested.passed ? connected.value.message : tested.message));
    return '';
  }

  private nameOf({ agent }: Bridge): string {
    return this.services.agentNames.get(agent) ?? agent;
  }
}
