import type { AgentAdapter } from '../adapter';
import { sessionOfFile } from '../shared/decode';
import { atifDescriptor } from './descriptor';

/** Agent Trajectory Interchange Format 1.x, in which benchmark harnesses store the runs of many agents. */
export const atif: AgentAdapter = {
  id: atifDescriptor.id,
  name: atifDescriptor.name,
  unit: 'document',
  // A format, not an agent: its files are found in the workspace, or given.
  locate: () => [],
  workspaceFiles: ['trajectory.json'],
  recognises(head) {
    const start = head.slice(0, 4000);
    if (/^\s*\{[^{}]{0,2000}"schema_version":\s*"ATIF-v?1/.test(start)) return 'yes';
    // The form of a viewer that was derived from the format.
    return /^\s*\{\s*"steps":\s*\[\s*\{\s*"index":\s*\d+,\s*"role":/.test(start) ? 'yes' : 'no';
  },
  peek(head, file) {
    const session = /^\s*\{[^{}]{0,2000}"session_id":\s*"([^"\\]{1,200})"/.exec(head.slice(0, 4000))?.[1];
    return { session: session ?? sessionOfFile(file) };
  },
  decoder: 'atif',
  callMarkers: ['"tool_call_id":', '"args":"', '"args": "'],
  showsRunningTool: false,
  turnEnds: 'no',
};
