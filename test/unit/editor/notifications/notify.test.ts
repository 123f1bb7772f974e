import { describe, expect, it } from 'vitest';
import type { GateReport, Incident } from '../../../../src/core/model';
import { gateButtons, noticeDue, silenceOf, usableButtons } from '../../../../src/editor/notifications/notify';
import { T0, attempt, incident } from '../../history/support/incidents';

const REPORT: GateReport = {
  folder: '/home/me/calc',
  cause: 'claim',
  claim: 'TASK_COMPLETE',
  startedAt: 1,
  endedAt: 2,
  verdict: 'failed',
  results: [],
  attempt: 1,
};

describe('the buttons of an agent on another machine', () => {
  const there = (accepts: readonly ('nudge' | 'stop' | 'restart')[]) =>
    ({ name: 'build-1', presence: 'live', lastSeenAt: 0, accepts }) as const;

  it('are those that its machine allows, and those that work here', () => {
    const all = ['Nudge', 'Show Evidence', 'Not Stuck', 'Restart', 'Stop Agent', 'Save Checkpoint'] as const;
    expect(usableButtons(all, true, there(['nudge']))).toEqual(['Nudge', 'Show Evidence']);
    expect(usableButtons(all, true, there(['stop', 'restart']))).toEqual(['Show Evidence', 'Restart', 'Stop Agent']);
    expect(usableButtons(all, false, there(['nudge', 'stop', 'restart']))).toEqual(['Show Evidence']);
    expect(usableButtons(['Connect Agent', 'Go to Terminal', 'Show Nudge'], true, there([]))).toEqual(['Show Nudge']);
  });
});

describe('a notification', () => {
  const situation = {
    enabled: true,
    quietHours: null,
    inView: false,
    muted: false,
    now: new Date('2026-11-20T23:00:00'),
  };

  it('is shown for an agent that the person is not looking at', () => {
    expect(silenceOf(situation)).toBeNull();
  });

  it('is not shown if the person turned notifications off, has quiet hours, muted the agent, or is looking at it', () => {
    expect(silenceOf({ ...situation, enabled: false })).toBe('notifications are off');
    expect(silenceOf({ ...situation, quietHours: { from: 22 * 60, to: 7 * 60 } })).toBe('quiet hours');
    expect(silenceOf({ ...situation, muted: true })).toBe('its agent is muted');
    expect(silenceOf({ ...situation, inView: true })).toBe('its panel is in view');
  });

  it('is due once a counted incident is stuck', () => {
    const change = (of: Partial<Incident>, before: Partial<Incident> | null) =>
      noticeDue({ incident: incident(of), before: before === null ? null : incident(before), session: 's' });
    expect(change({}, null)).toEqual({ alert: true, escalated: false, freed: false });
    expect(change({ level: 'warn' }, null)).toEqual({ alert: false, escalated: false, freed: false });
  });

  it('is due once more, quietly, when a stuck agent continues', () => {
    const due = (of: Partial<Incident>, before: Partial<Incident> | null) =>
      noticeDue({ incident: incident(of), before: before === null ? null : incident(before), session: 's' }).freed;
    expect(due({ state: 'recovered' }, { state: 'unknown' })).toBe(true);
    expect(due({ state: 'recovered' }, { state: 'recovered' })).toBe(false);
    expect(due({ state: 'recovered', level: 'warn' }, { state: 'unknown' }), 'nobody was told of it').toBe(false);
    const sent = attempt({ takenAt: T0 });
    const warned = { state: 'recovered', level: 'warn' } as const;
    expect(due({ ...warned, attempts: [sent] }, { state: 'nudged' }), 'somebody restarted a silent agent').toBe(true);
    expect(due({ ...warned, attempts: [{ ...sent, automated: true }] }, { state: 'nudged' })).toBe(false);
    expect(due({ state: 'recovered', history: true }, { state: 'unknown' })).toBe(false);
    expect(due({ state: 'unknown' }, { state: 'nudged' }), 'nothing shows it yet').toBe(false);
  });

  it('is due once more in this window when recovery ends without success', () => {
    const due = (of: Partial<Incident>, before: Partial<Incident> | null) =>
      noticeDue({ incident: incident(of), before: before === null ? null : incident(before), session: 's' }).escalated;
    expect(due({ state: 'escalated' }, { state: 'nudged' })).toBe(true);
    expect(due({ state: 'escalated' }, { state: 'escalated' })).toBe(false);
    expect(due({ state: 'escalated' }, null)).toBe(false);
    expect(due({ state: 'escalated', history: true }, { state: 'nudged' })).toBe(false);
    expect(due({ state: 'nudged' }, { state: 'open' })).toBe(false);
  });
});

describe('the buttons of a notification', () => {
  it('leave out what is not allowed in an untrusted folder', () => {
    const buttons = ['Show Evidence', 'Nudge', 'Restart', 'Save Checkpoint', 'Send to Agent', 'Stop Agent'] as const;
    expect(usableButtons(buttons, true)).toEqual(buttons);
    expect(usableButtons(buttons, false)).toEqual(['Show Evidence']);
  });

  it('offer to send what gates found, unless the agent has it', () => {
    expect(gateButtons(REPORT, true)).toEqual(['Show Gates', 'Send to Agent', 'Not Stuck']);
    expect(gateButtons({ ...REPORT, message: '01JD' }, true)).toEqual(['Show Gates', 'Not Stuck']);
    expect(gateButtons({ ...REPORT, verdict: 'passed' }, true)).toEqual(['Show Gates', 'Not Stuck']);
    expect(gateButtons(REPORT, false)).toEqual(['Show Gates', 'Not Stuck']);
  });
});
