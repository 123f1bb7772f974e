import { describe, expect, it } from 'vitest';
import { incidentDescription, limitWords, notStuckSaid, outcomePill } from '../../../src/words';

describe('what is said after Not Stuck', () => {
  it('names the rule, the call and the count at which it speaks again', () => {
    const said = { detector: 'repeating_action', rule: null, limit: 12, subject: 'make' } as const;
    expect(notStuckSaid(said)).toBe('Not stuck. “Same call again” is quiet until 12 about: make');
    expect(notStuckSaid({ ...said, subject: '' })).toBe('Not stuck. “Same call again” is quiet until 12.');
  });

  it('is in the unit of the rule', () => {
    expect(limitWords({ detector: 'max_runtime', limit: 40 })).toBe('quiet until 40 min');
    expect(limitWords({ detector: 'oversized_response', limit: 200_000 })).toBe('quiet until 200k characters');
    // More than the whole context never comes.
    expect(limitWords({ detector: 'token_exhaustion', limit: 172 })).toBe('quiet');
  });

  it('is no ended session', () => {
    const facts = { state: 'ended', outcome: 'not_stuck' } as const;
    expect(outcomePill(facts)).toBe('Not stuck');
    const counted = { detector: 'repeating_action', rule: null, subject: 'make', count: 4, firstAt: 0 } as const;
    const rest = { resolvedAt: 1, cleared: null, attempts: 0 };
    expect(incidentDescription({ ...facts, ...counted, ...rest }, 2)).toBe('not stuck');
    expect(outcomePill({ state: 'ended', outcome: null })).toBe('Session ended');
  });
});
