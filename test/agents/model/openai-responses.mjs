// OpenAI Responses: the protocol of Codex.
import { freshId } from './ids.mjs';
import { refuseAsOpenai } from './refuse.mjs';
import { sendEvent, sendJson, startStream } from './sse.mjs';

const USAGE = {
  input_tokens: 3000,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 60,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 3060,
};

export const openaiResponses = {
  matches: (path) => path.includes('/responses'),

  read(body, path) {
    const input = Array.isArray(body.input) ? body.input : [];
    const tools = (body.tools?.length ?? 0) > 0 || input.some((item) => item.type === 'additional_tools');
    // A request for a title has a schema of its own.
    const titles = body.text?.format !== undefined;
    const main = tools && !titles && !path.endsWith('/compact');
    return { model: body.model ?? '', main, compacts: path.endsWith('/compact') };
  },

  /** Answers as the service does when it fails. */
  refuse: refuseAsOpenai,

  write(response, reply, asked) {
    const items = [
      ...(reply.text
        ? [
            {
              type: 'message',
              role: 'assistant',
              id: freshId('msg'),
              content: [{ type: 'output_text', text: reply.text }],
            },
          ]
        : []),
      ...reply.calls.map(({ name, namespace, args }) => ({
        type: 'function_call',
        id: freshId('fc'),
        call_id: freshId('call'),
        name,
        ...(namespace && { namespace }),
        arguments: JSON.stringify(args),
      })),
    ];
    if (asked.compacts) return sendJson(response, { output: items });
    const id = freshId('resp');
    startStream(response);
    const send = (type, data) => sendEvent(response, { type, ...data }, type);
    send('response.created', { response: { id } });
    items.forEach((item, index) => {
      send('response.output_item.added', {
        output_index: index,
        item: item.type === 'message' ? { ...item, content: [] } : item,
      });
      if (item.type === 'message') {
        const delta = item.content[0].text;
        send('response.output_text.delta', { item_id: item.id, output_index: index, content_index: 0, delta });
      }
      send('response.output_item.done', { output_index: index, item });
    });
    send('response.completed', { response: { id, output: items, usage: USAGE } });
    response.end();
  },
};
