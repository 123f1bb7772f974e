import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../../../src/core/model';
import { type DoingFacts, doingInShort, doingWords } from '../../../../../src/core/words';

const NOW = Date.UTC(2026, 10, 20, 17, 10, 20);
const repeat = { detector: 'repeating_outcome', rule: null, subject: 'pytest -q', count: 6, firstAt: NOW } as const;
const call = { kind: 'tool', subject: 'npm run build', since: NOW } as const;
const says = (state: Partial<AgentState> & Pick<AgentState, 'kind'>, more: Partial<DoingFacts> = {}) =>
  doingInShort({ state: { since: NOW, ...state }, now: NOW, ...more });

describe('what an agent does, in a few words', () => {
  it('is what repeats, while it is stuck and while it asks', () => {
    expect(says({ kind: 'stuck' }, { repeat })).toBe('pytest -q: same result 6 times');
    expect(says({ kind: 'escalated' }, { repeat })).toBe('pytest -q: same result 6 times');
    expect(doingWords({ state: { kind: 'stuck', since: NOW }, now: NOW, repeat })[0]).toEqual({
      text: 'pytest -q',
      code: true,
    });
    expect(says({ kind: 'stuck' })).toBe('');
  });

  it('is what it asks', () => {
    const asks = { kind: 'waiting', waitingFor: 'permission' } as const;
    expect(says({ ...asks, question: 'Run the migration?' })).toBe('Asks: Run the migration?');
    expect(says(asks)).toBe('Asks for a permission');
    expect(says({ kind: 'waiting', waitingFor: 'question' })).toBe('Asks a question');
    expect(says({ ...asks, probable: true }, { doing: call })).toBe('Probably asks for permission: npm run build');
    expect(says({ ...asks, probable: true })).toBe('Probably asks for permission');
  });

  it('is what it is silent in, or that nobody can read it', () => {
    expect(says({ kind: 'stalled' }, { doing: call })).toBe('Silent while running npm run build');
    expect(says({ kind: 'stalled' })).toBe('Silent while the model answers');
    expect(says({ kind: 'not_monitored' })).toBe('Its file grows, no action is recognised');
  });

  it('is what came after a message', () => {
    const watch = { nudge: 2, takenAt: NOW, seen: 2, fresh: 2 };
    expect(says({ kind: 'recovering' }, { watch })).toBe('2 of 5 calls after the nudge, all new');
    expect(says({ kind: 'recovering' }, { watch: { ...watch, fresh: 1 } })).toBe('2 of 5 calls after the nudge, 1 new');
    expect(says({ kind: 'recovering' }, { watch: { ...watch, seen: 0, fresh: 0 } })).toBe(
      '0 of 5 calls after the nudge',
    );
    expect(says({ kind: 'recovering' })).toBe('A message was taken');
  });

  it('is its call, what is remarkable about it, or how it ended', () => {
    expect(says({ kind: 'working' }, { doing: call })).toBe('npm run build');
    expect(says({ kind: 'working' })).toBe('The model answers');
    expect(says({ kind: 'working' }, { doing: call, repeat })).toBe('pytest -q: same result 6 times');
    expect(says({ kind: 'finished', ended: 'died' })).toBe('Its process ended in mid-turn');
    expect(says({ kind: 'finished' })).toBe('Session ended');
    expect(says({ kind: 'finished' }, { gates: 'All gates passed.' })).toBe('All gates passed.');
    expect(says({ kind: 'waiting', waitingFor: 'turn_end' })).toBe('Its turn ended');
  });

  it('is the limit that its service set, before all else', () => {
    const usageLimit = { since: NOW };
    expect(says({ kind: 'working' }, { usageLimit, repeat })).toBe('Usage limit reached');
    expect(says({ kind: 'waiting', waitingFor: 'turn_end' }, { usageLimit })).toBe('Usage limit reached');
  });
});
