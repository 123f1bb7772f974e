import { describe, expect, it } from 'vitest';
import { STORE_EVENT_TYPES } from '../../../../../src/history';
import { eventSentence } from '../../../../../src/core/words';

describe('an entry of the event log', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'StuckObservation',
      {
        heuristic: 'repeating_outcome',
        rule: 'few_distinct',
        level: 'stuck',
        count: 7,
        certainty: 'counted',
        why: '`make` failed 7 times',
        suggestion: 'Read the error.',
      },
      'stuck, Same result again (few_distinct), ×7, counted: `make` failed 7 times: Read the error.',
    ],
    [
      'Observation',
      { detector: 'cycle', level: 'warn', state: 'open', count: 2 },
      'warn, Going round in a cycle, ×2: open',
    ],
    [
      'Resolution',
      { heuristic: 'cycle', outcome: 'nudge', afterMs: 240_000, tokens: 41_000 },
      'Freed by nudge, Going round in a cycle, after 4 min, 41k tokens',
    ],
    [
      'Escalation',
      { heuristic: 'cycle', attempts: 2, why: 'No.' },
      'needs you, Going round in a cycle, after 2 attempts: No.',
    ],
    [
      'Delivery',
      { kind: 'nudge', state: 'acted', outcome: 'changed', rung: 'feedback', automated: false },
      'nudge acted, step “feedback”, changed, by hand',
    ],
    [
      'Gate',
      {
        verdict: 'failed',
        claim: 'TASK_COMPLETE',
        gates: [{ name: 'tests', status: 'failed', summary: '1 failed' }, null],
      },
      'failed, TASK_COMPLETE: tests failed (1 failed)',
    ],
    [
      'Recovery',
      { action: 'nudge', result: 'sent', rungKind: 'feedback', reason: 'clicked', automated: true, attempt: 1 },
      'nudge sent, step “feedback”, clicked, attempt 1, automatic',
    ],
    [
      'Learning',
      { title: 'Agent stuck', cause: 'It read the wrong file.', tried: 'by_itself', state: 'ended' },
      'It read the wrong file., by itself, ended',
    ],
    [
      'Feedback',
      { action: 'not_stuck', detector: 'cycle', message: 'quiet' },
      'not stuck, Going round in a cycle, quiet',
    ],
    ['SomethingNew', { a: 1, b: 'x', c: [] }, 'a=1 b=x'],
  ])('%s is understandable on its own', (type, data, line) => {
    expect(eventSentence(type, data)).toBe(line);
  });

  it('of any type says what it can when fields are missing or have the wrong type', () => {
    for (const type of STORE_EVENT_TYPES) {
      expect(eventSentence(type, {})).toEqual(expect.any(String));
      expect(eventSentence(type, { count: 'x', afterMs: '1', gates: 3, why: {}, heuristic: 7 })).toEqual(
        expect.any(String),
      );
    }
  });
});
