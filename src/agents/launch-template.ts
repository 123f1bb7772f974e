/**
 * Template for a restart of an agent's program. Built in, or a person's machine setting: never from a transcript, a message or a workspace.
 *
 * A word is taken as it is; `{session}`, `{prompt}`, `{model}`, `{thinking}` and `{newSession}` are replaced by values, and are whole words or the
 * end of one (`--resume={session}`). `{args}` is the place of the person's further arguments. A group is left out if one of its values is absent.
 */
export type TemplateWord = string | readonly string[];

/** `resume` continues the same session, `fork` continues a copy of it, `fresh` begins a new one. */
export const LAUNCH_MODES = ['resume', 'fork', 'fresh'] as const;
export type LaunchMode = (typeof LAUNCH_MODES)[number];

/** `terminal`: a person sees it and can type. `piped`: the supervisor reads its standard output and closes its standard input. */
export type LaunchStyle = 'terminal' | 'piped';

/** Words by mode; if a mode is missing, `not` says why. */
export type TemplateForms = Readonly<Partial<Record<LaunchMode, readonly TemplateWord[]>>>;

export interface LaunchTemplate {
  /** Name to find on the PATH, or an absolute path. */
  readonly program: string;
  readonly terminal: TemplateForms;
  readonly piped: TemplateForms;
  /** Reason why a mode does not exist, one sentence. */
  readonly not?: Readonly<Partial<Record<LaunchMode, string>>>;
  /** Reason why this agent cannot be told to think longer, one sentence; absent if it can. */
  readonly noThinking?: string;
}

/** Values of the placeholders. */
export interface TemplateValues {
  readonly session?: string;
  readonly prompt: string;
  readonly model?: string;
  readonly thinking?: string;
  readonly newSession?: string;
}

const PLACE = /\{(session|prompt|model|thinking|newSession)\}/g;

/** Returns the arguments of a form. Each value is one argument or the end of one: no shell reads them, so nothing is quoted. */
export function fillTemplate(
  words: readonly TemplateWord[],
  values: TemplateValues,
  further: readonly string[],
): readonly string[] {
  return words.flatMap((word) => {
    if (word === '{args}') return [...further];
    const group = typeof word === 'string' ? [word] : word;
    const filled = group.map((part) => fillWord(part, values));
    return filled.includes(null) ? [] : (filled as readonly string[]);
  });
}

/** Returns whether a form uses this value. */
export function asksFor(words: readonly TemplateWord[], name: keyof TemplateValues): boolean {
  return words.some((word) => (typeof word === 'string' ? [word] : word).some((part) => part.includes(`{${name}}`)));
}

function fillWord(word: string, values: TemplateValues): string | null {
  let complete = true;
  const filled = word.replace(PLACE, (_, name: keyof TemplateValues) => {
    const value = values[name];
    if (value === undefined) complete = false;
    return value ?? '';
  });
  return complete ? filled : null;
}
