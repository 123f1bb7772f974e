import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../../../../src/core/model';
import { type WhyFacts, whyInShort, whyWords } from '../../../../../src/core/words';

const NOW = Date.UTC(2026, 10, 20, 17, 10, 20);
const repeat = {
  detector: 'repeating_outcome',
  rule: null,
  subject: 'pytest -q',
  count: 6,
  firstAt: NOW,
  isStuck: true,
} as const;
const call = { kind: 'tool', subject: 'npm run build', since: NOW } as const;
const says = (state: Partial<AgentState> & Pick<AgentState, 'kind'>, more: Partial<WhyFacts> = {}) =>
  whyInShort({ state: { since: NOW, ...state }, now: NOW, ...more });

describe('what an agent does, in a few words', () => {
  it('is what repeats, while it is stuck and while it asks', () => {
    expect(says({ kind: 'stuck' }, { repeat })).toBe('same result 6 times: pytest -q');
    expect(says({ kind: 'escalated' }, { repeat })).toBe('same result 6 times: pytest -q');
    expect(whyWords({ state: { kind: 'stuck', since: NOW }, now: NOW, repeat })[1]).toEqual({
      text: 'pytest -q',
      code: true,
    });
    expect(says({ kind: 'stuck' })).toBe('');
  });

  it('is what it asks', () => {
    const asks = { kind: 'waiting', waitingFor: 'permission' } as const;
    const calls = ['psql -f 42.sql', 'npm publish'].map((subject, id) => ({
      id: String(id),
      name: 'Bash',
      subject,
      command: subject,
    }));
    expect(says({ ...asks, calls: [{ id: '3', name: 'Edit', subject: 'Edit src/calc.py' }] })).toBe(
      'needs your permission: Edit src/calc.py',
    );
    expect(says({ ...asks, calls: calls.slice(0, 1) })).toBe('wants to run psql -f 42.sql');
    expect(says({ ...asks, calls })).toBe('wants to run psql -f 42.sql and 1 more call');
    expect(says({ ...asks, question: 'Run the migration?' })).toBe('asks: Run the migration?');
    expect(says(asks)).toBe('needs your permission');
    expect(says({ kind: 'waiting', waitingFor: 'plan' })).toBe('proposes a plan');
    const plan = '\n## Move the calls\n\n1. Add the client\n';
    expect(says({ kind: 'waiting', waitingFor: 'plan', question: plan })).toBe('proposes a plan: Move the calls');
    expect(says({ kind: 'waiting', waitingFor: 'question' })).toBe('asks a question');
    expect(says({ kind: 'waiting', waitingFor: 'question', question: 'Which?' })).toBe('asks: Which?');
    expect(says({ ...asks, probable: true }, { doing: call })).toBe('probably wants to run npm run build');
    expect(says({ ...asks, probable: true })).toBe('probably needs your permission');
  });

  it('is why it stopped', () => {
    const waiting = (waitingFor: AgentState['waitingFor'] & string, more: Partial<AgentState> = {}) =>
      says({ kind: 'waiting', waitingFor, ...more });
    expect(waiting('error', { error: '529 Overloaded' })).toBe('stopped: 529 Overloaded');
    expect(waiting('error')).toBe('stopped by an error');
    expect(waiting('limit')).toBe('usage limit reached');
    expect(waiting('limit', { until: new Date(NOW).setHours(22, 23) })).toBe('usage limit until 22:23');
    expect(waiting('limit', { until: NOW })).toBe('usage limit has ended');
    expect(waiting('missed_notice')).toBe('not told that its command ended');
    const missed = { kind: 'command', subject: 'npm run build', endedAt: 0 } as const;
    expect(waiting('missed_notice', { missed })).toBe('npm run build ended, not told');
    const child = { kind: 'sub_agent', subject: 'Review the notes', endedAt: 0 } as const;
    expect(waiting('missed_notice', { missed: child })).toBe('sub-agent Review the notes ended, not told');
    expect(waiting('missed_notice', { missed: { ...missed, exitCode: 1 } })).toBe(
      'npm run build failed with exit code 1, not told',
    );
  });

  it('is empty if its turn is over, except for what it asks or was stuck in', () => {
    const turn = { kind: 'waiting', waitingFor: 'turn_end' } as const;
    expect(says(turn)).toBe('');
    expect(says(turn, { gates: 'All gates passed.' })).toBe('All gates passed.');
    expect(says({ ...turn, question: 'Which port?' })).toBe('asks: Which port?');
    expect(says(turn, { repeat })).toBe('was stuck, same result 6 times: pytest -q');
    expect(says(turn, { repeat: { ...repeat, isStuck: false } })).toBe('');
    expect(says({ ...turn, interrupted: true }, { repeat })).toBe(
      'interrupted by you, was stuck, same result 6 times: pytest -q',
    );
  });

  it('is what it is silent in, or that its transcript cannot be read', () => {
    expect(says({ kind: 'stalled' }, { doing: call })).toBe('no output from npm run build');
    expect(says({ kind: 'stalled' })).toBe('no output from the model');
    expect(says({ kind: 'not_monitored' })).toBe('its transcript grows, but no step is recognized');
  });

  it('is what came after a message', () => {
    const watch = { nudge: 2, takenAt: NOW, seen: 2, fresh: 2 };
    expect(says({ kind: 'recovering' }, { watch })).toBe('2 of 5 calls after the nudge, all new');
    expect(says({ kind: 'recovering' }, { watch: { ...watch, fresh: 1 } })).toBe('2 of 5 calls after the nudge, 1 new');
    expect(says({ kind: 'recovering' }, { watch: { ...watch, seen: 0, fresh: 0 } })).toBe(
      '0 of 5 calls after the nudge',
    );
    expect(says({ kind: 'recovering' })).toBe('a message was delivered');
  });

  it('is its call, what is remarkable about it, or how it ended', () => {
    expect(says({ kind: 'working' }, { doing: call })).toBe('npm run build');
    expect(says({ kind: 'working' })).toBe('thinking');
    expect(says({ kind: 'working' }, { doing: call, repeat })).toBe('same result 6 times: pytest -q');
    expect(says({ kind: 'finished', ended: 'died' })).toBe('died in the middle of a turn');
    expect(says({ kind: 'finished' })).toBe('finished');
    expect(says({ kind: 'finished' }, { gates: 'All gates passed.' })).toBe('All gates passed.');
  });

  it('is the limit that its service set, before all else', () => {
    const usageLimit = { since: NOW };
    expect(says({ kind: 'working' }, { usageLimit, repeat })).toBe('usage limit reached');
    expect(says({ kind: 'waiting', waitingFor: 'turn_end' }, { usageLimit })).toBe('usage limit reached');
  });
});
