import type { AgentEvent } from '../../../core/model';

/** Fields that distinguish one event from another: all except its agent, time and source. */
export type EventBody = AgentEvent extends infer E
  ? E extends AgentEvent
    ? Omit<E, 'agent' | 'session' | 'at' | 'source'>
    : never
  : never;
