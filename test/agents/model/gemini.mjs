// The Gemini API: the protocol of Gemini CLI.
import { freshId } from './ids.mjs';
import { sendJson, startStream } from './sse.mjs';

const USAGE = { promptTokenCount: 3000, candidatesTokenCount: 60, totalTokenCount: 3060, cachedContentTokenCount: 0 };

export const gemini = {
  matches: (path) => /:(streamGenerateContent|generateContent|countTokens)$/.test(path),

  /** A request without a stream or without tools is for a summary, a title or a routing decision. */
  read: (body, path) => ({
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    main: path.endsWith(':streamGenerateContent') && (body.tools?.length ?? 0) > 0,
    how: path.slice(path.lastIndexOf(':') + 1),
  }),

  /** Answers as the service does when it fails; a limit is worded like a day's quota. */
  refuse({ kind, opensAt }) {
    const body = (code, status, message, details) => ({
      error: { code, status, message, ...(details && { details }) },
    });
    switch (kind) {
      case 'overloaded':
        return { status: 503, body: body(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.') };
      case 'broken':
        return { status: 500, body: body(500, 'INTERNAL', 'An internal error has occurred.') };
      case 'login':
        return {
          status: 401,
          body: body(401, 'UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.'),
        };
      case 'limit': {
        const retryDelay = `${Math.max(1, Math.round((opensAt - Date.now()) / 1000))}s`;
        const details = [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [
              {
                quotaMetric: 'generativelanguage.googleapis.com/generate_requests_per_model_per_day',
                quotaId: 'GenerateRequestsPerDayPerProjectPerModel',
              },
            ],
          },
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
        ];
        return { status: 429, body: body(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', details) };
      }
    }
  },

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
