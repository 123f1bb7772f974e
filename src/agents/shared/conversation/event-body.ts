import type { AgentEvent } from '../../../core/model';

/** What distinguishes one event from another: everything but whose it is, when and where. */
export type EventBody = AgentEvent extends infer E
  ? E extends AgentEvent
    ? Omit<E, 'agent' | 'session' | 'at' | 'source'>
    : never
  : never;
