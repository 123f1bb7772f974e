import type { AgentAdapter } from '../adapter';
import { liveness } from './liveness';
import { locate, peek, recognises } from './locate';
import { copilotDescriptor } from './descriptor';

/** GitHub Copilot CLI (measured with 1.0.102, read in files of 0.0.420 and later). */
export const copilot: AgentAdapter = {
  id: copilotDescriptor.id,
  name: copilotDescriptor.name,
  unit: 'line',
  locate,
  recognises,
  peek,
  decoder: 'copilot',
  callMarkers: ['"type":"tool.execution_start"', '"type": "tool.execution_start"'],
  liveness,
  showsRunningTool: true,
  turnEnds: 'yes',
};
