import { describe, expect, it } from 'vitest';
import { learningOf, taskType } from '../../../../src/store/queries/learning';
import { MINUTE, T0, attempt, incident, recovered } from '../support/make';

describe('a learning', () => {
  it('tells heuristic, task, action and root cause of a cycle', () => {
    const one = recovered({ role: 'coder' });
    expect(learningOf(one)).toEqual({
      id: one.id,
      at: T0 + 14 * MINUTE,
      session: 'session-1',
      agent: 'claude-code',
      category: 'debugging',
      title: 'Agent stuck: repeating_action on testing',
      content:
        'Claude Code got stuck due to repeating_action while working on “Fix the failing test of the calculator”. ' +
        'Recovery: nudge (acted, changed). It recovered 14 min after the first of the equal results. ' +
        'Root cause: `pytest -q` gave the same result 4 times in a row. Last result: 1 failed, 3 passed: test_add',
      confidence: 'high',
      sourceTask: 'Fix the failing test of the calculator',
      tags: ['stuck', 'repeating_action', 'coder', 'sonnet', 'testing'],
      state: 'recovered',
      tried: 'nudge',
    });
  });

  it('is there for every cycle that is over, and for none that is not', () => {
    expect(learningOf(incident())).toBeUndefined();
    expect(learningOf(incident({ state: 'escalated' }))).toBeUndefined();
    expect(learningOf(recovered({ state: 'muted' }))).toBeUndefined();
    expect(learningOf(recovered({ state: 'ended' }))).toMatchObject({ state: 'ended', confidence: 'low' });
    expect(learningOf(recovered({ state: 'unknown' }))).toMatchObject({ state: 'unknown', confidence: 'low' });
  });

  it('is not there for a warning that cleared by itself', () => {
    expect(learningOf(recovered({ level: 'warn', stuckAt: null, attempts: [], outcome: 'by_itself' }))).toBeUndefined();
    expect(learningOf(recovered({ level: 'warn', stuckAt: null }))).toBeDefined();
  });

  it('says what was tried last, also when it was a person or nothing', () => {
    expect(learningOf(recovered({ attempts: [], outcome: 'by_itself' }))).toMatchObject({
      tried: 'by_itself',
      confidence: 'medium',
    });
    expect(learningOf(recovered({ attempts: [], outcome: 'user' }))).toMatchObject({ tried: 'user' });
    const twice = recovered({
      outcome: 'restart',
      attempts: [attempt({ takenAt: T0 }), attempt({ kind: 'restart', message: 'm2', attempt: 2, takenAt: T0 + 1 })],
    });
    expect(learningOf(twice)).toMatchObject({ tried: 'restart', confidence: 'medium' });
    const withdrawn = recovered({ outcome: 'by_itself', attempts: [attempt({ state: 'withdrawn' })] });
    expect(learningOf(withdrawn)).toMatchObject({ tried: 'by_itself' });
  });

  it('goes without what is not known', () => {
    const { model: _, ...rest } = recovered({ title: '', subject: 'xyzzy' });
    expect(learningOf(rest)).toMatchObject({ sourceTask: 'session-1', tags: ['stuck', 'repeating_action', 'general'] });
  });

  it.each([
    ['Fix the failing tests in calc', 'testing'],
    ['The login page crashes on submit', 'general'],
    ['Fix the crash of the login page', 'bug fix'],
    ['Rename getUser to fetchUser', 'refactoring'],
    ['Add a dark theme', 'feature'],
    ['Upgrade lodash', 'dependencies'],
    ['Write the README', 'documentation'],
    ['Explain how auth works', 'research'],
    ['Make docker compile in CI', 'build'],
    ['', 'general'],
  ])('calls “%s” %s', (title, type) => {
    expect(taskType(title)).toBe(type);
  });
});
