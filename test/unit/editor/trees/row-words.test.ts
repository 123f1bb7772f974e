import { describe, expect, it } from 'vitest';
import {
  deliveryWords,
  hasWhyLine,
  hintOf,
  lineOf,
  lookOf,
  rowDescription,
  rowLabel,
  sentenceOf,
  whyOf,
} from '../../../../src/editor/trees/row-words';
import { incidentFacts } from '../../../../src/editor/panel-model/sections/incident';
import { summaryOf } from '../../../../src/editor/status/card';
import { MINUTE, T0, attempt, incident, recovered } from '../../history/support/incidents';
import { delivery } from '../webview/support/panel-fixtures';
import { agentView } from '../support/views';

const NOW = T0 + 12 * MINUTE;
const warned = incident({ id: 'W', level: 'warn', count: 3 });

describe('the hint on the row of a working agent', () => {
  it('is its gravest incident that is not muted, in short', () => {
    const muted = incident({ state: 'muted', count: 9 });
    expect(hintOf(agentView('s', {}, { incidents: [muted, warned] }), NOW)).toBe('same result 3 times');
    expect(lookOf(agentView('s', {}, { incidents: [warned] }), NOW)).toEqual({ icon: 'lightbulb', tone: 'quiet' });
  });

  it('is a mark on the agent that is no incident, if it has none', () => {
    const blind = incident({ detector: 'premature_action', level: 'warn', count: 1 });
    expect(hintOf(agentView('s', {}, { hints: [blind] }), NOW)).toBe('acted on what it never read');
    expect(lookOf(agentView('s', {}, { hints: [blind] }), NOW).icon).toBe('lightbulb');
    expect(hintOf(agentView('s', {}, { incidents: [warned], hints: [blind] }), NOW)).toBe('same result 3 times');
    expect(summaryOf(agentView('s', {}, { hints: [blind] }), NOW)).toBe(summaryOf(agentView('s'), NOW));
  });

  it('has its age if the rule is about time', () => {
    const silent = incident({ detector: 'stall', subject: 'cargo build', count: 12 });
    expect(hintOf(agentView('s', {}, { incidents: [silent] }), NOW)).toContain('12 min');
  });

  it('is absent without an incident, and if the state already says it', () => {
    expect(hintOf(agentView('s'), NOW)).toBeUndefined();
    expect(hintOf(agentView('s', { kind: 'stuck' }, { incidents: [warned] }), NOW)).toBeUndefined();
    expect(lookOf(agentView('s', { kind: 'stuck' }), NOW).icon).toBe('warning');
  });
});

describe('the description of a row', () => {
  const stuck = agentView(
    's',
    { kind: 'stuck', since: T0 },
    { incidents: [incident({ subject: 'make\u202e', count: 4 })] },
  );

  it('has the time since before the title, which a narrow list cuts, and the reason in the line below', () => {
    expect([rowLabel(stuck, NOW), rowDescription(stuck, NOW, 'api, fix')]).toEqual(['12 min · Task of s', 'api, fix']);
    expect(rowDescription(stuck, NOW, '')).toBe('');
    expect(hasWhyLine(stuck)).toBe(true);
    expect(whyOf(stuck, NOW)).toBe('same result 4 times: make\ufffd');
  });

  it('has the question of an agent that asks, cut if it is long', () => {
    const asks = agentView('s', {
      kind: 'waiting',
      waitingFor: 'question',
      since: T0,
      question: 'Which of them?\u202e '.repeat(12),
    });
    expect(whyOf(asks, NOW)).toMatch(/^asks: Which of them\?\ufffd .*…$/);
    expect(whyOf(asks, NOW).length).toBeLessThanOrEqual(120);
  });

  it('says what is happening if no one has to look, and names the place only if that distinguishes the row', () => {
    const calls = { doing: { kind: 'tool', subject: 'npm ci', since: T0 } } as const;
    expect(rowDescription(agentView('s', {}, calls), NOW, 'api')).toBe('npm ci · api');
    expect(rowDescription(agentView('s', { kind: 'stalled', since: T0 }, calls), NOW, '')).toBe('no output for 12 min');
    expect(hasWhyLine(agentView('s', {}, calls))).toBe(false);
    expect(rowLabel(agentView('s', {}, calls), NOW)).toBe('Task of s');
  });

  it('says after the age of your turn what the agent asks, and what it was stuck in', () => {
    const turn = { kind: 'waiting', waitingFor: 'turn_end', since: T0 } as const;
    expect(rowDescription(agentView('s', { ...turn, question: 'Which port?' }), NOW, '')).toBe(
      '12 min · asks: Which port?',
    );
    const was = agentView('s', turn, { incidents: [incident({ subject: 'make', count: 4 })] });
    expect(rowDescription(was, NOW, '')).toBe('12 min · was stuck, same result 4 times: make');
    expect(hasWhyLine(was)).toBe(false);
  });

  it('says until when a usage limit lasts', () => {
    const opensAt = new Date(T0).setHours(18, 0);
    const limited = { usageLimit: { since: T0, opensAt } };
    const view = agentView('s', { kind: 'waiting', waitingFor: 'limit', since: T0, until: opensAt }, limited);
    expect(rowDescription(view, NOW, '')).toBe('usage limit until 18:00');
    expect(lookOf(view, NOW).icon).toBe('debug-pause');
  });
});

it('a line without groups has the state and the reason, each once', () => {
  const stuck = agentView('s', { kind: 'stuck', since: T0 }, { incidents: [incident({ subject: 'make', count: 4 })] });
  expect(lineOf(stuck, NOW)).toBe('Task of s: stuck for 12 min, same result 4 times: make');
  expect(lineOf(agentView('s', { kind: 'waiting', waitingFor: 'turn_end', since: T0 }), NOW)).toBe(
    'Task of s: your turn for 12 min',
  );
});

describe('the sentence of a tooltip', () => {
  it('says why an agent is stuck, without hidden characters', () => {
    const stuck = incident({ why: '`make\u202e` failed again.' });
    const view = agentView('s', { kind: 'stuck', since: T0 }, { incidents: [stuck] });
    expect(sentenceOf(view, NOW, undefined)).toBe('Stuck for 12 min: make\ufffd failed again.');
  });

  it('counts what recovery tried', () => {
    const tried = incident({ attempts: [attempt(), attempt({ attempt: 2 })] });
    const view = agentView('s', { kind: 'escalated', since: T0 }, { incidents: [tried] });
    expect(sentenceOf(view, NOW, undefined)).toBe('2 recovery steps did not help. Over to you.');
  });

  it('says what a silent agent is busy with', () => {
    const doing = { kind: 'tool', subject: 'npm\u202e ci', since: T0 } as const;
    expect(sentenceOf(agentView('s', { kind: 'stalled', since: T0 }, { doing }), NOW, undefined)).toBe(
      'No output for 12 min while running npm\ufffd ci. It may just be slow, or waiting for you.',
    );
  });

  it('says what came since a message was taken', () => {
    const watch = { nudge: 1, takenAt: T0, seen: 0, fresh: 0 };
    expect(sentenceOf(agentView('s', { kind: 'recovering' }), NOW, watch)).toContain('Nudge 1 was delivered at');
    expect(sentenceOf(agentView('s', { kind: 'recovering' }), NOW, undefined)).toContain('A message was delivered.');
  });

  it('says how long ago a working agent last found something new, and how much of it is seen', () => {
    const view = agentView('s');
    const late = { ...view, health: { ...view.health, lastNewAt: NOW - 5 * MINUTE } };
    expect(sentenceOf(late, NOW, undefined)).toBe('Last new result 5 min ago. 3 of 3 steps seen.');
    expect(sentenceOf(view, NOW, undefined)).toBe('3 of 3 steps seen.');
  });

  it('says how long an ended session ran, and the result of its gates', () => {
    const ended = agentView('s', { kind: 'finished', ended: 'clean' });
    const view = { ...ended, health: { ...ended.health, startedAt: T0, lastEventAt: T0 + 5 * MINUTE } };
    expect(sentenceOf(view, NOW, undefined)).toBe('Finished after 5 min.');
    const gates = {
      folder: '/work',
      cause: 'claim',
      claim: 'DONE',
      startedAt: 1,
      endedAt: 2,
      verdict: 'passed',
      results: [],
      attempt: 0,
    } as const;
    expect(sentenceOf({ ...view, gates }, NOW, undefined)).toBe('Finished after 5 min. All gates passed.');
  });
});

describe('the row of a message', () => {
  it('says what state it is in, or that it is not being delivered', () => {
    const view = agentView('s');
    const queued = delivery('A', 'queued', { queued: Date.UTC(2026, 10, 20, 17, 9) });
    expect(deliveryWords(view, queued, false)).toBe('not delivered');
    expect(deliveryWords(view, queued, true)).toMatch(/^queued \d\d:09$/);
    const acted = delivery('A', 'acted', { acted: Date.UTC(2026, 10, 20, 17, 9) }, { outcome: 'same' });
    expect(deliveryWords(view, acted, true)).toMatch(/^acted \d\d:09, same result$/);
  });
});

it('an incident of the list keeps its facts, and its call without hidden characters', () => {
  const past = recovered({ subject: 'make\u202e' });
  expect(incidentFacts(past)).toEqual({
    state: 'recovered',
    level: 'stuck',
    detector: 'repeating_action',
    rule: null,
    subject: 'make\ufffd',
    count: 4,
    firstAt: T0,
    resolvedAt: past.resolvedAt,
    cleared: 'different_result',
    outcome: 'nudge',
    attempts: 1,
  });
});

describe('the summary for the clipboard', () => {
  it('has the state, each incident with its lines, and the transcript', () => {
    const stuck = incident({ why: '`make` failed again.', firstLine: 88 });
    const bare = incident({ why: 'Same error.', firstLine: 4, alertLine: 9, evidence: [] });
    const view = agentView('s', { kind: 'stuck', since: T0 }, { incidents: [stuck, bare], file: '/t/s.jsonl' });
    expect(summaryOf({ ...view, title: 'Fix\u202e it' }, NOW).split('\n')).toEqual([
      'Fix\ufffd it (Claude Code)',
      'Stuck for 12 min: make failed again.',
      '- make failed again. Lines 88 to 95.',
      '- Same error. Lines 4 to 9.',
      '/t/s.jsonl',
    ]);
  });
});
