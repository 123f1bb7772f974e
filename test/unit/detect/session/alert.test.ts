import { describe, expect, test } from 'vitest';
import { type AlertFacts, EvidenceRows, Alert } from '../../../../src/detect/session/alert';
import type { DetectContext } from '../../../../src/detect/session/detector';
import type { Clearing, Finding } from '../../../../src/core/model';

const source = (line: number) => ({ file: 'f', line, offset: line * 10 });
const facts = (line: number, more: Partial<AlertFacts> = {}): AlertFacts => ({
  level: 'warn',
  count: 3,
  limit: 3,
  at: line,
  source: source(line),
  firstAt: line,
  first: source(line),
  evidence: [],
  subject: 'pytest',
  why: 'It repeats.',
  suggestion: 'Look.',
  clears: [],
  ...more,
});
const card = { id: 'cycle', reason: 'repetition_loop', exhaustion: null, certainty: 'counted' } as const;

function stage(kind?: string, reopens?: boolean) {
  const findings: Finding[] = [];
  const clearings: Clearing[] = [];
  const sink = {
    finding: (finding: Finding) => findings.push(finding),
    clearing: (clearing: Clearing) => clearings.push(clearing),
    nearMiss: () => {},
    loop: () => {},
  };
  const alert = new Alert(card, sink, kind, reopens);
  const at = (stepCount: number, totalTokens = 0) => ({ stepCount, totalTokens }) as DetectContext;
  return { alert, findings, clearings, at };
}

describe('the alert of a rule', () => {
  test('opens, grows and ends under one key, which comes from the place of its first record', () => {
    const { alert, findings, clearings, at } = stage();
    expect(alert.isOpen).toBe(false);
    alert.clear('progress', 1, null, at(0));
    alert.raise(facts(5), at(1));
    alert.raise(facts(7, { count: 4 }), at(2));
    expect(alert.isOpen).toBe(true);
    expect(findings).toMatchObject([
      { detector: 'cycle', key: 'cycle@50', count: 3, level: 'warn', rule: null, certainty: 'counted' },
      { key: 'cycle@50', count: 4 },
    ]);
    alert.clear('progress', 9, source(9), at(3));
    expect(clearings).toEqual([{ detector: 'cycle', key: 'cycle@50', reason: 'progress', at: 9, source: source(9) }]);
    expect(alert.isOpen).toBe(false);
  });

  test('never falls back from stuck while it is open', () => {
    const { alert, findings, at } = stage();
    alert.raise(facts(1), at(1));
    alert.raise(facts(2, { level: 'stuck' }), at(2));
    alert.raise(facts(3), at(3));
    alert.clear('progress', 4, null, at(4));
    alert.raise(facts(5), at(5));
    expect(findings.map(({ level }) => level)).toEqual(['warn', 'stuck', 'stuck', 'warn']);
  });

  test('that is back within 50 steps is the same one, later a new one', () => {
    const key = (between: number, reopens = true) => {
      const { alert, findings, at } = stage('', reopens);
      alert.raise(facts(1), at(1));
      alert.clear('progress', 2, null, at(10));
      alert.raise(facts(8), at(10 + between));
      return findings[1]?.key;
    };
    expect(key(0)).toBe('cycle@10');
    expect(key(50)).toBe('cycle@10');
    expect(key(51)).toBe('cycle@80');
    expect(key(1, false)).toBe('cycle@80');
  });

  test('that was over before the first step is the same one when it is back', () => {
    const { alert, findings, at } = stage('a');
    alert.raise(facts(1), at(0));
    alert.clear('progress', 2, null, at(0));
    alert.raise(facts(8), at(1));
    expect(findings.map(({ key }) => key)).toEqual(['cycle-a@10', 'cycle-a@10']);
  });

  test('says what was spent since the first step, if that is known', () => {
    const { alert, findings, at } = stage();
    alert.raise(facts(1, { tokensAtFirst: 100 }), at(1, 350));
    alert.raise(facts(1), at(1, 350));
    alert.raise(facts(1, { tokensAtFirst: 100 }), at(1, 100));
    expect(findings.map(({ tokensSinceFirst }) => tokensSinceFirst)).toEqual([250, undefined, undefined]);
    expect(findings[1]).not.toHaveProperty('tokensAtFirst');
  });

  test('names its subject in one line, and its certainty if it differs from that of its card', () => {
    const { alert, findings, at } = stage();
    alert.raise(facts(1, { subject: `a\nb ${'x'.repeat(300)}`, certainty: 'guessed' }), at(1));
    expect(findings[0]?.subject).toHaveLength(200);
    expect(findings[0]?.subject).toMatch(/^a b x+…$/);
    expect(findings[0]?.certainty).toBe('guessed');
  });
});

describe('the evidence of a streak', () => {
  const row = (step: number) => ({ source: source(step), at: step, step, subject: `s\n${step}`, text: `t\n${step}` });

  test('keeps its first three and its last eight, and counts all', () => {
    const rows = new EvidenceRows();
    for (let step = 1; step <= 11; step++) rows.add(row(step));
    expect(rows.rows().map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    rows.add(row(12));
    rows.add(row(13));
    expect(rows.rows().map(({ step }) => step)).toEqual([1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(rows.total).toBe(13);
    expect([rows.first?.step, rows.last?.step]).toEqual([1, 13]);
  });

  test('says which was the first and what was in between, in one line each', () => {
    const rows = new EvidenceRows();
    expect([rows.first, rows.last]).toEqual([undefined, undefined]);
    rows.add(row(1));
    expect(rows.last?.step).toBe(1);
    rows.add(row(2), true);
    rows.add(row(3));
    expect(rows.rows().map(({ role }) => role)).toEqual(['first', 'between', 'repeat']);
    expect(rows.first).toMatchObject({ subject: 's 1', text: 't 1' });
  });

  test('starts again when it is over', () => {
    const rows = new EvidenceRows();
    rows.clear();
    for (let step = 1; step <= 5; step++) rows.add(row(step));
    rows.clear();
    expect([rows.total, rows.rows()]).toEqual([0, []]);
    rows.add(row(9));
    expect(rows.rows()).toMatchObject([{ step: 9, role: 'first' }]);
  });
});
