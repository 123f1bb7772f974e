import type { AgentAdapter } from './adapter';

/** Returns a function that counts the steps of the transcript among the markers found in a line. For a single reading from the transcript's start. */
export function ownCallsOf(adapter: AgentAdapter): (text: string, found: number) => number {
  return adapter.createOwnCalls?.() ?? ((text, found) => adapter.ownCalls?.(text, found) ?? found);
}
