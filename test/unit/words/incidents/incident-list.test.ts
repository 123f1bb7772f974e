import { describe, expect, it } from 'vitest';
import { ENDINGS, endingOf } from '../../../../src/model';
import { attemptsOf, type Incident } from '../../../../src/model';
import { endingName, incidentRowDescription, incidentRowLabel } from '../../../../src/words';
import { MINUTE, T0, incident, recovered } from '../../store/support/incidents';

const NOW = T0 + 20 * MINUTE;
const facts = (one: Incident) => ({ ...one, attempts: attemptsOf(one) });
const row = (one: Incident) => [incidentRowLabel(facts(one)), incidentRowDescription(facts(one), NOW)];

describe('a row of the list of incidents', () => {
  it('is the task; beside it what repeated how often, for how long, and how it ended', () => {
    expect(row(recovered({ count: 24 }))).toEqual([
      'Fix the failing test of…',
      'pytest -q ×24 · 14 min · freed by nudge',
    ]);
    expect(row(incident())).toEqual(['Fix the failing test of…', 'pytest -q ×4 · 20 min']);
  });

  it('of a session without a title is the call', () => {
    expect(row(incident({ title: ' ' }))[0]).toBe('pytest -q');
    expect(row(incident({ title: '', subject: '' }))[0]).toBe('Same call again');
  });

  it('says no count where none was counted', () => {
    const silent = incident({
      detector: 'stall',
      subject: 'cargo build',
      level: 'warn',
      state: 'ended',
      resolvedAt: NOW,
    });
    expect(row(silent)[1]).toBe('cargo build · 20 min · session ended');
  });

  it.each([
    ['a_newer_rule', 'A newer rule'],
    ['constructor', 'Constructor'],
    ['', 'Unknown rule'],
  ])(
    'of a rule that this version does not have (%j) is a row like others, with the name that the rule has in the history',
    (id, name) => {
      const foreign = { detector: id as Incident['detector'], rule: 'other' as Incident['rule'] };
      expect(row(incident({ ...foreign, count: 7 }))[1]).toBe('pytest -q ×7 · 20 min');
      expect(row(incident({ ...foreign, title: '', subject: '' }))[0]).toBe(name);
    },
  );

  it('cuts a long call, so that count and end stay in sight', () => {
    const long = incident({ subject: 'npm run test:unit -- --reporter=verbose --bail' });
    expect(row(long)[1]).toMatch(/^npm run test:unit.* ×4 · 20 min$/);
  });
});

describe('how an incident ended', () => {
  const over = (changes: Partial<Incident>) => endingOf(incident({ resolvedAt: NOW, ...changes }));

  it('is told wherever something is known', () => {
    expect(over({ state: 'recovered', outcome: null })).toBe('by_itself');
    expect(over({ state: 'ended' })).toBe('stuck');
    expect(over({ state: 'ended', level: 'warn' })).toBe('session');
    expect(over({ state: 'ended', outcome: 'not_stuck' })).toBe('not_stuck');
    expect(over({ state: 'unknown', cleared: 'different_result', outcome: 'by_itself' })).toBe('went_on');
    expect(over({ state: 'unknown', cleared: 'user_message', outcome: 'by_itself' })).toBe('user');
    expect(over({ state: 'unknown', cleared: 'session_end' })).toBe('stuck');
    expect(over({ state: 'unknown', cleared: 'off' })).toBe('rule_off');
    expect(over({ state: 'unknown', cleared: null })).toBe('unknown');
    expect(over({ state: 'muted' })).toBe('muted');
    expect(endingOf(incident({ state: 'nudged' }))).toBeNull();
  });

  it('has a name each, and what another version wrote keeps its own', () => {
    const names = ['open', ...ENDINGS].map(endingName);
    expect(new Set(names).size).toBe(names.length);
    expect(endingName('toString')).toBe('toString');
  });
});
