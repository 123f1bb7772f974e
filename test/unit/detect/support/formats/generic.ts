import { generic } from '../../../../../src/agents/generic/adapter';
import { CWD, each, type Format } from './acts';

export const genericFormat: Format = {
  name: 'generic',
  adapter: generic,
  lacks: new Set(),
  records: each(
    (act, call, t) => {
      const line = (type: string, fields: object = {}) => ({ v: 1, t, type, ...fields });
      if (call)
        return [
          line('tool_call', { id: call.id, name: call.tool, args: call.args }),
          line('tool_result', { id: call.id, output: call.output, isError: call.fails }),
        ];
      switch (act.does) {
        case 'say':
          return [line('assistant', { text: act.text })];
        case 'prompt':
          return [line('user', { text: act.text })];
        case 'feedback':
          return [line('user', { text: act.text, automated: true })];
        case 'compact':
          return [line('compaction')];
        case 'use':
          return [line('usage', { contextTokens: act.tokens, contextWindow: 200_000 })];
        case 'refused':
          return [line('error', { kind: 'rate_limit', message: '529 Overloaded' })];
        case 'unknown tool':
          return [line('error', { kind: 'validation', message: `unknown tool ${act.name}` })];
        case 'claim':
          return [line('completion', { claim: 'TASK_COMPLETE' })];
        case 'wait':
          return [line('clock')];
        default:
          return [];
      }
    },
    (t) => [{ v: 1, t, type: 'session_start', cwd: CWD }],
  ),
};
