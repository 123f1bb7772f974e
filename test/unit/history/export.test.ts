import { expect, it } from 'vitest';
import { exportJson, exportMarkdown } from '../../../src/history/export';
import type { Learning, StoreEvent } from '../../../src/history/types';
import { MINUTE, T0, attempt, incident, recovered } from './support/incidents';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const learning = {
  id: 'I',
  content: 'Read the assertion *first*.',
  confidence: 'high',
  tags: ['stuck', 'sonnet'],
} as unknown as Learning;
const event = {
  id: 'E',
  t: T0,
  type: 'StuckObservation',
  data: { count: 4, text: SECRET },
} as unknown as StoreEvent;

it('an incident that is over is exported with what was tried, learned and reported, without secrets', () => {
  const tried = attempt({ state: 'acted', takenAt: T0 + 12 * MINUTE, outcome: 'changed', automated: true });
  const over = recovered({
    rule: 'runs',
    role: 'reviewer',
    tokensSinceFirst: 1_200,
    attempts: [tried, attempt({ attempt: 2, kind: 'stop', state: 'queued' })],
    stuckLine: 95,
    resolvedLine: 99,
  });
  const text = exportMarkdown({ incident: over, learning, events: [event] });
  for (const line of [
    '# repeating\\_action in Fix the failing test of the calculator',
    '| Agent | Claude Code, sonnet, reviewer |',
    '| Rule | repeating\\_action (runs), counted |',
    '| First result | 2026-11-20T17:00:00.000Z, line 88 |',
    '| Stuck | 2026-11-20T17:10:00.000Z, line 95 |',
    '| Over | 2026-11-20T17:14:00.000Z, line 99 |',
    '| Tokens since the first | 1200 |',
    '1. 2026-11-20T17:11:00.000Z nudge, automatic: acted, taken 2026-11-20T17:12:00.000Z, changed',
    '2. 2026-11-20T17:11:00.000Z stop, by hand: queued',
    'Read the assertion \\*first\\*.',
    'Confidence high. Tags: stuck, sonnet.',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).toContain('- 2026-11-20T17:00:00.000Z StuckObservation `{"count":4,');
  expect(text).not.toContain(SECRET);
  const parsed = JSON.parse(exportJson({ incident: over, learning, events: [event] })) as Record<string, unknown>;
  expect(parsed).toMatchObject({ v: 1, kind: 'incident', incident: { id: over.id }, learning: { id: 'I' } });
  expect(JSON.stringify(parsed)).not.toContain(SECRET);
});

it('one that still continues says so, and has no empty parts', () => {
  const { model: _model, lastSample: _sample, ...open } = incident({ title: '', stuckAt: null, attempts: [] });
  const text = exportMarkdown({ incident: open, learning: undefined, events: [] });
  for (const line of [
    '# repeating\\_action in session-1',
    '| Agent | Claude Code |',
    '| Rule | repeating\\_action, counted |',
    '| Stuck | no |',
    '| Over | no |',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text.match(/^## .*$/gm)).toEqual(['## Evidence']);
  expect(text).not.toContain('Tokens since');
  expect(JSON.parse(exportJson({ incident: open, learning: undefined, events: [] }))).toMatchObject({ learning: null });
});

it('its evidence is shown with its place, its part in the pattern and its result', () => {
  const source = { file: '/s', line: 3, offset: 0 };
  const row = { source, at: T0, role: 'repeat', subject: 'make', text: 'error 2' } as const;
  const evidence = [
    { ...row, letter: 'A', end: { ...source, line: 4 } },
    { ...row, text: '', at: Number.NaN },
  ];
  const text = exportMarkdown({ incident: incident({ evidence }), learning: undefined, events: [] });
  expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- 2026-11-20T17:00:00.000Z, line 3 to 4, repeat: A: `make` gave `error 2`',
    '- unknown, line 3, repeat: `make`',
  ]);
});
