import type { DetectContext } from './detector';

/**
 * Creates a check for a rule to call at each step: it returns whether a prompt that adds something has come since the previous call. If so, the
 * rule's counts start again.
 */
export function createNewPromptCheck(): (context: DetectContext) => boolean {
  let since = 0;
  return ({ stepsAtUserMessage }) => {
    const hasNewPrompt = stepsAtUserMessage !== since;
    since = stepsAtUserMessage;
    return hasNewPrompt;
  };
}
