import type { AgentAdapter } from '../adapter';
import { createTaskDecoder, taskOf } from './decoder';
import { taskRoots } from './locate';
import { clineDescriptor } from './descriptor';

/** Cline (experimental): tasks of the editor's extension, and sessions of version 4 on. */
export const cline: AgentAdapter = {
  id: clineDescriptor.id,
  name: clineDescriptor.name,
  unit: 'document',
  locate: (environment) => [
    ...taskRoots(environment, 'saoudrizwan.claude-dev'),
    {
      path: `${environment.home}/.cline/data/sessions`,
      depth: 1,
      matches: (path) => /^[^/]+\/[^/]+\.messages\.json$/.test(path),
    },
  ],
  recognises(head, file) {
    if (/roo-cline/i.test(file)) return 'no';
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
  peek(head, file) {
    const session = /"sessionId":\s*"([^"\\]{1,200})"/.exec(head.slice(0, 4000))?.[1];
    const cwd = /# Current (?:Working|Workspace) Directory \(([^()\\\n]{1,4000})\)/.exec(head)?.[1];
    return { session: session ?? taskOf(file), ...(cwd !== undefined && { cwd }) };
  },
  createDecoder: (context) => createTaskDecoder('cline', context),
  callMarkers: ['"type": "tool_use"', '"type":"tool_use"'],
  showsRunningTool: true,
};
