import { claudeCode } from '../../../../../src/agents/claude-code/adapter';
import { CWD, SESSION, each, type Format } from './acts';

const CLAUDE_TOOLS: Readonly<Record<string, string>> = { bash: 'Bash', read: 'Read', edit: 'Edit', write: 'Write' };

export const claudeFormat: Format = {
  // its own tools refuse to edit a file that was never read
  silent: new Set(['premature_action']),
  name: 'claude-code',
  adapter: claudeCode,
  lacks: new Set(['claim', 'feedback']),
  records: each(
    (act, call, t, n) => {
      const line = (type: string, fields: object) => ({
        type,
        uuid: `u${n}-${type}`,
        timestamp: t,
        sessionId: SESSION,
        cwd: CWD,
        version: '2.1.329',
        isSidechain: false,
        ...fields,
      });
      const assistant = (content: object, used = 1000) =>
        line('assistant', {
          message: {
            id: `msg_${n}`,
            type: 'message',
            role: 'assistant',
            model: 'claude-opus-5-5',
            content: [content],
            stop_reason: 'tool_use',
            usage: {
              input_tokens: used,
              output_tokens: 10,
              cache_read_input_tokens: 0,
              cache_creation_input_tokens: 0,
            },
          },
        });
      const result = (id: string, content: string, isError: boolean) =>
        line('user', {
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
        });
      if (call)
        return [
          assistant({ type: 'tool_use', id: call.id, name: CLAUDE_TOOLS[call.tool], input: call.args }),
          result(call.id, call.fails ? `Exit code 1\n${call.output}` : call.output, call.fails),
        ];
      switch (act.does) {
        case 'say':
          return [assistant({ type: 'text', text: act.text })];
        case 'prompt':
          return [line('user', { message: { role: 'user', content: act.text } })];
        case 'compact':
          return [
            line('system', {
              subtype: 'compact_boundary',
              content: 'Conversation compacted',
              compactMetadata: { trigger: 'auto', preTokens: 168_000, postTokens: 2600 },
            }),
          ];
        case 'use':
          return [assistant({ type: 'text', text: `step ${n}` }, act.tokens)];
        case 'refused':
          return [
            line('system', {
              subtype: 'api_error',
              level: 'error',
              error: {
                status: 529,
                error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
              },
              retryInMs: 500,
              retryAttempt: 1,
              maxRetries: 10,
            }),
          ];
        case 'unknown tool':
          return [
            assistant({ type: 'tool_use', id: `bad_${n}`, name: act.name, input: {} }),
            result(`bad_${n}`, `<tool_use_error>Error: No such tool available: ${act.name}</tool_use_error>`, true),
          ];
        case 'wait':
          return [line('system', { subtype: 'informational', content: 'tick' })];
        default:
          return [];
      }
    },
    () => [],
  ),
};
