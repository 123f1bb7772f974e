import type { AgentAdapter } from '../adapter';
import { createOwnCalls } from './copied';
import { liveness } from './liveness';
import { locate, peek, recognises } from './locate';
import { codexDescriptor } from './descriptor';
import { createStreamCalls, peekStream, recognisesStream } from './stream-lines';

/** Codex CLI: rollout files of threads, in classic and in code mode. */
export const codex: AgentAdapter = {
  id: codexDescriptor.id,
  name: codexDescriptor.name,
  unit: 'line',
  locate,
  recognises,
  peek,
  decoder: 'codex',
  callMarkers: [
    '"payload":{"type":"function_call",',
    '"payload":{"type":"custom_tool_call",',
    '"payload":{"type":"local_shell_call",',
    '"payload":{"type":"web_search_call",',
    '"payload":{"type":"tool_search_call",',
    '"payload":{"type":"image_generation_call",',
    '"payload":{"type":"tool_call",',
    // Before 2025-10 without an envelope, or reprinted by other tools.
    '"type":"function_call","function"',
    '"payload": {"type": "function_call",',
    '"payload": {"type": "custom_tool_call",',
  ],
  createOwnCalls,
  liveness,
  showsRunningTool: true,
  turnEnds: 'yes',
};

/** Output of `codex exec --json`. */
export const codexStream: AgentAdapter = {
  id: codexDescriptor.id,
  name: codexDescriptor.name,
  unit: 'line',
  locate: () => [],
  recognises: recognisesStream,
  peek: peekStream,
  decoder: 'codexStream',
  callMarkers: [
    '"type":"command_execution",',
    '"type":"file_change",',
    '"type":"mcp_tool_call",',
    '"type":"web_search",',
    '"type":"collab_tool_call",',
  ],
  // A call appears in up to three records; some calls are printed only after they have ended.
  createOwnCalls: createStreamCalls,
  writesTimes: false,
  showsRunningTool: true,
  turnEnds: 'yes',
};
