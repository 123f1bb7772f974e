import type { HookForm } from '../inbox/hook/hook-form';
import { familyHookForm, type FamilyEvent } from '../shared/connect/hook-family';
import { filledText } from '../shared/connect/hook-messages';

/** Environment variable that names the project. */
export const DROID_PROJECT = 'FACTORY_PROJECT_DIR';

/** The hook events of Droid that carry messages (measured with 0.215.0). `PostToolUse` is not called for a failed call. */
export const DROID_HOOK_EVENTS: readonly FamilyEvent[] = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];

/** @param readTail reads the end of a transcript; null if it cannot be read */
export function droidHookForm(readTail: (path: string) => string | null): HookForm {
  return familyHookForm({
    agent: 'droid',
    events: DROID_HOOK_EVENTS,
    shellTool: 'Execute',
    projectVariable: DROID_PROJECT,
    stops: true,
    // In a loop of failing calls, only the refusal of the next one reaches the model.
    textsBefore: (payload) =>
      lastFailed(readTail(filledText(payload['transcript_path']) ?? '') ?? '') ? 'refuse' : 'leave',
  });
}

/** Returns whether the last call of a transcript failed. */
function lastFailed(transcript: string): boolean {
  const at = transcript.lastIndexOf('"type":"tool_result"');
  return at >= 0 && transcript.slice(at, at + 400).includes('"is_error":true');
}
