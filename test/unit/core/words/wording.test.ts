import { describe, expect, it } from 'vitest';
import type { IncidentOutcome, IncidentState } from '../../../../src/core/model';
import {
  type IncidentFacts,
  agentsMessage,
  cannotWatch,
  capital,
  duration,
  earlierRead,
  escalated,
  incidentDescription,
  incidentLook,
  incidentNotification,
  incidentTitle,
  narrowedMessage,
  join,
  manyStuck,
  notTaken,
  outcomePill,
  plain,
  reachedWords,
  ruleFigure,
  say,
  statusItem,
  strong,
  waitsForYou,
} from '../../../../src/core/words';

const NOW = Date.UTC(2026, 10, 20, 17, 10, 20);

describe('an incident in a list', () => {
  const facts = (state: IncidentState, more: Partial<IncidentFacts> = {}): IncidentFacts => ({
    state,
    detector: 'repeating_action',
    rule: null,
    subject: 'make',
    count: 4,
    firstAt: NOW - 120_000,
    resolvedAt: null,
    cleared: null,
    outcome: null,
    attempts: 3,
    level: 'stuck',
    ...more,
  });
  const states: readonly IncidentState[] = ['open', 'nudged', 'recovered', 'escalated', 'muted', 'ended', 'unknown'];

  it('has a look, a word next to it and a pill', () => {
    expect(
      states.map((state) => [
        Object.values(incidentLook(facts(state))).join(' '),
        incidentDescription(facts(state), NOW),
        outcomePill(facts(state)),
      ]),
    ).toEqual([
      ['warning trouble', '2 min', 'Open'],
      ['warning trouble', 'nudged 3 of 3', 'Open'],
      ['check none', 'recovered on its own, 2 min', 'Recovered on its own'],
      ['bell-dot error', 'needs you', 'Needed you'],
      ['bell-slash none', 'muted', 'Muted'],
      ['error trouble', 'ended while stuck', 'Ended while stuck'],
      ['question none', 'unknown', 'Unknown'],
    ]);
  });

  it('gives the credit for a recovery', () => {
    const outcomes: readonly IncidentOutcome[] = [
      'nudge',
      'restart',
      'block',
      'gate',
      'by_itself',
      'user',
      'not_stuck',
    ];
    const said = outcomes.map((outcome) => [
      incidentDescription(facts('recovered', { outcome, resolvedAt: NOW - 60_000 }), NOW),
      outcomePill(facts('recovered', { outcome })),
    ]);
    expect(said).toEqual([
      ['freed by nudge, 1 min', 'Freed by nudge'],
      ['freed by restart, 1 min', 'Freed by restart'],
      ['freed by blocking the call, 1 min', 'Freed by blocking the call'],
      ['freed by gate feedback, 1 min', 'Freed by gate feedback'],
      ['recovered on its own, 1 min', 'Recovered on its own'],
      ['you took over, 1 min', 'You took over'],
      ['not stuck, 1 min', 'Not stuck'],
    ]);
  });

  it('shows the length of a silence in its title, up to its end', () => {
    const silent = facts('open', { detector: 'stall', subject: 'cargo build' });
    expect(incidentTitle(silent, NOW)).toBe('cargo build: no output for 2 min');
    expect(incidentTitle({ ...silent, resolvedAt: NOW - 60_000 }, NOW)).toBe('cargo build: no output for 1 min');
  });
});

describe('the one item of the status bar', () => {
  const none = {
    needsYou: 0,
    stuck: 0,
    unseen: 0,
    probablyWaiting: 0,
    notMonitored: 0,
    recovering: 0,
    agents: 3,
    restricted: false,
    paused: false,
  };

  it('says the same in a tooltip and to a screen reader, and leads to its subject', () => {
    const said = (more: Partial<typeof none>) => {
      const item = statusItem({ ...none, ...more });
      return [item?.tooltip, item?.command, item?.label, item?.background];
    };
    expect(said({ stuck: 1, unseen: 1 })).toEqual([
      '1 agent is stuck',
      'show_next',
      'Unstuck, 1 agent is stuck, 3 watched',
      'warning',
    ]);
    expect(said({ stuck: 2 })[0]).toBe('2 agents are stuck');
    expect(said({ needsYou: 1 })).toEqual([
      '1 agent needs you',
      'show_next',
      'Unstuck, 1 agent needs you, 3 watched',
      null,
    ]);
    expect(said({ needsYou: 2, stuck: 1 })[0]).toBe('2 agents need you, 1 agent is stuck');
    expect(said({ notMonitored: 1 })).toEqual([
      '2 of 3 agents are monitored',
      'show_agents',
      'Unstuck, 2 of 3 agents are monitored',
      null,
    ]);
    expect(said({ recovering: 1 })).toEqual(['', 'show_recovering', 'Unstuck, 1 agent recovering, 3 watched', null]);
    expect(said({ restricted: true })).toEqual([
      'Restricted mode: reading only',
      'manage_trust',
      'Unstuck, Restricted mode: reading only',
      null,
    ]);
    expect(said({ paused: true })).toEqual(['Watching is paused', 'resume', 'Unstuck, Watching is paused', null]);
    expect(said({})).toEqual([
      '3 agents, all with new results',
      'show_agents',
      'Unstuck, 3 agents, all with new results',
      null,
    ]);
    expect(said({ agents: 1 })[0]).toBe('1 agent, with new results');
  });
});

describe('notifications', () => {
  it('lead to what helps', () => {
    expect([manyStuck([]).buttons, escalated('T', 1).buttons, notTaken('T', 1).buttons]).toEqual([
      ['Next Agent', 'Show Agents'],
      ['Show Evidence', 'Stop Agent', 'Not Stuck'],
      ['Show Nudge', 'Connect Agent'],
    ]);
    expect([manyStuck([]).level, escalated('T', 1).level, notTaken('T', 1).level]).toEqual([
      'warning',
      'error',
      'warning',
    ]);
    expect(escalated('T', 1).text).toBe('“T” needs you: 1 recovery step did not help.');
    expect(cannotWatch('EIO')).toEqual({
      level: 'warning',
      text: 'Unstuck cannot watch for new lines: EIO. It now checks every 2 s.',
      buttons: ['Show Log'],
    });
    for (const code of ['ENOSPC', 'EMFILE'])
      expect(cannotWatch(code).text).toContain(': the system’s limit on watched files is reached. ');
    expect(cannotWatch('LIMIT').text).toBe(
      'Unstuck has reached its limit of watched folders. It checks the others periodically.',
    );
  });

  it('say what is known about a full context and failed gates, and no more', () => {
    const notice = { detector: 'token_exhaustion', title: 'T', call: 'make', count: 86 } as const;
    expect(incidentNotification(notice)?.text).not.toContain('nothing new for');
    expect(incidentNotification({ ...notice, detector: 'gate_blocked' })?.text).toContain('its gates failed');
  });

  it('say how long an agent has been waiting, from one minute', () => {
    const textAfter = (waited: number) => waitsForYou({ title: 'T', place: '' }, waited, 'wants to run make').text;
    expect([59_999, 60_000].map(textAfter)).toEqual([
      '“T” wants to run make.',
      '“T” wants to run make. It has been waiting for 1 min.',
    ]);
  });

  it('keep long titles and calls short', () => {
    const long = 'word '.repeat(60);
    const text = incidentNotification({ detector: 'repeating_outcome', title: long, call: long, count: 6 })?.text ?? '';
    expect(text.match(/…/g)).toHaveLength(2);
    expect(text.length).toBeLessThan(240);
  });
});

describe('the views', () => {
  it('say above the list what limits the watching: the first reason that applies', () => {
    const none = { restricted: false, settingsIgnored: false, paused: false, watcherFailed: false };
    expect(agentsMessage(none)).toBeUndefined();
    expect(agentsMessage({ ...none, watcherFailed: true })).toBe('Checking every 2 s');
    expect(agentsMessage({ ...none, watcherFailed: true, restricted: true })).toBe('Restricted mode: reading only');
    expect(agentsMessage({ ...none, restricted: true, settingsIgnored: true })).toBe(
      'Restricted mode: reading only. This folder’s own settings for watching do not apply.',
    );
    expect(agentsMessage({ ...none, settingsIgnored: true })).toBeUndefined();
    expect(agentsMessage({ ...none, restricted: true, paused: true })).toBe('Watching is paused');
  });

  it('say what was read and what was not found', () => {
    expect(earlierRead(1, 0)).toBe('Read 1 earlier session, 0 with incidents.');
    const narrowed = { search: 'make', chips: ['Stuck', 'Codex'], found: 12, isCut: false };
    expect(narrowedMessage(narrowed)).toBe('12 for “make” · Stuck · Codex');
    expect(narrowedMessage({ ...narrowed, search: '', found: 500, isCut: true })).toBe(
      'The first 500 for Stuck · Codex',
    );
    expect(narrowedMessage({ ...narrowed, chips: [], found: 0 })).toBe('Nothing found for “make”.');
  });
});

describe('figures', () => {
  it('have the unit of their rule; long times are hours', () => {
    expect(reachedWords('max_runtime', 30, 240)).toBe('30 of 240 min');
    expect(reachedWords('max_runtime', 90, 240)).toBe('1 h 30 min of 4 h');
    expect(reachedWords('max_runtime', 90, 250)).toBe('90 of 250 min');
    expect(reachedWords('oversized_response', 1_500, 100_000)).toBe('1.5k of 100k characters');
  });

  it('say whether the repeats came in a row', () => {
    expect(ruleFigure('repeating_action', null, 4, 4).note).toContain('in a row');
    expect(ruleFigure('repeating_action', null, 4, 12).note).toContain('in the last 12 steps');
  });

  it('of a length show seconds below ten minutes', () => {
    expect([duration(999), duration(1_000), duration(60_000), duration(599_000), duration(605_000)]).toEqual([
      '999 ms',
      '1 s',
      '1 min',
      '9 min 59 s',
      '10 min',
    ]);
  });
});

describe('sentences', () => {
  it('are joined by one space, and empty ones leave none', () => {
    expect(plain(join([], say`One.`, [], say`Two.`))).toBe('One. Two.');
    expect(join()).toEqual([]);
  });

  it('keep highlighted parts apart', () => {
    expect(say`${strong('T')} is ${say`stuck`}.`).toEqual([{ text: 'T', strong: true }, { text: ' is stuck.' }]);
    expect(capital([])).toEqual([]);
    expect(capital([{ text: 't', strong: true }])).toEqual([{ text: 't', strong: true }]);
  });
});
