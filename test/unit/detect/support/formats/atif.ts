import { atif } from '../../../../../src/agents/atif/adapter';
import { each, type Format } from './acts';

export const atifFormat: Format = {
  name: 'atif',
  adapter: atif,
  lacks: new Set(['compact', 'use', 'refused', 'claim', 'feedback', 'wait', 'unknown tool']),
  records: each(
    (act, call, t, n) => {
      const step = (source: string, message: string, more: object = {}) => ({
        step_id: n + 1,
        timestamp: t,
        source,
        message,
        ...more,
      });
      if (call)
        return [
          step('agent', '', {
            tool_calls: [{ tool_call_id: call.id, function_name: call.tool, arguments: call.args }],
            observation: {
              results: [
                {
                  source_call_id: call.id,
                  content: call.fails ? `${call.output}\n[Command finished with exit code 1]` : call.output,
                },
              ],
            },
          }),
        ];
      switch (act.does) {
        case 'say':
          return [step('agent', act.text)];
        case 'prompt':
          return [step('user', act.text)];
        default:
          return [];
      }
    },
    () => [],
  ),
};
