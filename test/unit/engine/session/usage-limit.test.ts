import { describe, expect, it } from 'vitest';
import { SessionFacts } from '../../../../src/engine/session/facts';
import { usageLimitOf } from '../../../../src/engine/session/usage-limit';
import type { AgentEvent } from '../../../../src/core/model';
import { source } from '../../support/findings';

/** 23 July 2026, 00:52 in London and 16:52 of the day before in Los Angeles. */
const AT = Date.UTC(2026, 6, 22, 23, 52);
const opens = (message: string) => {
  const limit = usageLimitOf(message, AT);
  return limit?.opensAt === undefined ? limit : new Date(limit.opensAt).toISOString();
};

describe('a usage limit', () => {
  it('opens at the next such time of day in the named zone', () => {
    expect(opens('You’ve hit your limit · resets 6pm (America/Los_Angeles)')).toBe('2026-07-23T01:00:00.000Z');
    expect(opens("You've hit your limit · resets Jul 23 at 6pm (America/Los_Angeles)")).toBe(
      '2026-07-24T01:00:00.000Z',
    );
    expect(opens('5-hour limit reached ∙ resets 3:30pm (UTC)')).toBe('2026-07-23T15:30:00.000Z');
    expect(opens('You hit your usage limit. Please try again at 23:55 (UTC).')).toBe('2026-07-22T23:55:00.000Z');
  });

  it('opens after the named time', () => {
    expect(opens('You have hit your usage limit. Upgrade or try again in 2 days 3 hours 5 minutes.')).toBe(
      '2026-07-25T02:57:00.000Z',
    );
    expect(opens('Quota will reset after 2h13m45s.')).toBe('2026-07-23T02:05:45.000Z');
    expect(opens(`Claude AI usage limit reached|${AT / 1000 + 60}`)).toBe('2026-07-22T23:53:00.000Z');
  });

  it('of a week opens in the next year if it was reached in the last days of one', () => {
    const message = "You've hit your weekly limit · resets Jan 2 at 6pm (UTC)";
    const limit = usageLimitOf(message, Date.UTC(2026, 11, 29, 12));
    expect(limit?.opensAt).toBe(Date.UTC(2027, 0, 2, 18));
  });

  it('is reached even if it is not known when it opens', () => {
    expect(opens('Weekly limit reached')).toEqual({ since: AT });
    expect(opens('You hit your limit, resets 6pm (Mars/Olympus)')).toEqual({ since: AT });
    expect(opens('You hit your limit · resets Jan 3 at 6pm (UTC)')).toEqual({ since: AT });
    expect(opens(`usage limit reached|${AT / 1000 - 60}`)).toEqual({ since: AT });
  });

  it('is none if requests come too fast, a service fails, a text is too long, or only a quotation far into the text says so', () => {
    expect(usageLimitOf('429 Rate limit reached for requests, retry in 2 s', AT)).toBeNull();
    expect(usageLimitOf('529 overloaded_error', AT)).toBeNull();
    const quoted = `500 upstream error: ${'the prompt came back. '.repeat(20)}“usage limit reached, try again in 2 days”`;
    expect(usageLimitOf(quoted, AT)).toBeNull();
    expect(usageLimitOf('prompt is too long: the context limit is 200000', AT)).toBeNull();
  });
});

describe('a session that reached its usage limit', () => {
  const push = (facts: SessionFacts, event: Record<string, unknown>) =>
    facts.push({ agent: 'claude-code', session: 's', at: AT, source: source(1), ...event } as AgentEvent);
  function limited() {
    const facts = new SessionFacts('Claude Code');
    push(facts, { type: 'error', kind: 'rate_limit', message: 'usage limit reached, try again in 10 minutes' });
    return facts;
  }

  it('is held until its service answers', () => {
    const facts = limited();
    push(facts, { type: 'error', kind: 'api', message: 'connection reset' });
    expect(facts.usageLimit).toEqual({ since: AT, opensAt: AT + 600_000 });
    push(facts, { type: 'assistant', text: 'On it.', chunk: false });
    expect(facts.usageLimit).toBeNull();
  });

  it('is held until the limit opens', () => {
    const facts = limited();
    facts.tick(AT + 599_999);
    expect(facts.usageLimit).not.toBeNull();
    facts.tick(AT + 600_000);
    expect(facts.usageLimit).toBeNull();
  });
});

it('a day that has passed is not taken as one of next year, and words that only look like a span add nothing', () => {
  expect(opens('You hit your limit, resets Jul 22 at 6pm (UTC)')).toEqual({ since: AT });
  expect(opens('usage limit reached, try again in 1 hour, 30 minutes')).toBe('2026-07-23T01:22:00.000Z');
  expect(opens('You hit your limit · resets 12am (UTC)')).toBe('2026-07-23T00:00:00.000Z');
  expect(opens('You hit your limit · resets Foo 23 at 6pm (UTC)')).toBe('2026-07-23T18:00:00.000Z');
});
