import { describe, expect, test } from 'vitest';
import { SessionContext } from '../../../../src/detect/session/context';
import type { AgentEvent } from '../../../../src/core/model';

let line = 0;
const event = (type: AgentEvent['type'], more: object = {}): AgentEvent => {
  const base = { agent: 'generic', session: 's', at: 1_000, text: 'Go on', automated: false };
  return { ...base, source: { file: 'f', line: ++line, offset: 0 }, type, ...more } as AgentEvent;
};

function told(...events: AgentEvent[]): SessionContext {
  const context = new SessionContext('generic', true, [], () => '');
  for (const one of events) context.take(one);
  return context;
}

describe('the time of a session', () => {
  test('began with its first event, and never goes back', () => {
    const context = told(
      event('user', { at: 500 }),
      event('tool_call', { at: 900 }),
      event('tool_result', { at: 700 }),
    );
    expect([context.startedAt, context.now]).toEqual([500, 900]);
  });
});

describe('what a session has used', () => {
  test('is the sum of its requests, or the total that it reports', () => {
    const usage = (more: object) => event('usage', more);
    expect(told(usage({ inputTokens: 5, outputTokens: 2 }), usage({ inputTokens: 3 })).totalTokens).toBe(10);
    expect(told(usage({ outputTokens: 2 }), usage({})).totalTokens).toBe(2);
    expect(told(usage({ inputTokens: 5 }), usage({ totalTokens: 100, inputTokens: 7 })).totalTokens).toBe(100);
    expect(told(usage({ totalTokens: 0 })).totalTokens).toBe(0);
  });

  test('of its window is the newest that is known', () => {
    const usage = event('usage', { contextTokens: 50, contextWindow: 200 });
    const of = ({ contextTokens, contextWindow }: SessionContext) => [contextTokens, contextWindow];
    expect(of(told(usage, event('usage')))).toEqual([50, 200]);
    expect(of(told(usage, event('usage', { contextTokens: 0, contextWindow: 0 })))).toEqual([0, 200]);
    expect(of(told(usage, event('compaction', { tokensAfter: 10 })))).toEqual([10, 200]);
    expect(of(told(usage, event('compaction')))).toEqual([50, 200]);
    expect(of(told(usage, event('session_info', { contextWindow: 400 })))).toEqual([50, 400]);
    expect(of(told(usage, event('session_info')))).toEqual([50, 200]);
  });
});

test('the folder in which a session works is the newest that it reported', () => {
  expect(told().cwd).toBeNull();
  expect(told(event('session_info', { cwd: '/app/./' }), event('session_info')).cwd).toBe('/app');
});
