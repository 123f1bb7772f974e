import type { AgentAdapter } from '../adapter';
import type { AgentDescriptor } from '../descriptor';
import { taskOf, taskRoots } from './locate';

/**
 * An extension that began as a copy of Cline and keeps its tasks in the same form. Newer ones leave the request out of what they show, so that
 * the conversation with the model is read, which has the outcomes.
 *
 * @param extensions names of its folder in the editor's storage
 */
export function descendantOf(descriptor: AgentDescriptor, extensions: readonly string[], path: RegExp): AgentAdapter {
  return {
    id: descriptor.id,
    name: descriptor.name,
    unit: 'document',
    locate: (environment) =>
      extensions.flatMap((extension) => taskRoots(environment, extension, 'api_conversation_history.json')),
    recognises: (head, file) =>
      path.test(file) && file.endsWith('api_conversation_history.json') && /^\s*\[/.test(head) ? 'yes' : 'no',
    peek(head, file) {
      const cwd = /# Current (?:Working|Workspace) Directory \(([^()\\\n]{1,4000})\)/.exec(head)?.[1];
      return { session: taskOf(file), ...(cwd !== undefined && { cwd }) };
    },
    decoder: 'clineConversation',
    callMarkers: ['"type": "tool_use"', '"type":"tool_use"'],
    showsRunningTool: true,
    turnEnds: 'some',
  };
}
