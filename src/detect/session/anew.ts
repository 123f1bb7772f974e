import type { DetectContext } from './detector';

/** Creates a question that a rule asks at each step: did a prompt that adds something come since it asked last? Then its counts begin again. */
export function createAnew(): (context: DetectContext) => boolean {
  let since = 0;
  return ({ stepsAtUserMessage }) => {
    const isAnew = stepsAtUserMessage !== since;
    since = stepsAtUserMessage;
    return isAnew;
  };
}
