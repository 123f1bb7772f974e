import { qwen } from '../../../../../src/agents/qwen/adapter';
import { CWD, SESSION, each, type Format } from './acts';
import { GEMINI_TOOLS } from './gemini';

export const qwenFormat: Format = {
  name: 'qwen-code',
  adapter: qwen,
  lacks: new Set(['use', 'refused', 'claim', 'feedback', 'wait']),
  records: each(
    (act, call, t, n) => {
      const line = (type: string, fields: object) => ({
        uuid: `u${n}-${type}`,
        parentUuid: null,
        sessionId: SESSION,
        timestamp: t,
        type,
        cwd: CWD,
        version: '0.15.10',
        ...fields,
      });
      const called = (id: string, name: string | undefined, args: object) =>
        line('assistant', { message: { role: 'model', parts: [{ functionCall: { id, name, args } }] } });
      const answered = (id: string, name: string | undefined, response: object, status: string) =>
        line('tool_result', {
          message: { role: 'user', parts: [{ functionResponse: { id, name, response } }] },
          toolCallResult: { callId: id, status },
        });
      if (call) {
        const name = GEMINI_TOOLS[call.tool];
        const output =
          call.tool === 'bash'
            ? `Command: ${String(call.args['command'])}\nOutput: ${call.output}\nError: (none)\nExit Code: ${call.fails ? 1 : 0}`
            : call.output;
        return [called(call.id, name, call.args), answered(call.id, name, { output }, 'success')];
      }
      switch (act.does) {
        case 'say':
          return [line('assistant', { message: { role: 'model', parts: [{ text: act.text }] } })];
        case 'prompt':
          return [line('user', { message: { role: 'user', parts: [{ text: act.text }] } })];
        case 'compact':
          return [
            line('system', {
              subtype: 'chat_compression',
              systemPayload: { info: { originalTokenCount: 94_000, newTokenCount: 2000, compressionStatus: 1 } },
            }),
          ];
        case 'unknown tool':
          return [
            called(`bad_${n}`, act.name, {}),
            answered(`bad_${n}`, act.name, { error: `Tool "${act.name}" not found in registry.` }, 'error'),
          ];
        default:
          return [];
      }
    },
    () => [],
  ),
};
