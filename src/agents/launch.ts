import type { AgentId } from '../core/model';
import { withoutMiddle } from '../base/util/fences';
import { presentable } from '../base/util/redact';
import { type Result, fail, ok } from '../base/util/result';
import { type LaunchSettings, templateWith } from './launch-settings';
import { type LaunchMode, type LaunchStyle, asksFor, fillTemplate } from './launch-template';
import { descriptorOf } from './registry';

/** Largest number of characters of a prompt passed on: command lines have room for 32,767 in all on the narrowest system. */
export const LONGEST_PROMPT = 12_000;

export interface LaunchRequest {
  readonly agent: AgentId;
  readonly mode: LaunchMode;
  readonly style: LaunchStyle;
  /** The session to continue; not needed for `fresh`. */
  readonly session?: string;
  readonly prompt: string;
  readonly model?: string;
  readonly thinking?: string;
  /** Id for the new session, if the agent lets the caller choose it: a UUID. */
  readonly newSession?: string;
  /** Folder in which the agent worked: all modes start there. Absolute. */
  readonly cwd: string;
}

/** A program and its arguments, for a terminal (`shellPath`, `shellArgs`) or a process. No shell reads them. */
export interface LaunchPlan {
  readonly agent: AgentId;
  readonly mode: LaunchMode;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Id of the resulting session, if it is known beforehand. */
  readonly session?: string;
  /** Requests that cannot be fulfilled, one sentence each. */
  readonly remarks: readonly string[];
}

export type LaunchFailureCode = 'no_template' | 'no_mode' | 'no_session' | 'bad_session' | 'bad_value' | 'no_prompt';

export interface LaunchFailure {
  readonly code: LaunchFailureCode;
  /** One or two sentences for a person. */
  readonly message: string;
}

/** The effort of the highest rung. */
export const MORE_THINKING = 'high';

/** Ids come from transcripts: nothing that a program could take for an option or a path is allowed. */
const SESSION = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:/@[\]+-]{0,127}$/;

/** Returns the ways to start an agent again, and the reason for each one that does not exist. */
export function launchModes(
  agent: AgentId,
  style: LaunchStyle,
  settings: LaunchSettings = {},
): Readonly<Record<LaunchMode, LaunchFailure | null>> {
  const of = (mode: LaunchMode): LaunchFailure | null => {
    const form = formOf(agent, mode, style, settings);
    return form.ok ? null : form.error;
  };
  return { resume: of('resume'), fork: of('fork'), fresh: of('fresh') };
}

/** Returns the words that start an agent with more thinking, `--effort high`; null if there are none for it. */
export function moreThinking(agent: AgentId, style: LaunchStyle, settings: LaunchSettings = {}): string | null {
  const form = formOf(agent, 'fresh', style, settings);
  const group = form.ok ? form.value.words.find((word) => asksFor([word], 'thinking')) : undefined;
  return group === undefined ? null : fillTemplate([group], { prompt: '', thinking: MORE_THINKING }, []).join(' ');
}

/**
 * Returns the command that starts an agent again. It does not decide whether that is allowed: the caller must know that the old process is no longer
 * alive (`decideClick`, `decideAutomatic`).
 */
export function planLaunch(request: LaunchRequest, settings: LaunchSettings = {}): Result<LaunchPlan, LaunchFailure> {
  const { agent, mode, style, session, model, thinking, newSession, cwd } = request;
  const form = formOf(agent, mode, style, settings);
  if (!form.ok) return form;
  const { template, words } = form.value;
  if (asksFor(words, 'session')) {
    if (session === undefined) return fail({ code: 'no_session', message: 'The session to resume is not known.' });
    if (!SESSION.test(session))
      return fail({
        code: 'bad_session',
        message: 'The id of this session cannot be passed to a program safely.',
      });
  }
  for (const value of [model, thinking]) {
    if (value !== undefined && !NAME.test(value))
      return fail({ code: 'bad_value', message: `“${value.slice(0, 40)}” is not the name of a model or an effort.` });
  }
  const prompt = launchPrompt(request.prompt);
  if (prompt.trim() === '') return fail({ code: 'no_prompt', message: 'There is no message for the agent.' });
  const choosesSession = newSession !== undefined && SESSION.test(newSession) && asksFor(words, 'newSession');
  const remarks = [
    ...(thinking !== undefined && template.noThinking !== undefined ? [template.noThinking] : []),
    ...(model !== undefined && !asksFor(words, 'model') ? ['This start cannot change the model.'] : []),
  ];
  const args = fillTemplate(
    words,
    {
      prompt,
      ...(session !== undefined && { session }),
      ...(model !== undefined && { model }),
      ...(thinking !== undefined && { thinking }),
      ...(choosesSession && { newSession }),
    },
    settings[agent]?.args ?? [],
  );
  const known = mode === 'resume' ? session : choosesSession ? newSession : undefined;
  return ok({
    agent,
    mode,
    program: template.program,
    args,
    cwd,
    ...(known !== undefined && { session: known }),
    remarks,
  });
}

/**
 * Returns a prompt as one argument: without secrets and control characters, at most 12,000 characters with the middle left out, and never beginning
 * like an option. A quotation that is cut stays in its fence.
 */
export function launchPrompt(text: string): string {
  const clean = presentable(text);
  const safe = /^\s*[-/!@#]/.test(clean) ? `Note: ${clean.trimStart()}` : clean;
  return withoutMiddle(safe, LONGEST_PROMPT, '(the middle was left out)', 0.7);
}

function formOf(agent: AgentId, mode: LaunchMode, style: LaunchStyle, settings: LaunchSettings) {
  const known = descriptorOf(agent);
  const name = known?.name ?? agent;
  const template = templateWith(known?.launch, settings[agent]);
  if (!template) {
    return fail<LaunchFailure>({
      code: 'no_template',
      message: `Unstuck does not know how to start ${name}. Add it in the setting unstuck.launch.`,
    });
  }
  const words = template[style][mode];
  if (words) return ok({ template, words });
  const message = template.not?.[mode] ?? `${name} cannot be started in this way here.`;
  return fail<LaunchFailure>({ code: 'no_mode', message });
}
