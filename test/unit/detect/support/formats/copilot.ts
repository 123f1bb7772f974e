import { copilot } from '../../../../../src/agents/copilot/adapter';
import { CWD, SESSION, each, type Format } from './acts';

const COPILOT_TOOLS: Readonly<Record<string, string>> = { bash: 'bash', read: 'view', edit: 'edit', write: 'create' };

export const copilotFormat: Format = {
  name: 'copilot-cli',
  adapter: copilot,
  lacks: new Set(['compact', 'use', 'refused', 'claim', 'feedback', 'wait']),
  records: each(
    (act, call, t, n) => {
      const line = (type: string, data: object) => ({ type, data, id: `e${n}-${type}`, timestamp: t, parentId: null });
      const called = (id: string, toolName: string | undefined, args: object) =>
        line('tool.execution_start', { toolCallId: id, toolName, arguments: args, turnId: '0' });
      if (call) {
        const shell = call.tool === 'bash';
        return [
          called(call.id, COPILOT_TOOLS[call.tool], call.args),
          line('tool.execution_complete', {
            toolCallId: call.id,
            success: true,
            ...(shell && { shellExecution: { exitCode: call.fails ? 1 : 0 } }),
            result: {
              content: shell
                ? `${call.output}\n<shellId: 0 completed with exit code ${call.fails ? 1 : 0}>`
                : call.output,
            },
          }),
        ];
      }
      switch (act.does) {
        case 'say':
          return [line('assistant.message', { messageId: `m${n}`, content: act.text, toolRequests: [], turnId: '0' })];
        case 'prompt':
          return [line('user.message', { content: act.text, messageId: `u${n}`, turnId: '0' })];
        case 'unknown tool':
          return [
            called(`bad_${n}`, act.name, {}),
            line('tool.execution_complete', {
              toolCallId: `bad_${n}`,
              success: false,
              error: { message: `Tool '${act.name}' does not exist.`, code: 'failure' },
            }),
          ];
        default:
          return [];
      }
    },
    (t) => [
      {
        type: 'session.start',
        data: { sessionId: SESSION, version: 1, copilotVersion: '1.0.102', startTime: t, context: { cwd: CWD } },
        id: 'e0',
        timestamp: t,
        parentId: null,
      },
    ],
  ),
};
