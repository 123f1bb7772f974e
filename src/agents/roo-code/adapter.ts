import type { AgentAdapter } from '../adapter';
import { createTaskDecoder, taskOf } from '../cline/decoder';
import { taskRoots } from '../cline/locate';
import { rooCodeDescriptor } from './descriptor';

/** Roo Code (experimental): it began as a copy of Cline and keeps its tasks in the same form. */
export const rooCode: AgentAdapter = {
  id: rooCodeDescriptor.id,
  name: rooCodeDescriptor.name,
  unit: 'document',
  locate: (environment) => taskRoots(environment, 'rooveterinaryinc.roo-cline'),
  recognises: (head, file) =>
    /roo-cline/i.test(file) && file.endsWith('api_conversation_history.json') && /^\s*\[/.test(head) ? 'yes' : 'no',
  peek(head, file) {
    const cwd = /# Current (?:Working|Workspace) Directory \(([^()\\\n]{1,4000})\)/.exec(head)?.[1];
    return { session: taskOf(file), ...(cwd !== undefined && { cwd }) };
  },
  createDecoder: (context) => createTaskDecoder('roo-code', context),
  callMarkers: ['"type": "tool_use"', '"type":"tool_use"'],
  showsRunningTool: true,
};
