import { codex } from '../../../../../src/agents/codex/adapter';
import { CWD, SESSION, each, type Format } from './acts';

export const codexFormat: Format = {
  name: 'codex',
  adapter: codex,
  lacks: new Set(['refused', 'claim', 'feedback', 'read']),
  // its edits are patches, whose context lines match only if the agent knew the file
  silent: new Set(['premature_action']),
  records: each(
    (act, call, t, n) => {
      const line = (type: string, payload: object) => ({ timestamp: t, type, payload });
      const called = (id: string, name: string, args: object) =>
        line('response_item', { type: 'function_call', name, arguments: JSON.stringify(args), call_id: id });
      const answered = (id: string, output: string) =>
        line('response_item', { type: 'function_call_output', call_id: id, output });
      if (call) {
        if (call.tool === 'bash')
          return [
            called(call.id, 'exec_command', { cmd: call.args['command'] }),
            answered(
              call.id,
              `Chunk ID: ${n}\nWall time: 0.1 seconds\nProcess exited with code ${call.fails ? 1 : 0}\nOutput:\n${call.output}`,
            ),
          ];
        const { file_path: path, old_string: from, new_string: to, content } = call.args as Record<string, string>;
        const patch =
          call.tool === 'edit'
            ? `*** Update File: ${path}\n@@\n-${from}\n+${to}`
            : `*** Add File: ${path}\n${String(content).replace(/^/gm, '+')}`;
        return [
          line('response_item', {
            type: 'custom_tool_call',
            status: 'completed',
            call_id: call.id,
            name: 'apply_patch',
            input: `*** Begin Patch\n${patch}\n*** End Patch`,
          }),
          line('response_item', {
            type: 'custom_tool_call_output',
            call_id: call.id,
            output: 'Exit code: 0\nSuccess.',
          }),
        ];
      }
      switch (act.does) {
        case 'say':
          return [
            line('response_item', {
              type: 'message',
              role: 'assistant',
              content: [{ type: 'output_text', text: act.text }],
            }),
          ];
        case 'prompt':
          return [line('event_msg', { type: 'user_message', message: act.text })];
        case 'compact':
          return [line('compacted', { message: 'Summary of what was done.', replacement_history: [] })];
        case 'use': {
          const usage = { input_tokens: act.tokens, output_tokens: 10, total_tokens: act.tokens + 10 };
          return [
            line('event_msg', {
              type: 'token_count',
              info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 200_000 },
            }),
          ];
        }
        case 'unknown tool':
          return [called(`bad_${n}`, act.name, {}), answered(`bad_${n}`, `unsupported call: ${act.name}`)];
        case 'wait':
          return [line('event_msg', { type: 'agent_reasoning_section_break' })];
        default:
          return [];
      }
    },
    (t) => [
      { timestamp: t, type: 'session_meta', payload: { id: SESSION, timestamp: t, cwd: CWD, cli_version: '0.169.0' } },
    ],
  ),
};
