import type { Format } from './transcript';

const SESSION = '11111111-0000-4000-8000-0000000000aa';

const line = (at: number, uuid: string, type: string, fields: object): object => ({
  type,
  uuid,
  timestamp: new Date(at).toISOString(),
  sessionId: SESSION,
  cwd: '/home/dev/project',
  version: '2.1.329',
  isSidechain: false,
  ...fields,
});

const answer = (at: number, id: string, block: object, message = `msg_${id}`, more: object = {}): object =>
  line(at, `u_${id}`, 'assistant', {
    message: {
      id: message,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [block],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    },
    ...more,
  });

const user = (at: number, id: string, content: unknown, more: object = {}): object =>
  line(at, `u_${id}`, 'user', { message: { role: 'user', content }, ...more });

/** Malformed arguments never reach the tool. */
const REFUSED =
  '<tool_use_error>InputValidationError: Bash failed due to the following issue:\nThe required parameter `command` is missing</tool_use_error>';

/** Claude Code's transcript. */
export const claudeFormat: Format = {
  name: 'claude-code',
  knowsCopies: true,
  head: () => [],
  call: ({ tool, args }, id, batch, at) => [
    answer(
      at,
      id,
      { type: 'tool_use', id, name: tool, input: typeof args === 'string' ? {} : args },
      batch || undefined,
    ),
  ],
  result({ args, output, failed, code }, id, at) {
    const text = failed && code !== undefined ? `Exit code ${code}\n${output}` : output;
    const content = typeof args === 'string' ? REFUSED : text;
    const is_error = failed || typeof args === 'string';
    return [user(at, `r_${id}`, [{ type: 'tool_result', tool_use_id: id, content, ...(is_error && { is_error }) }])];
  },
  act(act, n, at) {
    switch (act.does) {
      case 'prompt':
        return [user(at, `${n}`, act.text)];
      case 'feedback':
        return [user(at, `${n}`, act.text, { isMeta: true })];
      case 'text':
        return [answer(at, `${n}`, { type: 'text', text: act.text })];
      case 'error':
        return [
          line(at, `u_${n}`, 'assistant', {
            isApiErrorMessage: true,
            message: {
              id: `msg_${n}`,
              role: 'assistant',
              model: '<synthetic>',
              content: [{ type: 'text', text: act.text }],
            },
          }),
        ];
      case 'compaction':
        return [
          line(at, `u_${n}`, 'system', {
            subtype: 'compact_boundary',
            content: 'Conversation compacted',
            compactMetadata: { trigger: 'auto', preTokens: 168_000, postTokens: 2600 },
          }),
        ];
      case 'interruption':
        return [user(at, `${n}`, [{ type: 'text', text: '[Request interrupted by user]' }])];
      case 'turn end':
        return [line(at, `u_${n}`, 'system', { subtype: 'turn_duration', durationMs: 2000 })];
      case 'sub-agent': {
        const side = { isSidechain: true, agentId: 'sub1' };
        const id = `toolu_sub_${n}`;
        const input = { file_path: `lib/part${n}.ts` };
        return [
          answer(at, `s_${n}`, { type: 'tool_use', id, name: 'Read', input }, undefined, side),
          user(at, `sr_${n}`, [{ type: 'tool_result', tool_use_id: id, content: `This is part ${n}.` }], side),
        ];
      }
      case 'claim':
        return [];
    }
  },
};
