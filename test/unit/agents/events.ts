import type { AgentEvent } from '../../../src/core/model';

/** The types of events in order, without those that only name a record. */
export const types = (events: readonly AgentEvent[]): readonly string[] =>
  events.filter((event) => event.type !== 'other').map((event) => event.type);

/** The events of one type. */
export const only = <T extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: T,
): readonly Extract<AgentEvent, { type: T }>[] =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
