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

interface AnswerOptions {
  readonly message?: string;
  readonly isLast?: boolean;
  readonly side?: object;
}

const answer = (at: number, id: string, block: object, { message, isLast, side }: AnswerOptions = {}): object =>
  line(at, `u_${id}`, 'assistant', {
    message: {
      id: message || `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [block],
      stop_reason: isLast ? 'end_turn' : 'tool_use',
      usage: { input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    },
    ...side,
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
  call: ({ tool, args }, id, message, at) => [
    answer(at, id, { type: 'tool_use', id, name: tool, input: typeof args === 'string' ? {} : args }, { message }),
  ],
  result({ args, output, failed, code }, id, at) {
    const text = failed && code !== undefined ? `Exit code ${code}\n${output}` : output;
    const content = typeof args === 'string' ? REFUSED : text;
    const is_error = failed || typeof args === 'string';
    return [user(at, `r_${id}`, [{ type: 'tool_result', tool_use_id: id, content, ...(is_error && { is_error }) }])];
  },
  act(act, id, isLast, at) {
    switch (act.does) {
      case 'prompt':
        return [user(at, id, act.text)];
      case 'feedback':
        return [user(at, id, act.text, { isMeta: true })];
      case 'text':
        return [answer(at, id, { type: 'text', text: act.text }, { isLast })];
      case 'error':
        return [
          line(at, `u_${id}`, 'assistant', {
            isApiErrorMessage: true,
            message: {
              id: `msg_${id}`,
              role: 'assistant',
              model: '<synthetic>',
              content: [{ type: 'text', text: act.text }],
            },
          }),
        ];
      case 'compaction':
        return [
          line(at, `u_${id}`, 'system', {
            subtype: 'compact_boundary',
            content: 'Conversation compacted',
            compactMetadata: { trigger: 'auto', preTokens: 168_000, postTokens: 2600 },
          }),
        ];
      case 'interruption':
        return [user(at, id, [{ type: 'text', text: '[Request interrupted by user]' }])];
      case 'turn end':
        return [line(at, `u_${id}`, 'system', { subtype: 'turn_duration', durationMs: 2000 })];
      case 'sub-agent': {
        const side = { isSidechain: true, agentId: 'sub1' };
        const call = `toolu_sub_${id}`;
        const input = { file_path: `lib/part${id}.ts` };
        return [
          answer(at, `s_${id}`, { type: 'tool_use', id: call, name: 'Read', input }, { side }),
          user(at, `sr_${id}`, [{ type: 'tool_result', tool_use_id: call, content: `This is part ${id}.` }], side),
        ];
      }
      case 'claim':
        return [];
    }
  },
};
