import { resolve } from 'node:path';
import { type LaunchSettings } from '../launch-settings';
import { launchPrompt, planLaunch } from '../launch';
import type { AgentId, MessageKind } from '../../core/model';
import { fail, ok, type Result } from '../../base/util/result';
import type { Channel, Restart, RestartFailure, RestartRequest } from './channel';
import { parseLine, textIn } from './lines';
import { isAgentItself, programWords, startsShell } from './program';

/** The fields in which agents that print JSON name their session. */
const SESSION_FIELDS = ['session_id', 'thread_id', 'sessionID', 'sessionId'] as const;
const PLAIN_SESSION = /^[A-Za-z0-9_-]{1,64}$/;
/** Largest line in which the session is looked for: longer ones never name it. */
const LONGEST_LINE = 256 * 1024;
/** Number of sessions of a loop whose messages are taken, the newest: a person may click on the row of a run that has just ended. */
const MOST_RUNS = 8;
/** The variable that contains the prompt for a command that is started again. */
const PROMPT_VARIABLE = 'UNSTUCK_PROMPT';

export interface PlainChannelOptions {
  readonly agent: AgentId;
  readonly command: readonly string[];
  readonly folder: string;
  /** Further arguments of the person for each start with a template. */
  readonly args: readonly string[];
  readonly session?: string;
  /** Returns the live sessions that the agent's own registry lists for the command or its descendants. */
  readonly registered: () => readonly string[];
  /** Returns the words of the running program; they differ from the command if that is a script. */
  readonly running: () => readonly string[];
  /** Returns the text of a small file; undefined if there is none. */
  readonly read: (path: string) => string | undefined;
  readonly newId: () => string;
}

/**
 * Any command: passes its bytes on unchanged, stops it by signals, and restarts it with the agent's template or with the same command. A command that
 * starts the agent again and again is followed from session to session.
 */
export class PlainChannel implements Channel {
  readonly passes = 'raw';
  private readonly found: string[] = [];
  private readonly isAgent: boolean;

  constructor(private readonly options: PlainChannelOptions) {
    if (options.session !== undefined) this.found.push(options.session);
    this.isAgent = isAgentItself(options.agent, options.command);
  }

  sessions(): readonly string[] {
    if (this.mayFindMore()) for (const session of this.options.registered()) this.add(session);
    return this.found;
  }

  programWrote(line: Buffer): boolean {
    if (!this.mayFindMore() || this.options.agent === 'generic' || line.length > LONGEST_LINE) return true;
    const record = parseLine(line);
    for (const name of SESSION_FIELDS) {
      const session = textIn(record, name);
      if (session === undefined || !PLAIN_SESSION.test(session)) continue;
      this.add(session);
      break;
    }
    return true;
  }

  /** An agent has one session. A command that starts agents may get another one at any time. */
  private mayFindMore(): boolean {
    return this.found.length === 0 || !this.isAgent;
  }

  private add(session: string): void {
    if (this.found.includes(session)) return;
    this.found.push(session);
    if (this.found.length > MOST_RUNS) this.found.shift();
  }

  isLoop(): boolean {
    const { command } = this.options;
    return !this.isAgent && (this.found.length > 1 || startsShell(command) || startsShell(this.options.running()));
  }

  personWrote(): void {}

  mayCloseInput(): boolean {
    return true;
  }

  takes(kind: MessageKind): boolean {
    return kind === 'stop' || kind === 'restart' || kind === 'escalate';
  }

  deliver(): Promise<boolean> {
    return Promise.resolve(false);
  }

  requestStop(): 'cannot' {
    return 'cannot';
  }

  restart(request: RestartRequest): Promise<Result<Restart, RestartFailure>> {
    return Promise.resolve(this.plan(request));
  }

  private plan(request: RestartRequest): Result<Restart, RestartFailure> {
    const { agent, command, folder, args, newId } = this.options;
    const { mode, session, prompt, model, thinking } = request;
    if (agent !== 'generic' && this.isLoop()) return this.planLoop(mode, prompt);
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
    // No template shows how to resume this agent, but a fresh start is always possible: the same command again.
    if (code === 'no_template' && mode === 'fresh')
      return ok({
        how: 'start',
        argv: command,
        env: { [PROMPT_VARIABLE]: launchPrompt(prompt) },
        input: 'passed_on',
        session,
      });
    return fail({ reason: code, message });
  }

  /** Plans a restart of a loop, which can only begin again. Its prompt is its own, unless it reads ours. */
  private planLoop(mode: RestartRequest['mode'], prompt: string): Result<Restart, RestartFailure> {
    const { command, folder, read } = this.options;
    if (mode !== 'fresh') {
      const message = 'The command starts a new session for each run, so none is resumed. A fresh start is possible.';
      return fail({ reason: 'no_mode', message });
    }
    const takes = (text: string | undefined) => text?.includes(PROMPT_VARIABLE) === true;
    if (!command.some((word) => takes(word) || takes(read(resolve(folder, word))))) {
      const message = `The command gives its agents a prompt of its own. Change that, or let the command read ${PROMPT_VARIABLE}.`;
      return fail({ reason: 'own_prompt', message });
    }
    return ok({ how: 'start', argv: command, env: { [PROMPT_VARIABLE]: launchPrompt(prompt) }, input: 'passed_on' });
  }
}
