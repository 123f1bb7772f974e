import * as vscode from 'vscode';
import type { ActRequest, Acted, Launch } from '../../engine/recovery/ports';
import { Emitter } from '../../util/emitter';
import type { Result } from '../../util/result';
import type { Recovery } from '../../engine/recovery/service';
import { type AgentView, type Incident, type RecoveryAction, isActive } from '../../model';
import type { HelpedBefore } from '../../store/types';
import type { PanelHelpedBefore, PanelRecovery } from '../../panel/snapshot';
import { signsInLine } from '../../util/showable';
import { ACTION_DETAILS, OTHER_WAYS, RESTARTS, recommendedName, treeTitle } from '../../words';
import type { Services } from '../services';
import { Checkpoints } from './checkpoints';
import { questionBefore } from './questions';
import { helpedNote, shownHelp, shownProposal } from './shown';

const RESUMED =
  'Unstuck, an automated watcher, wrote this; a person sent it.\n\nYour process ended in the middle of its work. Look at the state of the files first, then go on with what is left of the task.';

/** What was tried in incidents like one is asked of the history once in so long, milliseconds. */
const HELP_FRESH_MS = 60_000;

/** How a session that ended is taken up again. */
export type PlanResume = (
  view: AgentView,
  prompt: string,
) => Result<Omit<Launch, 'title' | 'incident' | 'from'>, { readonly message: string }>;

/** A person's clicks on recovery: questions before, terminals after, and what the panel shows of it. */
export class RecoveryUi implements vscode.Disposable {
  readonly checkpoints: Checkpoints;
  private readonly help = new Map<string, { readonly at: number; readonly before: HelpedBefore | undefined }>();
  private readonly subscriptions: { dispose(): void }[];
  private readonly changed = new Emitter<void>();
  /** What the panel shows of recovery may have changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly services: Services,
    private readonly recovery: Recovery,
    private readonly planResume: PlanResume,
  ) {
    this.checkpoints = new Checkpoints(recovery);
    this.subscriptions = [
      recovery.onLaunch((launch) => this.openTerminal(launch)),
      recovery.onDidChange(() => this.changed.fire()),
    ];
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.changed.dispose();
  }

  /** The ladder of an incident and what can be done about it; undefined where nothing is to be recovered. */
  shown(incident: Incident | undefined): PanelRecovery | undefined {
    if (!incident || (incident.level !== 'stuck' && !isActive(incident.state))) return undefined;
    const proposal = this.recovery.propose(incident.id);
    return proposal && shownProposal(proposal, this.help.get(incident.id)?.before);
  }

  /** What helped in incidents like this one, as far as it is known by now. */
  helpedBefore(incident: Incident | undefined): PanelHelpedBefore | undefined {
    if (!incident) return undefined;
    const known = this.help.get(incident.id);
    if (!known || this.services.now() - known.at > HELP_FRESH_MS) void this.askForHelp(incident);
    return known?.before && shownHelp(known.before);
  }

  /** Does what was clicked, after asking where a process would end. */
  async act(view: AgentView, incident: Incident | undefined, action: RecoveryAction): Promise<void> {
    if (!incident) return;
    const decision = this.recovery.decide(incident.id, { action });
    if (decision.do === 'nothing') {
      void vscode.window.showInformationMessage(decision.text);
      return;
    }
    if (action === 'reassign') {
      const to = await this.pickSuccessor(incident);
      if (to !== undefined) await this.perform(view, incident, { action, to });
      return;
    }
    const question = questionBefore(action, view.agentName, view.state.kind === 'finished', decision.start?.model);
    if (question && !(await asked(question.message, question.detail, question.button))) return;
    await this.perform(view, incident, { action });
  }

  /** *Restart Agent*: which way, then as `act`. */
  async chooseRestart(view: AgentView): Promise<void> {
    const incident = subjectOf(view);
    const proposal = incident && this.recovery.propose(incident.id);
    if (view.state.kind === 'finished' && !incident) return this.resume(view);
    if (!incident || !proposal) {
      void vscode.window.showInformationMessage(
        `${view.agentName} has no open incident. Restart takes the evidence along, and there is none.`,
      );
      return;
    }
    const before = this.help.get(incident.id)?.before;
    const all = [...RESTARTS, ...OTHER_WAYS].filter((action) => action !== proposal.recommended);
    const items = [...(proposal.recommended ? [proposal.recommended] : []), ...all].flatMap((action) => {
      const found = proposal.actions.find((one) => one.action === action);
      if (!found) return [];
      const name = action === proposal.recommended ? recommendedName(found.name) : found.name;
      const label = `${found.possible ? '' : '$(circle-slash) '}${name}`;
      const description = helpedNote(action, before);
      return [{ label, description, detail: found.possible ? ACTION_DETAILS[action] : found.text, action }];
    });
    const picked = await vscode.window.showQuickPick(items, {
      placeHolder: `Recover “${treeTitle(signsInLine(view.title))}”`,
    });
    if (picked) await this.act(view, incident, picked.action);
  }

  /** A session that ended, often in the middle of a turn, goes on in a terminal. */
  private async resume(view: AgentView): Promise<void> {
    const planned = this.planResume(view, RESUMED);
    if (!planned.ok) void vscode.window.showWarningMessage(planned.error.message);
    else if (
      await asked(`Take up ${view.agentName} again?`, 'It goes on in a terminal, in the same session.', 'Take Up')
    )
      this.openTerminal({ ...planned.value, title: `${view.agentName}: ${treeTitle(signsInLine(view.title))}` });
  }

  async stop(view: AgentView): Promise<void> {
    const incident = view.incidents[0];
    if (incident) await this.act(view, incident, 'stop');
    else
      void vscode.window.showInformationMessage(
        `${view.agentName} has no open incident. Stop it where it was started.`,
      );
  }

  hold(incident: Incident | undefined, on: boolean): void {
    if (incident) this.recovery.hold(incident.id, on);
  }

  saveCheckpoint(view: AgentView): Promise<void> {
    return this.checkpoints.save(view);
  }

  private async perform(view: AgentView, incident: Incident, request: ActRequest): Promise<void> {
    const acted = await this.recovery.act(incident.id, request);
    if (acted.ok) {
      this.tell(view, acted.value, request.action ?? 'nudge');
      return;
    }
    const { code, message } = acted.error;
    switch (code) {
      case 'confirm_gone':
        if (await asked(`Has ${view.agentName} ended?`, message, 'It Has Ended'))
          await this.perform(view, incident, { ...request, saysGone: true });
        return;
      case 'checkpoint':
        if (await asked('Go on without saving the work in progress?', message, 'Go On'))
          await this.perform(view, incident, { ...request, withoutCheckpoint: true });
        return;
      case 'not_possible':
      case 'no_incident':
      case 'other_window':
      case 'inbox':
      case 'launch':
      case 'choose_target':
        void vscode.window.showWarningMessage(message);
    }
  }

  private tell(view: AgentView, acted: Acted, action: RecoveryAction): void {
    switch (acted.kind) {
      case 'launch':
        this.openTerminal(acted.launch);
        return;
      case 'stopping':
        void vscode.window.showInformationMessage(
          `${view.agentName} was asked to end. The new one starts when its process has ended; close it if it stays.`,
        );
        return;
      case 'saved':
        this.checkpoints.tellSaved(acted.checkpoint);
        return;
      case 'sent':
        if (action === 'block')
          void vscode.window.showInformationMessage(`${view.agentName} is refused this call the next time it tries.`);
        return;
      case 'asked':
    }
  }

  /** The program of the agent itself runs in the terminal: no shell reads its arguments. */
  private openTerminal(launch: Omit<Launch, 'incident' | 'from'>): void {
    for (const note of launch.remarks) this.services.log.warn(`${launch.title}: ${note}`);
    vscode.window
      .createTerminal({
        name: launch.title,
        cwd: launch.cwd,
        shellPath: launch.program,
        shellArgs: [...launch.args],
        iconPath: new vscode.ThemeIcon('debug-restart'),
      })
      .show(true);
    if (launch.remarks.length > 0) void vscode.window.showInformationMessage(launch.remarks.join(' '));
  }

  /** A session, null for a new terminal, undefined where nothing was picked. */
  private async pickSuccessor(incident: Incident): Promise<string | null | undefined> {
    const idle = this.recovery.propose(incident.id)?.idle ?? [];
    const items = [
      ...idle.map(({ session, title, agentName }) => ({
        label: `$(comment-discussion) ${treeTitle(signsInLine(title))}`,
        description: `${agentName}, its turn has ended`,
        to: session as string | null,
      })),
      { label: '$(terminal) New Terminal', description: 'A new session of the same agent', to: null },
    ];
    return (await vscode.window.showQuickPick(items, { placeHolder: 'Who takes the task over?' }))?.to;
  }

  private async askForHelp(incident: Incident): Promise<void> {
    const { store, now, log } = this.services;
    const last = this.help.get(incident.id)?.before;
    this.help.set(incident.id, { at: now(), before: last });
    try {
      const before = await store.helpedBefore(incident);
      this.help.set(incident.id, { at: now(), before });
      if (JSON.stringify(before) !== JSON.stringify(last)) this.changed.fire();
    } catch (error) {
      log.warn(`the history could not be asked: ${String(error)}`);
    }
  }
}

/** The incident that a restart would be about: what is stuck, else the gravest that is open. */
function subjectOf(view: AgentView): Incident | undefined {
  return view.incidents.find((incident) => incident.level === 'stuck') ?? view.incidents[0];
}

async function asked(message: string, detail: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, button)) === button;
}
