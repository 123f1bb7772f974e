// Anthropic Messages: the protocol of Claude Code.
import { freshId } from './ids.mjs';
import { sendEvent, sendJson, startStream } from './sse.mjs';

const USAGE = { input_tokens: 3000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 50 };

export const anthropic = {
  matches: (path) => path.startsWith('/v1/messages'),

  /** Requests for titles and summaries come without the tools, of which the main agent has a dozen. */
  read: (body, path) => ({
    model: body.model ?? '',
    main: !path.endsWith('/count_tokens') && (body.tools?.length ?? 0) > 3,
    counts: path.endsWith('/count_tokens'),
  }),

  /** Answers as the service does when it fails; for a limit, with the headers that the CLI reads for a plan. */
  refuse({ kind, opensAt }) {
    const body = (type, message) => ({ type: 'error', error: { type, message } });
    switch (kind) {
      case 'overloaded':
        return { status: 529, body: body('overloaded_error', 'Overloaded') };
      case 'broken':
        return { status: 500, body: body('api_error', 'Internal server error') };
      case 'login':
        return { status: 401, body: body('authentication_error', 'invalid x-api-key') };
      case 'limit': {
        const reset = String(Math.floor(opensAt / 1000));
        const headers = {
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': reset,
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
          'anthropic-ratelimit-unified-5h-status': 'rejected',
          'anthropic-ratelimit-unified-5h-reset': reset,
          'anthropic-ratelimit-unified-5h-utilization': '1',
        };
        return {
          status: 429,
          headers,
          body: body(
            'rate_limit_error',
            "This request would exceed your account's rate limit. Please try again later.",
          ),
        };
      }
    }
  },

  write(response, reply, asked) {
    if (asked.counts) return sendJson(response, { input_tokens: 3000 });
    const blocks = [
      ...(reply.text ? [{ type: 'text', text: reply.text }] : []),
      ...reply.calls.map(({ name, args }) => ({ type: 'tool_use', id: freshId('toolu'), name, input: args })),
    ];
    const message = { id: freshId('msg'), type: 'message', role: 'assistant', model: asked.model };
    const stop = { stop_reason: reply.calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
    if (!asked.body.stream) return sendJson(response, { ...message, content: blocks, ...stop, usage: USAGE });

    startStream(response);
    const send = (type, data) => sendEvent(response, { type, ...data }, type);
    send('message_start', {
      message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: USAGE },
    });
    blocks.forEach((block, index) => {
      const isText = block.type === 'text';
      send('content_block_start', {
        index,
        content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
      });
      const delta = isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      send('content_block_delta', { index, delta });
      send('content_block_stop', { index });
    });
    send('message_delta', { delta: stop, usage: USAGE });
    send('message_stop', {});
    response.end();
  },
};
