import { launchPrompt, planLaunch } from '../../agents/launch';
import type { AgentView } from '../../core/model';
import { type Result, fail, ok } from '../../base/util/result';
import type { SavedCheckpoint } from '../checkpoint';
import type { Decision } from '../decisions/decision';
import type { PromptMode } from '../drafts/restart-prompt';
import type { Drafts } from './drafts';
import type { ActFailure, Acted, ActOptions, Case, Launch, RecoveryParts } from './ports';
import type { AttemptSender } from './sending';

/** An attempt whose effect shows in another session, or in the same one after a new start. */
export interface FollowedAttempt {
  readonly incident: string;
  readonly message: string;
  readonly from: AgentView;
  readonly at: number;
  /** The session that goes on; undefined until it shows itself. */
  readonly session: string | undefined;
}

/** A start that is to be made, and why. */
export interface PlannedStart {
  readonly found: Case;
  readonly decision: Decision;
  readonly options: ActOptions;
  readonly checkpoint: SavedCheckpoint | null;
}

/** Plans how an agent is started again, in a terminal or in a chat, and counts it as an attempt. The editor opens what is planned. */
export class Starting {
  constructor(
    private readonly parts: RecoveryParts,
    private readonly drafts: Drafts,
    private readonly sending: AttemptSender,
    private readonly nextId: () => string,
    private readonly follow: (followed: FollowedAttempt) => void,
  ) {}

  /** Plans a terminal, without judging whether it may be opened. */
  plan(start: PlannedStart): Result<Launch, ActFailure> {
    const { settings, newSession } = this.parts;
    const { incident, view } = start.found;
    const planned = planLaunch(
      {
        agent: view.agent,
        style: 'terminal',
        session: view.session,
        prompt: this.promptFor(start),
        newSession: newSession(),
        cwd: view.cwd ?? '',
        ...(start.decision.start ?? { mode: 'fresh' }),
      },
      settings().launch,
    );
    if (!planned.ok) return fail({ code: 'launch', message: planned.error.message });
    const title = `${view.agentName}: ${view.title}`.slice(0, 60);
    return ok({ ...planned.value, title, incident: incident.id, from: view.session });
  }

  /** Plans the terminal or the chat in which the agent goes on, as attempt `number`. */
  launch(start: PlannedStart, number: number): Result<Acted, ActFailure> {
    const { clock } = this.parts;
    const { found, decision, options, checkpoint } = start;
    const { incident, view } = found;
    // Its own chat of this window, whatever command the settings know for it.
    const inChat = this.parts.chats?.isHere(view) === true;
    const planned = inChat ? null : this.plan(start);
    if (planned?.ok === false) return planned;
    // Written before the attempt is counted: the prompt would report the attempt to the agent that it starts.
    const prompt = this.promptFor(start);
    const message = this.nextId();
    const at = clock.now();
    const hands = decision.do === 'reassign';
    const kind = hands ? 'reassign' : decision.do === 'escalate' ? 'escalate' : 'restart';
    const how = decision.start ?? { mode: 'fresh' };
    const data = { ...how, ...refOf(checkpoint), ...(hands && { to: null }) };
    this.sending.attempted(found, decision, options, { kind, by: { id: message, at }, number }, data);
    this.follow({ incident: incident.id, message, from: view, at, session: planned?.value.session });
    if (planned) return ok({ kind: 'launch', launch: planned.value });
    const model = how.model === undefined ? {} : { model: how.model };
    const remarks = how.thinking === undefined ? [] : ['A chat has no setting for thinking.'];
    return ok({ kind: 'chat', chat: { prompt: launchPrompt(prompt), ...model, cancels: !hands, remarks } });
  }

  promptFor({ found, decision, options, checkpoint }: PlannedStart): string {
    if (options.text !== undefined) return options.text;
    const mode: PromptMode = decision.do === 'reassign' ? 'reassign' : (decision.start?.mode ?? 'fresh');
    return this.drafts.prompt(found, mode, options.automated, this.parts.clock.now(), checkpoint?.ref);
  }
}

export function refOf(checkpoint: SavedCheckpoint | null): { checkpoint?: string } {
  return checkpoint === null ? {} : { checkpoint: checkpoint.ref };
}
