import { describe, expect, it } from 'vitest';
import { mayNotify } from '../../../../src/detect/incident';
import { T0, incident } from '../../history/support/incidents';

describe('an incident', () => {
  it('notifies once it is stuck', () => {
    expect(mayNotify(incident())).toBe('notify');
    expect(mayNotify(incident({ level: 'warn' }))).toBe('not_stuck_yet');
  });

  it('notifies at the first refused claim when quality gates block it', () => {
    expect(mayNotify(incident({ detector: 'gate_blocked', level: 'warn' }))).toBe('notify');
    expect(mayNotify(incident({ detector: 'gate_blocked' }))).toBe('notify');
  });

  it('never notifies for a guess, or for a rule that only badges', () => {
    expect(mayNotify(incident({ certainty: 'guessed' }))).toBe('guessed');
    expect(mayNotify(incident({ detector: 'stall' }))).toBe('never_for_this_rule');
    expect(mayNotify(incident({ detector: 'max_runtime' }))).toBe('never_for_this_rule');
  });

  it('does not notify twice, for the past, when it is muted, or when it is over', () => {
    expect(mayNotify(incident({ notified: true }))).toBe('already_notified');
    expect(mayNotify(incident({ history: true }))).toBe('history');
    expect(mayNotify(incident({ state: 'muted' }))).toBe('muted');
    expect(mayNotify(incident({ state: 'recovered', resolvedAt: T0 }))).toBe('over');
  });
});
