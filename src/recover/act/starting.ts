import { launchPrompt, planLaunch } from '../../agents/launch';
import type { AgentView } from '../../core/model';
import { noProgramText } from '../../core/words/messages/recovery';
import { type Result, fail, ok } from '../../base/util/result';
import type { SavedCheckpoint } from '../checkpoint';
import type { PromptMode } from '../drafts/restart-prompt';
import type { Cases } from './cases';
import type { Drafts } from './drafts';
import type { PendingStart, PendingStarts, PlannedStart } from './pending-starts';
import type { ActFailure, Acted, Launch, RecoveryParts } from './ports';
import type { AttemptSender } from './sending';

/** An attempt whose effect appears in another session, or in the same one after a new start. */
export interface FollowedAttempt {
  readonly incident: string;
  readonly message: string;
  readonly from: AgentView;
  readonly at: number;
  /** The session that continues; undefined until it appears. */
  readonly session: string | undefined;
  /** Called when the other session takes the message; absent if nothing waits for that, or once it has happened. */
  readonly whenTaken?: () => void;
}

/**
 * Plans how an agent is started again, in a terminal or in a chat. The editor opens what is planned, and it counts as an attempt once its session
 * appears.
 */
export class Starting {
  constructor(
    private readonly parts: RecoveryParts,
    private readonly drafts: Drafts,
    private readonly sending: AttemptSender,
    private readonly cases: Cases,
    private readonly pending: PendingStarts,
    private readonly nextId: () => string,
  ) {}

  /** Returns the start with its program, which exists; nothing may be ended before this. */
  async withProgram(start: PlannedStart): Promise<Result<PlannedStart, ActFailure>> {
    const { chats, findProgram } = this.parts;
    if (chats.isHere(start.found.view)) return ok(start);
    const planned = this.plan(start);
    if (!planned.ok) return planned;
    const { program } = planned.value;
    const found = await findProgram(program);
    if (found !== null) return ok({ ...start, program: found });
    this.pending.logNotStarted(start, { error: 'no_program', program });
    return fail({ code: 'launch', message: noProgramText(program) });
  }

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
    const { program = planned.value.program } = start;
    return ok({ ...planned.value, program, id: this.nextId(), title, incident: incident.id, from: view.session });
  }

  /** Plans the terminal or the chat in which the agent continues. */
  launch(start: PlannedStart, whenStarted?: () => void): Result<Acted, ActFailure> {
    const { clock, chats } = this.parts;
    const { found, decision, checkpoint } = start;
    // Its own chat of this window, whatever command the settings have for it.
    const planned = chats.isHere(found.view) ? null : this.plan(start);
    if (planned?.ok === false) return planned;
    const reassigns = decision.do === 'reassign';
    const kind = reassigns ? 'reassign' : decision.do === 'escalate' ? 'escalate' : 'restart';
    const how = decision.start ?? { mode: 'fresh' };
    this.pending.add({
      ...start,
      id: planned?.value.id ?? this.nextId(),
      kind,
      at: clock.now(),
      inTerminal: planned !== null,
      session: planned?.value.session,
      data: { ...how, ...refOf(checkpoint), ...(reassigns && { to: null }) },
      ...(whenStarted && { whenStarted }),
    });
    if (planned) return ok({ kind: 'launch', launch: planned.value });
    const model = how.model === undefined ? {} : { model: how.model };
    const remarks = how.thinking === undefined ? [] : ['A chat has no setting for thinking.'];
    return ok({
      kind: 'chat',
      chat: { prompt: launchPrompt(this.promptFor(start)), ...model, cancels: !reassigns, remarks },
    });
  }

  /** Counts a start whose session has appeared as the next attempt of its incident. */
  count({ id, kind, at, found, decision, options, data }: PendingStart, session: string): FollowedAttempt {
    const now = this.cases.find(found.incident.id) ?? found;
    const number = now.incident.attempts.length + 1;
    this.sending.attempted(now, decision, options, { kind, by: { id, at }, number }, data);
    return { incident: found.incident.id, message: id, from: found.view, at, session };
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
