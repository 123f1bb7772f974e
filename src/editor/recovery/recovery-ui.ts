import * as vscode from 'vscode';
import type { LaunchPlan } from '../../agents/launch';
import type { ActRequest, Acted, Launch, NewChat } from '../../recover/act/ports';
import { Emitter } from '../../base/util/emitter';
import type { Result } from '../../base/util/result';
import type { Recovery } from '../../recover/act/service';
import { type AgentView, type Incident, type RecoveryAction, isActive } from '../../core/model';
import type { PanelHelpedBefore, PanelRecovery } from '../panel-model/snapshot';
import { presentable } from '../../base/util/redact';
import { ACTION_DETAILS, closeIt, recommendedName, type Surface, waysOut } from '../../core/words';
import type { Chats } from '../chat/chats';
import type { AgentRecovery } from '../controls/controls';
import type { Services } from '../services';
import type { AgentTerminals } from './agent-terminals';
import { Checkpoints, watched } from './checkpoints';
import type { BeforeCache } from './before';
import { type EndingQuestion, questionBefore } from './questions';
import { type Launcher, reportRemarks } from './launcher';
import { pastedCommand } from './start-script';
import { helpedNote, shownHelp, shownProposal } from './shown';
import { askFirst, isAgreed, inform, pickOne, warn } from '../voice';

const RESUMED =
  'Unstuck, an automated watcher, wrote this; a person sent it.\n\nYour process ended in the middle of your work. Check the state of the files first, then continue with what is left of the task.';

/** Plans how to resume a session that ended. */
export type PlanResume = (view: AgentView, prompt: string) => Result<LaunchPlan, { readonly message: string }>;

/** Handles a person's clicks on recovery: questions before it, terminals after it, and what the panel shows of it. */
export class RecoveryUi implements AgentRecovery, vscode.Disposable {
  readonly checkpoints: Checkpoints;
  private readonly subscriptions: { dispose(): void }[];
  private readonly changed = new Emitter<void>();
  /** Fires when the recovery section of the panel may have changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly services: Services,
    private readonly recovery: Recovery,
    private readonly planResume: PlanResume,
    private readonly terminals: AgentTerminals,
    private readonly before: Pick<BeforeCache, 'of' | 'onDidChange'>,
    private readonly chats: Chats,
    private readonly launcher: Launcher,
  ) {
    this.checkpoints = new Checkpoints(recovery);
    this.subscriptions = [
      recovery.onLaunch((launch) => void this.launcher.start(launch)),
      terminals.onDidChange(() => this.changed.fire()),
      terminals.onDidEnd((session) => recovery.ended(session)),
      recovery.onDidChange(() => this.changed.fire()),
      before.onDidChange(() => this.changed.fire()),
    ];
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.changed.dispose();
  }

  /** Returns the ladder of an incident and what can be done about it; undefined if there is nothing to recover. */
  shown(_view: AgentView, incident: Incident | undefined): PanelRecovery | undefined {
    if (!incident || (incident.level !== 'stuck' && !isActive(incident.state))) return undefined;
    const proposal = this.recovery.propose(incident.id);
    return proposal && shownProposal(proposal, this.before.of(incident));
  }

  /** Returns what helped in similar incidents, as far as it is known by now. */
  helpedBefore(_view: AgentView, incident: Incident | undefined): PanelHelpedBefore | undefined {
    if (!incident) return undefined;
    const before = this.before.of(incident);
    return before && shownHelp(before);
  }

  /** Carries out a clicked action. Asks first if a process would end. */
  async act(view: AgentView, incident: Incident | undefined, action: RecoveryAction): Promise<void> {
    if (!incident) return;
    const decision = this.recovery.decide(incident.id, { action });
    if (decision.do === 'nothing') {
      void inform(decision.text);
      return;
    }
    if (action === 'reassign') {
      const to = await this.pickSuccessor(incident);
      if (to !== undefined) await this.perform(view, incident, { action, to });
      return;
    }
    const question = questionBefore(action, view.agentName, {
      ended: view.state.kind === 'finished',
      unknown: decision.confirmGone === true,
      inChat: decision.via === 'chat',
      ...(decision.start?.model !== undefined && { model: decision.start.model }),
    });
    if (decision.confirmGone && question) return this.askToQuit(view, incident, { action }, question);
    if (question && !(await isAgreed(question.message, question.detail, question.button))) return;
    await this.perform(view, incident, { action });
  }

  /** *Recover Agent*: asks in which way, then does the same as `act`. */
  async chooseRestart(view: AgentView): Promise<void> {
    const incident = subjectOf(view);
    const proposal = incident && this.recovery.propose(incident.id);
    if (view.state.kind === 'finished' && !incident) return this.resume(view);
    if (!incident || !proposal) {
      void inform(`${view.agentName} has no open incident, so there is no evidence to restart it with.`);
      return;
    }
    const before = this.before.of(incident);
    const { possible, impossible } = waysOut(proposal.actions, proposal.recommended);
    const items = [...possible, ...impossible].map(({ action, name, possible: can, text }) => {
      const isFirst = action === proposal.recommended;
      const label = isFirst ? recommendedName(name, '') : name;
      const description = helpedNote(action, before);
      return can
        ? { label, description, detail: ACTION_DETAILS[action], action }
        : { label, icon: 'circle-slash', description, detail: text, action };
    });
    const picked = await pickOne(items, { placeHolder: `Recover “${view.title}”` });
    if (picked) await this.act(view, incident, picked.action);
  }

  /** Continues a session that ended, often in the middle of a turn, in a terminal. */
  private async resume(view: AgentView): Promise<void> {
    const planned = this.planResume(view, RESUMED);
    if (!planned.ok) void warn(planned.error.message);
    else if (await isAgreed(`Resume ${view.agentName}?`, 'It continues in a terminal, in the same session.', 'Resume'))
      await this.launcher.resume({ ...planned.value, title: `${view.agentName}: ${view.title}` });
  }

  async stop(view: AgentView): Promise<void> {
    const incident = view.incidents[0];
    if (incident) await this.act(view, incident, 'stop');
    else if (this.chats.isHere(view)) {
      const question = questionBefore('stop', view.agentName, { ended: false, inChat: true });
      if (question && (await isAgreed(question.message, question.detail, question.button))) await this.cancelChat(view);
    } else void inform(`${view.agentName} has no open incident. Stop it where you started it.`);
  }

  hold(_view: AgentView, incident: Incident | undefined, on: boolean): void {
    if (incident) this.recovery.hold(incident.id, on);
  }

  saveCheckpoint(view: AgentView): Promise<void> {
    return this.checkpoints.save(view);
  }

  private async perform(view: AgentView, incident: Incident, request: ActRequest): Promise<void> {
    const isCheckpoint = request.action === 'checkpoint';
    const acted = isCheckpoint
      ? await watched('Saving the work in progress', (watch) => this.recovery.act(incident.id, { ...request, watch }))
      : await this.recovery.act(incident.id, request);
    if (acted.ok) {
      this.followUp(view, acted.value, request.action ?? 'nudge');
      return;
    }
    const { code } = acted.error;
    const message = acted.error.message;
    switch (code) {
      case 'checkpoint':
        if (isCheckpoint) void warn(message);
        else if (await isAgreed('Continue without saving the work in progress?', message, 'Continue'))
          await this.perform(view, incident, { ...request, withoutCheckpoint: true });
        return;
      // Its process was known when the person was asked, and no longer is.
      case 'confirm_gone':
      case 'not_possible':
      case 'no_incident':
      case 'other_window':
      case 'inbox':
      case 'launch':
      case 'choose_target':
        void warn(message);
    }
  }

  private followUp(view: AgentView, acted: Acted, action: RecoveryAction): void {
    switch (acted.kind) {
      case 'launch':
        void this.launcher.start(acted.launch);
        return;
      case 'stopping':
        if (!acted.here) void this.askToClose(view);
        return;
      case 'chat':
        void this.startChat(view, acted.chat);
        return;
      case 'cancel':
        void this.cancelChat(view);
        return;
      case 'saved':
        this.checkpoints.notifySaved(acted.checkpoint);
        return;
      case 'sent':
        if (action === 'block') void inform(`${view.agentName} will be blocked once from making this call.`);
        return;
      case 'asked':
    }
  }

  /** Returns where in this window the agent runs, as far as it is known by now; null if it does not. */
  surfaceOf(view: AgentView): Surface | null {
    if (this.chats.isHere(view)) return 'chat';
    return this.terminals.isHere(view) ? 'terminal' : null;
  }

  /** Returns the same for an agent whose process may be gone by now. */
  surfaceLeft(view: AgentView): Surface | null {
    if (this.chats.isHere(view)) return 'chat';
    return this.terminals.wasHere(view) ? 'terminal' : null;
  }

  /** Returns whether the terminal in which the agent runs is in front, as far as it is known by now. */
  isInFront(view: AgentView): boolean {
    return this.terminals.isInFront(view);
  }

  /** Takes the person to the terminal or the chat in which the agent runs. */
  async goTo(view: AgentView): Promise<void> {
    if (this.chats.isHere(view)) await this.chats.show(view);
    else if (!(await this.terminals.show(view)))
      void inform(`${view.agentName} does not run in a terminal of this window.`);
  }

  /** Returns true if a restart was clicked and its agent has not ended yet: the person has to close it. */
  waitsForClose(view: AgentView): boolean {
    return !this.terminals.isHere(view) && this.recovery.waitsFor(view.session) !== null;
  }

  /** Copies the command that the restart would run, for a person who starts it where they want. */
  async copyRestartCommand(view: AgentView): Promise<void> {
    const launch = this.recovery.waitsFor(view.session);
    if (!launch) {
      void inform(`No restart of ${view.agentName} is waiting.`);
      return;
    }
    await this.copyCommand(view, launch);
    this.recovery.dropRestart(view.session);
  }

  /** Asks the person to quit an agent that may still run and then continue, or to start the next one by hand. */
  private async askToQuit(
    view: AgentView,
    incident: Incident,
    request: ActRequest,
    { message, detail, button }: EndingQuestion,
  ): Promise<void> {
    const launch = this.recovery.planned(incident.id, request);
    const answer = await askFirst({ message, detail }, button, ...(launch ? ['Copy Command'] : []));
    if (answer === button) await this.perform(view, incident, { ...request, saysGone: true });
    else if (launch && answer === 'Copy Command') await this.copyCommand(view, launch);
  }

  private async copyCommand(view: AgentView, launch: Launch): Promise<void> {
    await vscode.env.clipboard.writeText(presentable(pastedCommand(launch, process.platform)));
    void inform(`Copied. Close ${view.agentName}, then run it in its terminal.`);
  }

  private async askToClose(view: AgentView): Promise<void> {
    const answer = await inform(closeIt(view.agentName), 'Copy Command');
    if (answer === 'Copy Command') await this.copyRestartCommand(view);
  }

  /** Cancels the turn in the chat. The commands of the chat reach only the session in front. */
  private async cancelChat(view: AgentView): Promise<void> {
    await this.chats.show(view);
    await this.chats.cancel();
  }

  private async startChat(view: AgentView, { prompt, model, cancels, remarks }: NewChat): Promise<void> {
    if (cancels) await this.cancelChat(view);
    const hasModel = await this.chats.begin(prompt, model);
    const missing = hasModel ? [] : [`This window has no model ${model ?? ''}. The chat keeps the one you chose last.`];
    reportRemarks({ title: view.agentName, remarks: [...remarks, ...missing] }, this.services.log);
  }

  /** Returns a session, null for a new terminal, or undefined if nothing was picked. */
  private async pickSuccessor(incident: Incident): Promise<string | null | undefined> {
    const idle = this.recovery.successors(incident.id);
    const items = [
      ...idle.map(({ session, title, agentName }) => ({
        label: title,
        icon: 'comment-discussion',
        description: `${agentName}, its turn has ended`,
        to: session as string | null,
      })),
      { label: 'New Terminal', icon: 'terminal', description: 'A new session of the same agent', to: null },
    ];
    return (await pickOne(items, { placeHolder: 'Who takes over the task?' }))?.to;
  }
}

/** Returns the incident that a restart would be about: the stuck one, otherwise the gravest open one. */
function subjectOf(view: AgentView): Incident | undefined {
  return view.incidents.find((incident) => incident.level === 'stuck') ?? view.incidents[0];
}
