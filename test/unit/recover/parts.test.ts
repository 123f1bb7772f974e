import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failedApproaches } from '../../../src/detect/sayings/retry-notes';
import type { Evidence, PlanItem } from '../../../src/core/model';
import { canBlock } from '../../../src/recover/drafts/block-call';
import { draftNudge } from '../../../src/recover/drafts/draft';
import { DEFAULT_LADDER, readLadder } from '../../../src/recover/ladder';
import { DEFAULT_LIMITS, readLimits } from '../../../src/recover/decisions/limits';
import { nextModel, readModelTiers, topModel } from '../../../src/recover/decisions/models';
import { planOutlook } from '../../../src/recover/decisions/plan-items';
import { checkpointMessage } from '../../../src/recover/drafts/progress-summary';
import { restartPrompt } from '../../../src/recover/drafts/restart-prompt';
import { failedWaysOf, priorAttempts, retryContext } from '../../../src/recover/drafts/retry-context';
import { cutMark } from '../../../src/base/util/cut';
import { T0, incident } from '../history/support/incidents';
import { NOW, attempt } from './kit';

describe('the ladder as a setting', () => {
  it('has the five rungs of the design by default', () => {
    expect(readLadder(undefined)).toBe(DEFAULT_LADDER);
    expect(DEFAULT_LADDER.map((rung) => rung.name)).toEqual([
      'As it is',
      'Nudge',
      'Next model',
      'Top model',
      'Ask you',
    ]);
  });

  it('always begins with the agent as it is and feedback, and ends with the person', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.array(fc.oneof(fc.constantFrom('fresh', 'ask', 'feedback', 'top_model'), fc.anything())),
        (any, list) => {
          for (const value of [any, list]) {
            const ladder = readLadder(value);
            expect(ladder[0]?.kind).toBe('as_is');
            expect(ladder[1]?.kind).toBe('feedback');
            expect(ladder.at(-1)?.kind).toBe('ask');
            expect(ladder.map((rung) => rung.number)).toEqual(ladder.map((_, index) => index + 1));
            expect(new Set(ladder.map((rung) => rung.kind)).size).toBe(ladder.length);
          }
        },
      ),
    );
  });

  it('takes names and tries', () => {
    const ladder = readLadder([
      { do: 'feedback', name: ' Tell it ', tries: 99 },
      'top_model',
      'nonsense',
      { do: 'fresh' },
    ]);
    expect(ladder.map(({ kind, name, tries }) => [kind, name, tries])).toEqual([
      ['as_is', 'As it is', 1],
      ['feedback', 'Tell it', 5],
      ['top_model', 'Top model', 1],
      ['fresh', 'Fresh context', 1],
      ['ask', 'Ask you', 1],
    ]);
  });
});

describe('limits and models as settings', () => {
  it('never allows more than two automatic attempts for an incident', () => {
    expect(readLimits({ perIncident: 50, delaySeconds: 5, global: 'x' })).toEqual({
      ...DEFAULT_LIMITS,
      perIncident: 2,
      delayMs: 5_000,
    });
    expect(readLimits(null)).toEqual(DEFAULT_LIMITS);
  });

  it('finds the tier of a model by its whole name or by the part that names the tier', () => {
    const tiers = readModelTiers({ codex: ['gpt-mini', 'gpt', '-c evil'], nobody: ['x'] });
    expect(tiers.codex).toEqual(['gpt-mini', 'gpt']);
    const claude = tiers['claude-code'] ?? [];
    expect(nextModel(claude, 'claude-sonnet-4-5-20260101')).toBe('opus');
    expect(nextModel(claude, 'haiku')).toBe('sonnet');
    expect(nextModel(claude, 'claude-opus-5'), 'the top is nothing to go up from').toBeUndefined();
    expect(nextModel(claude, 'something-else')).toBe('opus');
    expect(topModel([])).toBeUndefined();
  });
});

describe('what a plan says', () => {
  const item = (id: string, status: PlanItem['status'], blockedBy: string[] = []): PlanItem => ({
    id,
    title: `Item ${id}`,
    status,
    blockedBy,
  });

  it('names what does not depend on the stuck item, even through others', () => {
    const outlook = planOutlook([
      item('1', 'completed'),
      item('2', 'blocked', ['1']),
      item('3', 'pending', ['2']),
      item('4', 'pending', ['3']),
      item('5', 'pending', ['6']),
      item('6', 'pending'),
      item('7', 'blocked', ['2']),
    ]);
    expect(outlook.stuckOn?.id).toBe('2');
    expect(outlook.others.map(({ id }) => id)).toEqual(['6', '5']);
    expect(outlook.smaller?.id).toBe('6');
  });

  it('takes a part of the item as the smaller step, and knows nothing without a plan', () => {
    expect(planOutlook([item('2', 'in_progress'), item('2.1', 'completed'), item('2.2', 'pending')]).smaller?.id).toBe(
      '2.2',
    );
    expect(planOutlook([])).toMatchObject({ stuckOn: null, others: [] });
    expect(planOutlook([item('1', 'completed')])).toMatchObject({ stuckOn: null });
  });

  it('terminates for plans whose items wait for each other', () => {
    expect(planOutlook([item('1', 'blocked', ['2']), item('2', 'pending', ['1'])]).others).toEqual([]);
  });
});

describe('retry context', () => {
  const row = (role: Evidence['role'], subject: string, text = '1 failed'): Evidence => ({
    source: { file: '/s.jsonl', line: 1, offset: 0 },
    at: T0,
    role,
    subject,
    text,
  });
  const looping = incident({
    evidence: [row('first', 'npm test'), row('repeat', 'npm test'), row('repeat', 'npm test')],
    attempts: [attempt()],
  });
  const edited = incident({
    session: 'fork',
    evidence: [
      row('first', 'pytest -q'),
      row('between', 'Edit a.py', 'ok'),
      row('between', 'Edit a.py', 'ok'),
      row('repeat', 'pytest -q'),
    ],
    attempts: [attempt({ message: 'M2', at: NOW, kind: 'escalate', rung: 'next_model' })],
  });

  it('lists every earlier attempt of the session and its forks with its feedback, oldest first', () => {
    const text = retryContext(priorAttempts([edited, looping]), failedWaysOf([looping, edited]), 'session-1');
    expect(text).toContain('Previous attempts (all failed):');
    expect(text).toMatch(/Attempt 1: a message with feedback; the result stayed the same\n/);
    expect(text).toContain(
      'Their results:\n```\nAttempt 1 with sonnet: 1 failed\nAttempt 2 with sonnet: 1 failed\n```',
    );
    expect(text).toMatch(/Attempt 2, in an earlier session: another model, fresh context/);
    expect(text).toContain('- `npm test` (3 times)');
    expect(text).toContain('- `Edit a.py` (2 times)');
  });

  it('is read by the rule that watches for failed approaches, which finds the failed ways and not the check', () => {
    const prompt = restartPrompt(edited, {
      mode: 'fresh',
      automatic: false,
      now: NOW,
      task: 'Do not use mocks. Make `pytest -q` pass.',
      progress: { title: 'x', plan: [], changes: ['Edit a.py'], incident: edited },
      related: [edited, looping],
      checkpoint: 'refs/unstuck/s/01JD0000000000000000000001',
    });
    const found = failedApproaches(prompt);
    expect(found).toContain('npm test');
    expect(found).toContain('Edit a.py');
    expect(failedApproaches(prompt.slice(prompt.indexOf('What is known')))).not.toContain('pytest -q');
    expect(prompt).toMatch(/^Unstuck, an automated watcher, wrote this; a person sent it\./);
    expect(prompt).toMatch(/If nothing is failing any more, ignore this\.$/);
  });

  it('for a silent agent names the silence, and no way that failed', () => {
    const evidence: readonly Evidence[] = [
      {
        source: { file: '/t.jsonl', line: 7, offset: 70 },
        at: T0,
        role: 'first',
        subject: 'tail -f log',
        text: 'no line',
      },
    ];
    const silent = incident({
      detector: 'stall',
      level: 'warn',
      subject: 'tail -f log',
      count: 12,
      firstAt: T0,
      evidence,
    });
    const options = { automatic: false, now: T0 + 720_000, task: '', related: [silent] };
    const progress = { title: 'x', plan: [], changes: [], incident: silent };
    const prompt = restartPrompt(silent, { ...options, mode: 'resume', progress });
    expect(prompt).toContain('restarted in the same session.\n\nThere was no output for 12 min');
    expect(prompt).not.toMatch(/Avoid:|different approach|because/);
  });

  it('lists nothing as failed in a first message, and the first message in the second', () => {
    const first = draftNudge(incident({ evidence: edited.evidence }), { automatic: false, now: NOW });
    expect(failedApproaches(first)).toEqual([]);
    expect(first).not.toContain('Previous attempts');
    const second = draftNudge(edited, { automatic: true, now: NOW, otherItems: ['Write the docs'] });
    expect(second).toContain('Previous attempts');
    expect(second).toMatch(/```\nWrite the docs\n```[\s\S]*Previous attempts/);
  });

  it('keeps secrets and control characters of transcripts out of every text', () => {
    const nasty = incident({ subject: 'key sk-ant-REDACTED0123456789 \u001b[31m\u202e' });
    const text = draftNudge(nasty, { automatic: false, now: NOW });
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/[\u001b\u202e]|abcdefghijklmnop/);
  });
});

describe('checkpoint messages and exact calls', () => {
  it('says what is done, open and failing, in words that no program reads', () => {
    const text = checkpointMessage(
      {
        title: 'Fix `add`',
        plan: [
          { id: '1', title: 'Read', status: 'completed' },
          { id: '2', title: 'Fix', status: 'in_progress' },
        ],
        changes: ['Edit a.py', 'Edit b.py', 'Edit a.py'],
        incident: incident(),
        branch: 'main',
      },
      's1',
    );
    expect(text.split('\n')[0]).toBe("Unstuck checkpoint: Fix 'add'");
    expect(text).toContain('Changed:\n- Edit b.py\n- Edit a.py (2 times)');
    expect(text).toContain('Stuck on: pytest -q, 4 times');
    expect(text).toContain('Session s1, branch main');
  });

  it('refuses only calls that are known word by word', () => {
    const call = (args: unknown) => ({ name: 'bash', args, kind: 'ran' as const });
    expect(canBlock(call({ command: 'pytest -q' }))).toBe(true);
    expect(canBlock(call('{"command": "pyt'))).toBe(false);
    expect(canBlock(call({ content: `${'x'.repeat(400)}${cutMark(90_000, 'abc123')}` }))).toBe(false);
    expect(canBlock(call({ content: 'x'.repeat(20_000) }))).toBe(false);
  });
});
