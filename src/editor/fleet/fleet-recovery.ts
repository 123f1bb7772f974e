import type { AgentView, Incident, MachineAct, RecoveryAction } from '../../core/model';
import type { PanelRecovery } from '../panel-model/snapshot';
import { restartPrompt, stopText } from '../../recover/drafts/restart-prompt';
import { ACTION_DETAILS, ACTION_NAMES, HINDRANCE_TEXTS, onlyThere, sentTo } from '../../core/words';
import type { AgentRecovery } from '../controls/controls';
import { questionBefore } from '../recovery/questions';
import type { FleetRequest, FleetMessages } from './fleet-messages';
import { isAgreed, inform, pickOne, warn } from '../voice';

/** Actions other than a nudge that can be requested of another machine, with their names there. */
const ACTIONS = { resume: 'restart', fresh: 'restart', stop: 'stop' } as const satisfies Partial<
  Record<RecoveryAction, MachineAct>
>;
type Action = keyof typeof ACTIONS;
const ALL: readonly Action[] = ['resume', 'fresh', 'stop'];

/** Stops and restarts agents on other machines, if the machine allows it. What needs their files or terminals is done there. */
export class FleetRecovery implements AgentRecovery {
  constructor(
    private readonly messages: FleetMessages,
    private readonly now: () => number,
  ) {}

  shown(view: AgentView, incident: Incident | undefined): PanelRecovery | undefined {
    if (!incident || incident.resolvedAt !== null) return undefined;
    const actions = ALL.map((action) => {
      const hindrance = this.messages.hindrance(view, ACTIONS[action]);
      const text = hindrance ? HINDRANCE_TEXTS[hindrance.why] : ACTION_DETAILS[action];
      return { action, name: ACTION_NAMES[action], possible: hindrance === null, text };
    });
    return { rungs: [], actions, recommended: null, automatic: null };
  }

  helpedBefore(): undefined {
    return undefined;
  }

  async act(view: AgentView, incident: Incident | undefined, action: RecoveryAction): Promise<void> {
    if (!isAction(action)) return onlyThereNow(view);
    const hindrance = this.messages.hindrance(view, ACTIONS[action]);
    if (hindrance) {
      void inform(HINDRANCE_TEXTS[hindrance.why]);
      return;
    }
    const machine = view.machine?.name ?? '';
    const question = questionBefore(action, view.agentName, { ended: false, machine });
    if (question && !(await isAgreed(question.message, question.detail, question.button))) return;
    const sent = this.messages.request(view, this.requestOf(view, incident, action));
    if (!sent.ok) void warn(sent.error);
    else void inform(sentTo(ACTIONS[action], machine));
  }

  async chooseRestart(view: AgentView): Promise<void> {
    const [incident] = view.incidents;
    const items = (['resume', 'fresh'] as const).map((action) => {
      const hindrance = this.messages.hindrance(view, 'restart');
      const icon = hindrance ? { icon: 'circle-slash' } : {};
      return {
        label: ACTION_NAMES[action],
        ...icon,
        detail: hindrance ? HINDRANCE_TEXTS[hindrance.why] : ACTION_DETAILS[action],
        action,
      };
    });
    const placeHolder = `Recover “${view.title}”`;
    const picked = await pickOne(items, { placeHolder });
    if (picked) await this.act(view, incident, picked.action);
  }

  stop(view: AgentView): Promise<void> {
    return this.act(view, view.incidents[0], 'stop');
  }

  hold(): void {}

  saveCheckpoint(view: AgentView): Promise<void> {
    return onlyThereNow(view);
  }

  copyRestartCommand(view: AgentView): Promise<void> {
    return onlyThereNow(view);
  }

  waitsForClose(): boolean {
    return false;
  }

  surfaceOf(): null {
    return null;
  }

  surfaceLeft(): null {
    return null;
  }

  isInFront(): boolean {
    return false;
  }

  goTo(view: AgentView): Promise<void> {
    return onlyThereNow(view);
  }

  /** Returns what to request for an action. How the agent is started again is known to its own machine. */
  private requestOf(view: AgentView, incident: Incident | undefined, action: Action): FleetRequest {
    const now = this.now();
    const about = incident ? { incident: incident.id, attempt: incident.attempts.length + 1 } : {};
    if (action === 'stop')
      return { action: 'stop', text: incident ? stopText(incident, false, now) : STOPPED, ...about };
    const prompt = incident ? this.prompt(view, incident, action, now) : STARTED_AGAIN;
    return { action: 'restart', text: prompt, restart: { mode: action, prompt }, ...about };
  }

  private prompt(view: AgentView, incident: Incident, mode: 'resume' | 'fresh', now: number): string {
    const progress = { title: view.title, plan: view.plan, changes: [], incident };
    return restartPrompt(incident, {
      mode,
      automatic: false,
      now,
      task: view.title,
      progress: { ...progress, ...(view.branch !== undefined && { branch: view.branch }) },
      related: view.incidents,
    });
  }
}

const STOPPED = 'Unstuck, an automated watcher, wrote this; a person sent it.\n\nA person stopped this agent.';
const STARTED_AGAIN =
  'Unstuck, an automated watcher, wrote this; a person sent it.\n\nA person restarted you. Check the state of the files first, then continue with what is left of the task.';

function isAction(action: RecoveryAction): action is Action {
  return (ALL as readonly RecoveryAction[]).includes(action);
}

function onlyThereNow(view: AgentView): Promise<void> {
  void inform(onlyThere(view.machine?.name ?? ''));
  return Promise.resolve();
}
