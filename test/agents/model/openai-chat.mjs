// OpenAI chat completions: the protocol of OpenCode, and of Copilot CLI with a provider of the user's own.
import { freshId } from './ids.mjs';
import { refuseAsOpenai } from './refuse.mjs';
import { sendEvent, sendJson, startStream } from './sse.mjs';

const USAGE = {
  prompt_tokens: 3000,
  completion_tokens: 60,
  total_tokens: 3060,
  prompt_tokens_details: { cached_tokens: 0 },
};

export const openaiChat = {
  matches: (path) => path.endsWith('/chat/completions'),

  read: (body) => ({ model: body.model ?? '', main: (body.tools?.length ?? 0) > 0 }),

  /** Answers as the service does when it fails. */
  refuse: refuseAsOpenai,

  write(response, reply, asked) {
    const common = { id: freshId('chatcmpl'), created: Math.floor(Date.now() / 1000), model: asked.model };
    const calls = reply.calls.map(({ name, args }, index) => ({
      index,
      id: freshId('call'),
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    if (!asked.body.stream) {
      const message = { role: 'assistant', content: reply.text ?? '', ...(calls.length > 0 && { tool_calls: calls }) };
      const choices = [{ index: 0, message, finish_reason }];
      return sendJson(response, { ...common, object: 'chat.completion', choices, usage: USAGE });
    }
    startStream(response);
    const send = (delta, finish = null) =>
      sendEvent(response, {
        ...common,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    send({ role: 'assistant', content: '' });
    if (reply.text) send({ content: reply.text });
    if (calls.length > 0) send({ tool_calls: calls });
    send({}, finish_reason);
    sendEvent(response, { ...common, object: 'chat.completion.chunk', choices: [], usage: USAGE });
    response.end('data: [DONE]\n\n');
  },
};
