import type { ToolResultEvent } from '../../../core/model';

/** Result of a call, without its agent, session and time. */
export type ToolResult = Omit<ToolResultEvent, 'type' | 'agent' | 'session' | 'at' | 'source' | 'id'>;

export interface ReadResult {
  readonly result: ToolResult;
  /** Text that a hook added: the model saw it with the result, but the tool did not write it. */
  readonly added: string;
}
