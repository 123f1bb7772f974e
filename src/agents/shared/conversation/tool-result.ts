import type { ToolResultEvent } from '../../../core/model';

/** What came of a call, without whose it is and when. */
export type ToolResult = Omit<ToolResultEvent, 'type' | 'agent' | 'session' | 'at' | 'source' | 'id'>;

export interface ReadResult {
  readonly result: ToolResult;
  /** Text that a hook added: the model saw it with the result, the tool did not write it. */
  readonly added: string;
}
