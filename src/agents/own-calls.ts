import type { AgentAdapter } from './adapter';

/** How many of the markers that were found in a line are steps of the transcript. For one reading from its start. */
export function ownCallsOf(adapter: AgentAdapter): (text: string, found: number) => number {
  return adapter.createOwnCalls?.() ?? ((text, found) => adapter.ownCalls?.(text, found) ?? found);
}
