import { describe, expect, it } from 'vitest';
import { recommended } from '../../../../src/recover/decisions/recommend';
import { T0 } from '../../history/support/incidents';
import { attempt, facts, situation } from '../kit';

const GONE = { agent: situation({ liveness: 'gone' as const }) };
const nudged = (outcome: 'same' | 'changed' = 'same') => attempt({ outcome });

describe('what a person is recommended first', () => {
  it('is feedback for what repeats, and then what the strategy of its rule says', () => {
    expect(recommended(facts())).toBe('nudge');
    expect(recommended(facts(GONE, { detector: 'cycle', attempts: [nudged()] }))).toBe('next_model');
    expect(recommended(facts(GONE, { detector: 'repeating_action', attempts: [nudged()] }))).toBe('reassign');
  });

  it('is a restart for an agent that hangs: it reads no message', () => {
    expect(recommended(facts(GONE, { detector: 'stall', level: 'warn' }))).toBe('resume');
    const cannot = { resume: 'No way to start it is known.', fork: null, fresh: null };
    expect(recommended(facts({ ways: cannot }, { detector: 'stall', level: 'warn' }))).toBe('nudge');
  });

  it('is to block the call if the harness reminded the agent in vain, once', () => {
    const reminded = { situations: ['failing', 'reminded'] as const };
    const agent = situation({ takes: ['nudge', 'block'] });
    expect(recommended(facts({ agent, callKnown: true }, reminded))).toBe('block');
    const blocked = [attempt({ kind: 'block', outcome: 'same' })];
    expect(recommended(facts({ agent, callKnown: true }, { ...reminded, attempts: blocked }))).not.toBe('block');
    // If the call cannot be blocked, it is a nudge as before.
    expect(recommended(facts({ agent, callKnown: false }, reminded))).toBe('nudge');
  });

  it('is a stop for a session that ran too long, once it was reported', () => {
    expect(recommended(facts({}, { detector: 'max_runtime', level: 'warn' }))).toBe('nudge');
    expect(recommended(facts({}, { detector: 'max_runtime', level: 'warn', attempts: [nudged()] }))).toBe('stop');
  });

  it('is nothing while a service refuses requests, while a message is watched, and once it is over', () => {
    expect(recommended(facts({}, { detector: 'rate_limited', level: 'warn' }))).toBeNull();
    expect(recommended(facts({}, { attempts: [attempt({ state: 'queued' })] }))).toBeNull();
    expect(recommended(facts({}, { resolvedAt: T0 }))).toBeNull();
  });

  it('skips what cannot be done: another model for an agent on the top one', () => {
    const top = { agent: situation({ liveness: 'gone', model: 'claude-opus-5' }) };
    expect(recommended(facts(top, { detector: 'cycle', attempts: [nudged()] }))).toBe('top_model');
  });

  it('is a second nudge if the strategy is one, as often as the ladder allows', () => {
    const failing = { detector: 'consecutive_failures' as const };
    expect(recommended(facts({}, { ...failing, attempts: [nudged()] }))).toBe('nudge');
    const twice = [nudged(), attempt({ message: 'M2' })];
    expect(recommended(facts(GONE, { ...failing, attempts: twice }))).toBe('next_model');
  });
});
