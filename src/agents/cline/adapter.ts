import type { AgentAdapter } from '../adapter';
import { taskOf, taskRoots } from './locate';
import { sessionsFolder, companionState } from './folder';
import { liveness } from './liveness';
import { clineDescriptor } from './descriptor';

/** Cline: what the extension shows of each task. The conversation with the model, in the same folder, has neither waits nor server errors. */
export const cline: AgentAdapter = {
  id: clineDescriptor.id,
  name: clineDescriptor.name,
  unit: 'document',
  locate: taskRoots,
  recognises: (head) =>
    /^\s*\[\s*\{\s*"ts":\s?\d{9,16},\s*"type":\s?"(?:say|ask)",\s*"(?:say|ask)":/.test(head.slice(0, 1000))
      ? 'yes'
      : 'no',
  peek(head, file) {
    const cwd = /# Current Working Directory \(([^()\\\n"]{1,4000})\)/.exec(head)?.[1];
    return { session: taskOf(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'cline',
  callMarkers: ['tool', 'command', 'use_mcp_server', 'browser_action_launch', 'load_mcp_documentation'].flatMap(
    (kind) => ['say', 'ask'].flatMap((type) => [`"${type}":"${kind}"`, `"${type}": "${kind}"`]),
  ),
  showsRunningTool: true,
  turnEnds: 'yes',
};

/** Cline's conversation with the model: of a task that was exported without the view, and of sessions from version 4 on. */
export const clineConversation: AgentAdapter = {
  id: clineDescriptor.id,
  name: clineDescriptor.name,
  unit: 'document',
  locate: ({ home, env }) => [
    {
      path: sessionsFolder(home, env),
      depth: 1,
      matches: (path) => /^[^/]+\/[^/]+\.messages\.json$/.test(path),
    },
  ],
  recognises(head, file) {
    const start = head.slice(0, 8000);
    if (
      /^\s*\{[\s\S]{0,400}"messages":\s*\[/.test(start) &&
      /"sessionId":/.test(start) &&
      /You are Cline|"agent":\s*"/.test(head)
    )
      return 'yes';
    if (file.endsWith('api_conversation_history.json') && /^\s*\[/.test(start)) return 'maybe';
    return file.endsWith('.messages.json') && /"role":\s*"(?:user|assistant)"/.test(start) ? 'maybe' : 'no';
  },
  peek(head, file, readSmall) {
    const session = /"sessionId":\s*"([^"\\]{1,200})"/.exec(head.slice(0, 4000))?.[1];
    const cwd =
      /# Current (?:Working|Workspace) Directory \(([^()\\\n]{1,4000})\)/.exec(head)?.[1] ??
      companionState(file, readSmall).cwd;
    return { session: session ?? taskOf(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'clineConversation',
  callMarkers: ['"type": "tool_use"', '"type":"tool_use"'],
  liveness,
  showsRunningTool: true,
  turnEnds: 'some',
};
