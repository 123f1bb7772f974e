import type { AgentAdapter } from '../adapter';
import { sessionOfFile } from '../shared/decode';
import { sweAgentDescriptor } from './descriptor';

/** SWE-agent: `.traj` files of runs, rewritten after each step. */
export const sweAgent: AgentAdapter = {
  id: sweAgentDescriptor.id,
  name: sweAgentDescriptor.name,
  unit: 'document',
  // Transcripts are where the runs were started: `trajectories/<user>/<run>/<instance>/<instance>.traj`.
  locate: () => [],
  workspaceFiles: ['.traj'],
  writesTimes: false,
  recognises(head, file) {
    const start = head.slice(0, 4000);
    if (!/^\s*\{/.test(start)) return 'no';
    if (/"trajectory":\s*\[\s*\{\s*"action":/.test(start)) return 'yes';
    return file.endsWith('.traj') && /"(?:environment|trajectory|history)":/.test(start) ? 'yes' : 'no';
  },
  peek: (_head, file) => ({ session: sessionOfFile(file) }),
  decoder: 'sweAgent',
  // One per step. The last step of a run that the harness ended has one as well, although it is not a call.
  callMarkers: ['"observation": "', '"observation":"'],
  showsRunningTool: false,
  turnEnds: 'no',
};
