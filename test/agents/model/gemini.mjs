// The Gemini API: what Gemini CLI asks.
import { freshId } from './ids.mjs';
import { sendJson, startStream } from './sse.mjs';

const USAGE = { promptTokenCount: 3000, candidatesTokenCount: 60, totalTokenCount: 3060, cachedContentTokenCount: 0 };

export const gemini = {
  matches: (path) => /:(streamGenerateContent|generateContent|countTokens)$/.test(path),

  /** What is asked without a stream or without tools is a summary, a title or a routing decision. */
  read: (body, path) => ({
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    main: path.endsWith(':streamGenerateContent') && (body.tools?.length ?? 0) > 0,
    how: path.slice(path.lastIndexOf(':') + 1),
  }),

  write(response, reply, asked) {
    if (asked.how === 'countTokens') return sendJson(response, { totalTokens: 3000 });
    const parts = [
      ...(reply.text ? [{ text: reply.text }] : []),
      ...reply.calls.map(({ name, args }) => ({ functionCall: { id: freshId('fc'), name, args } })),
    ];
    const answer = {
      candidates: [{ content: { role: 'model', parts }, index: 0, finishReason: 'STOP' }],
      usageMetadata: USAGE,
      modelVersion: asked.model,
      responseId: freshId('r'),
    };
    if (asked.how === 'generateContent') return sendJson(response, answer);
    startStream(response);
    response.end(`data: ${JSON.stringify(answer)}\r\n\r\n`);
  },
};
