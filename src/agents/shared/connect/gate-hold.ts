/** Seconds beyond the longest wait for the quality gates: time to start the runtime, to take the message and to answer. */
const MARGIN = 10;
/** Seconds that a hook waits at the end of a print mode run unless set otherwise: the default of `unstuck.gates.wait`. */
const GATE_WAIT = 120;
/** Largest value of `unstuck.gates.wait`, in seconds. */
const LONGEST_WAIT = 900;

/** Returns the seconds that the agent must give the hook at the end of a turn. `usual`: what it needs without waiting. */
export function endTimeout(gateWait: number | undefined, usual: number): number {
  const wait = gateWait ?? GATE_WAIT;
  return wait > 0 ? Math.ceil(wait) + MARGIN : usual;
}

/** The same for agents that ask their user to trust the hook again after a change of the time: enough for every setting. */
export const LONGEST_END_TIMEOUT = LONGEST_WAIT + MARGIN;

/**
 * Returns whether the agent was started to do one task without a person. Null words: unknown, so it counts as interactive. There the end of a turn is
 * not the end of the agent, and waiting would only keep its person from writing.
 *
 * @param print options that make it so, followed by the prompt
 * @param interactive options that keep it open
 */
export function isPrintRun(
  words: readonly string[] | null,
  print: readonly string[],
  interactive: readonly string[],
): boolean {
  if (words === null) return false;
  const has = (options: readonly string[]) =>
    words.some((word) =>
      options.some((option) => word === option || (option.startsWith('--') && word.startsWith(`${option}=`))),
    );
  return has(print) && !has(interactive);
}
