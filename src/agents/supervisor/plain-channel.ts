import { type LaunchSettings } from '../launch-settings';
import { planLaunch } from '../launch';
import type { AgentId, MessageKind } from '../../core/model';
import { fail, ok, type Result } from '../../base/util/result';
import type { Channel, Restart, RestartFailure, RestartRequest } from './channel';
import { parseLine, textIn } from './lines';
import { programWords } from './program';

/** The fields in which agents that print JSON name their session. */
const SESSION_FIELDS = ['session_id', 'thread_id', 'sessionID', 'sessionId'] as const;
const PLAIN_SESSION = /^[A-Za-z0-9_-]{1,64}$/;
/** Longer lines never name the session. */
const LONGEST_LINE = 256 * 1024;

export interface PlainChannelOptions {
  readonly agent: AgentId;
  readonly command: readonly string[];
  readonly folder: string;
  /** Further arguments of the person for each start by a template. */
  readonly args: readonly string[];
  readonly session?: string;
  /** The session that the agent's own registry names, once it does. */
  readonly registered: () => string | undefined;
  readonly newId: () => string;
}

/** Any command: passes its bytes on unchanged, stops it by signals, and restarts it by the agent's template or with the same command. */
export class PlainChannel implements Channel {
  readonly passes = 'raw';
  private found: string | undefined;

  constructor(private readonly options: PlainChannelOptions) {
    this.found = options.session;
  }

  sessions(): readonly string[] {
    this.found ??= this.options.registered();
    return this.found === undefined ? [] : [this.found];
  }

  heard(line: Buffer): boolean {
    if (this.found !== undefined || this.options.agent === 'generic' || line.length > LONGEST_LINE) return true;
    const record = parseLine(line);
    for (const name of SESSION_FIELDS) {
      const session = textIn(record, name);
      if (session === undefined || !PLAIN_SESSION.test(session)) continue;
      this.found = session;
      break;
    }
    return true;
  }

  told(): void {}

  mayCloseInput(): boolean {
    return true;
  }

  takes(kind: MessageKind): boolean {
    return kind === 'stop' || kind === 'restart' || kind === 'escalate';
  }

  deliver(): Promise<boolean> {
    return Promise.resolve(false);
  }

  askToStop(): 'cannot' {
    return 'cannot';
  }

  restart(request: RestartRequest): Promise<Result<Restart, RestartFailure>> {
    return Promise.resolve(this.plan(request));
  }

  private plan(request: RestartRequest): Result<Restart, RestartFailure> {
    const { agent, command, folder, args, newId } = this.options;
    const { mode, session, prompt, model, thinking } = request;
    const words = programWords(command);
    const program = words.at(-1) ?? '';
    const settings: LaunchSettings = { [agent]: { program, args } };
    const plan = planLaunch(
      {
        agent,
        mode,
        style: 'piped',
        session,
        prompt,
        cwd: folder,
        newSession: newId(),
        ...(model !== undefined && { model }),
        ...(thinking !== undefined && { thinking }),
      },
      settings,
    );
    if (plan.ok) {
      return ok({
        how: 'start',
        argv: [...words, ...plan.value.args],
        input: 'closed',
        ...(plan.value.session !== undefined && { session: plan.value.session }),
      });
    }
    const { code, message } = plan.error;
    // No template says how to resume this agent, but a fresh start is always possible: the same command again.
    if (code === 'no_template' && mode === 'fresh')
      return ok({ how: 'start', argv: command, env: { UNSTUCK_PROMPT: prompt }, input: 'passed_on', session });
    return fail({ reason: code, message });
  }
}
