import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import type { Learning, RecallHit } from '../../../../src/history/types';
import { learningOf, taskType, withoutEqualLearnings } from '../../../../src/history/queries/learning';
import { MINUTE, T0, attempt, incident, recovered } from '../support/make';

describe('a learning', () => {
  it('contains heuristic, task, action and root cause of a cycle', () => {
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
        'Root cause: “pytest -q” kept failing: 1 failed, 3 passed: test_add.',
      cause: '“pytest -q” kept failing: 1 failed, 3 passed: test_add.',
      confidence: 'high',
      sourceTask: 'Fix the failing test of the calculator',
      tags: ['stuck', 'repeating_action', 'coder', 'sonnet', 'testing'],
      state: 'recovered',
      tried: 'nudge',
    });
  });

  it('exists for every cycle that is over, and for none that is not', () => {
    expect(learningOf(incident())).toBeUndefined();
    expect(learningOf(incident({ state: 'escalated' }))).toBeUndefined();
    expect(learningOf(recovered({ state: 'muted' }))).toBeUndefined();
    expect(learningOf(recovered({ state: 'ended' }))).toMatchObject({ state: 'ended', confidence: 'low' });
    expect(learningOf(recovered({ state: 'unknown' }))).toMatchObject({ state: 'unknown', confidence: 'low' });
  });

  it('does not exist for a warning that cleared on its own', () => {
    expect(learningOf(recovered({ level: 'warn', stuckAt: null, attempts: [], outcome: 'by_itself' }))).toBeUndefined();
    expect(learningOf(recovered({ level: 'warn', stuckAt: null }))).toBeDefined();
  });

  it.each([
    ['The session ended before it recovered.', { cleared: 'session_end' }],
    ['The session ended before it recovered.', { cleared: 'session_end', level: 'warn' }],
    ['A person wrote to it.', { cleared: 'user_message' }],
    ['The rule was switched off.', { cleared: 'off' }],
    ['The pattern stopped. It is not known whether this helped.', { cleared: 'new_text' }],
    ['The pattern stopped. It is not known whether this helped.', { cleared: null }],
  ] as const)('with an unknown ending says “%s”: %j', (says, changes) => {
    const one = recovered({ state: 'unknown', outcome: null, ...changes });
    expect(learningOf(one)?.content).toContain(says);
  });

  it('says why it was stuck without a second full stop, and uses its explanation if no call had the same result', () => {
    const said = (text: string, changes: Partial<Incident> = {}) => {
      const one = recovered(changes);
      return learningOf({ ...one, evidence: one.evidence.map((each) => ({ ...each, text })) })?.cause;
    };
    expect(said('Failed at a.ts: no.')).toBe('“pytest -q” kept failing: Failed at a.ts: no.');
    expect(said('Failed…', { detector: 'repeating_outcome' })).toBe('“pytest -q” kept failing: Failed.');
    expect(said('Failed', { detector: 'cycle', why: 'A, B. Then A… ' })).toBe('A, B. Then A.');
    expect(said('', { why: 'It repeats.' })).toBe('It repeats.');
    expect(said('Failed', { subject: '', why: 'It repeats.' })).toBe('It repeats.');
    expect(said('', { why: '' })).toBe('pytest -q.');
  });

  it('says what was tried last, even if it was a person or nothing', () => {
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

  it('omits what is not known', () => {
    const { model: _, ...rest } = recovered({ title: '', subject: 'xyzzy' });
    expect(learningOf(rest)).toMatchObject({ sourceTask: 'session-1', tags: ['stuck', 'repeating_action', 'general'] });
  });

  it('does not exist for what a person called not stuck, nor before the end is known', () => {
    expect(learningOf(recovered({ outcome: 'not_stuck' }))).toBeUndefined();
    expect(learningOf(recovered({ resolvedAt: null }))).toBeUndefined();
  });

  it('gives a restart that was not taken no credit for what a person did', () => {
    const queued = { attempts: [attempt({ kind: 'restart', state: 'queued' })] };
    expect(learningOf(recovered({ ...queued, outcome: 'user' }))).toMatchObject({ tried: 'user' });
    expect(learningOf(recovered({ ...queued, outcome: 'by_itself' }))).toMatchObject({ tried: 'restart' });
    const taken = { attempts: [attempt({ state: 'taken', takenAt: T0 })] };
    expect(learningOf(recovered({ ...taken, outcome: 'user' }))).toMatchObject({ tried: 'nudge' });
  });

  it('says what was done: nothing, a person, or each message in turn except those that were withdrawn', () => {
    const content = (changes: Parameters<typeof recovered>[0]) => learningOf(recovered(changes))?.content;
    expect(content({ attempts: [], outcome: 'by_itself' })).toContain(
      'Nothing was sent to it. It recovered on its own 14 min after',
    );
    expect(content({ attempts: [], outcome: 'user' })).toContain('A person stepped in. It recovered 14 min after');
    const withdrawn = attempt({ kind: 'block', state: 'withdrawn' });
    expect(content({ attempts: [withdrawn], outcome: 'user' })).toContain('A person stepped in.');
    expect(content({ attempts: [attempt({ state: 'expired' }), withdrawn, attempt({ kind: 'restart' })] })).toContain(
      'Recovery: nudge (expired), then restart (queued).',
    );
  });

  it('says how it ended', () => {
    const content = (changes: Parameters<typeof recovered>[0]) => learningOf(recovered(changes))?.content;
    expect(content({ state: 'ended' })).toContain(
      'The session ended 14 min after the first of the equal results without recovery.',
    );
    expect(content({ state: 'unknown' })).toContain('The pattern stopped. It is not known whether this helped.');
    expect(content({ resolvedAt: T0 + 20 })).toContain('It recovered 1 min after');
  });

  it('names the part of a rule, and no task if the session has no title', () => {
    const one = learningOf(recovered({ detector: 'consecutive_failures', rule: 'same_error', title: '' }));
    expect(one?.content).toMatch(/^Claude Code got stuck due to consecutive_failures \(same_error\)\. Recovery:/);
  });

  it('names as root cause the last result with information, not an edit between', () => {
    const { evidence } = recovered();
    const [first, between] = evidence;
    if (!first || !between) throw new Error('an incident has evidence');
    const cause = (changes: Parameters<typeof recovered>[0]) =>
      learningOf(recovered(changes))?.content.split('Root cause: ')[1];
    const silent = { ...first, text: '' };
    expect(cause({ why: ' Twice. … the same… ', evidence: [first, { ...first, text: 'boom' }, silent, between] })).toBe(
      '“pytest -q” kept returning the same: boom.',
    );
    expect(cause({ why: ' Twice. … the same… ', evidence: [silent] })).toBe('Twice. … the same.');
    expect(cause({ why: '', evidence: [silent] })).toBe('pytest -q.');
  });

  it('has a low confidence if it follows a guess', () => {
    expect(learningOf(recovered({ certainty: 'guessed' }))).toMatchObject({ confidence: 'low' });
  });

  it.each([
    ['Review the pull request', 'review'],
    ['Run one test', 'testing'],
    ['Why does it fail', 'bug fix'],
    ['Cleanup of old flags', 'refactoring'],
    ['Clean up old flags', 'refactoring'],
    ['Update the document', 'documentation'],
    ['Update the doc', 'documentation'],
    ['Analyze and analyse', 'research'],
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

describe('why it was stuck', () => {
  it('is what the rule saw, if its evidence is no call with the same result each time', () => {
    const [row] = incident().evidence;
    const compacted = recovered({
      detector: 'condensation_loop',
      subject: 'context compacted',
      why: 'The context was compacted 4 times within 20 steps.',
      evidence: row ? [{ ...row, subject: 'context compacted', text: 'auto' }] : [],
    });
    expect(learningOf(compacted)?.cause).toBe('The context was compacted 4 times within 20 steps.');
  });
});

describe('learnings among the results of a search', () => {
  const hit = (id: string, changes: Partial<Learning> = {}): RecallHit => {
    const learning = learningOf(recovered({ id }));
    if (!learning) throw new Error('nothing was learned');
    return { kind: 'learning', id, score: 1, matched: [], learning: { ...learning, ...changes } };
  };

  it('that say the same are one, in the place of the first', () => {
    const own = { content: 'Ask before you run it again.', editedAt: T0 };
    const incidentHit: RecallHit = { kind: 'incident', id: 'I', score: 1, matched: [], incident: incident() };
    const found = withoutEqualLearnings([hit('A'), incidentHit, hit('B'), hit('C', own), hit('D')]);
    expect(found.map((one) => [one.id, one.kind === 'learning' ? one.same : null])).toEqual([
      ['A', ['B', 'D']],
      ['I', null],
      ['C', undefined],
    ]);
  });
});
