import { familyHookForm, type FamilyEvent, ofClaudeCode } from '../shared/connect/hook-family';

/** The marks of messages, as `markOf` writes them. */
const MARK = /\[unstuck [0-9A-Z]{26}\]/g;

/** Characters of a reason that are sent to the model, and how many of them come before the mark: Grok Build cuts longer reasons at about 250. */
const LONGEST_REASON = 240;
const KEPT = 190;

/** Environment variable that names the project. */
export const GROK_PROJECT = 'GROK_WORKSPACE_ROOT';

/**
 * The hook events of Grok Build that carry messages (measured with 1.0.41). `PostToolUse` also comes for commands that fail, but not for calls that
 * fail; the answer of its `UserPromptSubmit` is not read. It runs the hooks of Claude Code's settings as well.
 */
export const GROK_HOOK_EVENTS: readonly FamilyEvent[] = ['PreToolUse', 'PostToolUse', 'Stop'];

export const grokHookForm = familyHookForm({
  agent: 'grok-build',
  events: GROK_HOOK_EVENTS,
  shellTool: 'run_terminal_command',
  projectVariable: GROK_PROJECT,
  // Grok Build does not read `continue: false`.
  stops: false,
  textsBefore: () => 'context',
  // Its transcript does not contain the context, only the beginning of what the hook says to the person: without that, nothing would show that a text
  // was seen.
  answers(what, event, words) {
    const marks = (words.match(MARK) ?? []).join(' ');
    const given = what === 'refuse' && words.length > LONGEST_REASON ? `${words.slice(0, KEPT)} … ${marks}` : words;
    return { ...ofClaudeCode(what, event, given), systemMessage: `Unstuck delivered ${marks}` };
  },
});
