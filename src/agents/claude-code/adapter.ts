import type { AgentAdapter } from '../adapter';
import { createOwnCalls } from './line-kind';
import { liveness } from './liveness';
import { locate, peek, recognises } from './locate';
import { claudeCodeDescriptor } from './descriptor';

/** Claude Code 1.0 to 2.1 (measured with 2.1.329, read in files of 1.0.17 and later). */
export const claudeCode: AgentAdapter = {
  id: claudeCodeDescriptor.id,
  name: claudeCodeDescriptor.name,
  unit: 'line',
  locate,
  recognises,
  peek,
  decoder: 'claudeCode',
  // Files reprinted by other tools have a space after the colon.
  callMarkers: ['"type":"tool_use"', '"type": "tool_use"'],
  createOwnCalls,
  liveness,
  showsRunningTool: true,
  turnEnds: 'yes',
};
