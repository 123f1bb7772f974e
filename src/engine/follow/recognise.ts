import type { AgentAdapter } from '../../agents/adapter';

/** Returns the adapter that is sure of a file; otherwise the first that thinks it may be its own. Takes one step for each adapter tried. */
export function* recognising(
  adapters: readonly AgentAdapter[],
  head: string,
  file: string,
): Generator<undefined, AgentAdapter | undefined> {
  let maybe: AgentAdapter | undefined;
  for (const adapter of adapters) {
    const answer = adapter.recognises(head, file);
    if (answer === 'yes') return adapter;
    if (answer === 'maybe') maybe ??= adapter;
    yield;
  }
  return maybe;
}

/** Does the same in one go. */
export function recognise(adapters: readonly AgentAdapter[], head: string, file: string): AgentAdapter | undefined {
  const steps = recognising(adapters, head, file);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
