import { describe, expect, it } from 'vitest';
import { incidentDescription, limitWords, notStuckSaid, outcomePill, wrongHere } from '../../../../../src/core/words';

describe('what is shown after Not Stuck', () => {
  it('names the rule, the call and the count at which it reports again', () => {
    const said = { detector: 'repeating_action', rule: null, limit: 12, subject: 'make' } as const;
    expect(notStuckSaid(said)).toBe('Not stuck. “Same call again” is quiet until 12 about: make');
    expect(notStuckSaid({ ...said, subject: '' })).toBe('Not stuck. “Same call again” is quiet until 12.');
  });

  it('is in the unit of the rule', () => {
    expect(limitWords({ detector: 'max_runtime', limit: 40 })).toBe('quiet until 40 min');
    expect(limitWords({ detector: 'oversized_response', limit: 200_000 })).toBe('quiet until 200k characters');
    // A context is never more than full.
    expect(limitWords({ detector: 'token_exhaustion', limit: 172 })).toBe('quiet');
  });

  it('is not an ended session', () => {
    const facts = { state: 'ended', outcome: 'not_stuck', cleared: null, level: 'stuck' } as const;
    expect(outcomePill(facts)).toBe('Not stuck');
    const counted = { detector: 'repeating_action', rule: null, subject: 'make', count: 4, firstAt: 0 } as const;
    const rest = { resolvedAt: 1, attempts: 0 };
    expect(incidentDescription({ ...facts, ...counted, ...rest }, 2)).toBe('not stuck');
    expect(outcomePill({ ...facts, outcome: null })).toBe('Ended while stuck');
    expect(outcomePill({ ...facts, outcome: null, level: 'warn' })).toBe('Session ended');
  });
});

describe('what people said about a rule here', () => {
  it('is counted, with the newest calls', () => {
    const said = (...subjects: string[]) => wrongHere(subjects.map((subject) => ({ subject })));
    expect(said()).toBe('');
    expect(said('make')).toBe('You marked it as wrong here once: make');
    expect(said('make', 'cargo build')).toBe('You marked it as wrong here 2 times: cargo build, make');
    expect(said('a', 'b', 'c', 'd', 'e')).toBe('You marked it as wrong here 5 times: e, d, c and 2 more');
    expect(said('')).toBe('You marked it as wrong here once');
  });
});
