import { type AgentId, isAgentId } from '../core/model';
import { LAUNCH_MODES, type LaunchTemplate, type TemplateForms, type TemplateWord } from './launch-template';

/** A person's machine-level settings for one agent; the rest comes from the built-in template. */
export interface LaunchSetting {
  readonly program?: string;
  /** Arguments for every start of this agent. */
  readonly args?: readonly string[];
  /** The person's own forms, for an agent without a template, or to replace its template. They apply to both styles. */
  readonly forms?: TemplateForms;
}

export type LaunchSettings = Readonly<Partial<Record<AgentId, LaunchSetting>>>;

const MOST_WORDS = 64;
const LONGEST_WORD = 4_096;

/**
 * Reads the machine setting `unstuck.launch`: `{ "codex": { "program": "…", "args": ["…"], "resume": ["…"] } }`. Anything that cannot be understood
 * is left out; the caller makes sure that no workspace can set it (scope `machine`).
 */
export function readLaunchSettings(value: unknown): LaunchSettings {
  if (!isObject(value)) return {};
  const settings: Partial<Record<AgentId, LaunchSetting>> = {};
  for (const [agent, entry] of Object.entries(value)) {
    if (!isAgentId(agent) || !isObject(entry)) continue;
    const program = entry['program'];
    const args = asWords(entry['args']);
    const forms: Partial<Record<(typeof LAUNCH_MODES)[number], readonly TemplateWord[]>> = {};
    for (const mode of LAUNCH_MODES) {
      const words = asTemplate(entry[mode]);
      if (words) forms[mode] = words;
    }
    settings[agent] = {
      ...(isWord(program) && program.trim() !== '' && { program }),
      ...(args && { args }),
      ...(Object.keys(forms).length > 0 && { forms }),
    };
  }
  return settings;
}

/** Returns the template of an agent with the person's changes; undefined if neither says how it is started. */
export function templateWith(
  builtIn: LaunchTemplate | undefined,
  setting: LaunchSetting | undefined,
): LaunchTemplate | undefined {
  const { program, forms } = setting ?? {};
  if (!builtIn) return program === undefined || !forms ? undefined : { program, terminal: forms, piped: forms };
  return {
    ...builtIn,
    program: program ?? builtIn.program,
    terminal: { ...builtIn.terminal, ...forms },
    piped: { ...builtIn.piped, ...forms },
  };
}

function asWords(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length <= MOST_WORDS && value.every(isWord) ? value : undefined;
}

function asTemplate(value: unknown): readonly TemplateWord[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_WORDS) return undefined;
  return value.every((word) => isWord(word) || asWords(word) !== undefined) ? (value as TemplateWord[]) : undefined;
}

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_WORD && !value.includes('\u0000');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
