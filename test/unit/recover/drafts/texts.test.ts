import { describe, expect, it } from 'vitest';
import type { Evidence, Incident } from '../../../../src/core/model';
import { blockText } from '../../../../src/recover/drafts/block-call';
import { REASON_TEXTS } from '../../../../src/recover/decisions/decision';
import { draftNudge } from '../../../../src/recover/drafts/draft';
import { type ProgressFacts, checkpointMessage } from '../../../../src/recover/drafts/progress-summary';
import { type PromptMode, leaveItText, restartPrompt, stopText } from '../../../../src/recover/drafts/restart-prompt';
import { handedTask } from '../../../../src/core/words/messages/handed-task';
import { MINUTE, T0, incident } from '../../history/support/incidents';
import { NOW, attempt } from '../kit';

const source = { file: '/s.jsonl', line: 1, offset: 0 };
const row = (role: Evidence['role'], subject: string, text: string): Evidence => ({
  source,
  at: T0,
  role,
  subject,
  text,
});
const sample = (text: string) => ({ source, at: T0, text, ignored: [] });
const nudge = (changes: Partial<Incident> = {}, options = {}) =>
  draftNudge(incident(changes), { automatic: false, now: NOW, ...options });

describe('a nudge', () => {
  it('says who writes, one step, what was counted, what repeats and its result', () => {
    expect(nudge()).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

Use the result you have: this call returns the same answer each time. Read all of it, change what it depends on, or try something different.

You ran the same call 4 times in a row in the last 12 min, with the same result each time.

The call:
\`\`\`
pytest -q
\`\`\`

Its last result:
\`\`\`
1 failed, 3 passed: test_add
\`\`\`

If nothing is failing any more, ignore this.`);
  });

  it('has the last result whole, the values that moved, and where the full text is', () => {
    const spills = [{ line: 1, file: '/tmp/result.txt' }];
    expect(
      nudge({ lastSample: sample('E   assert 5 == 7\n1 failed'), moved: ['1', '2', '3'], spills }),
    ).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

Use the result you have: this call returns the same answer each time. Read all of it, change what it depends on, or try something different.

You ran the same call 4 times in a row in the last 12 min, with the same result each time.

The call:
\`\`\`
pytest -q
\`\`\`

The value, from the first run to the last:
\`\`\`
1, 2, 3
\`\`\`

Its last result:
\`\`\`
E   assert 5 == 7
1 failed
\`\`\`

Its full text, kept for a few hours:
\`\`\`
/tmp/result.txt
\`\`\`

If nothing is failing any more, ignore this.`);
  });

  it('to an agent that a hook sends back quotes what the hook says, not its command', () => {
    const text = nudge({
      detector: 'monologue',
      rule: 'sent_back',
      subject: './gate.sh',
      evidence: [row('repeat', 'sent back', 'Write the changelog first.')],
      moved: [],
      spills: [],
    });
    expect(text).toMatch(/The text:\n`{3,}\nWrite the changelog first\.\n`{3,}/);
    expect(text).not.toContain('./gate.sh');
  });

  it('about a round has its steps, at most six, and only its subject if there is one step', () => {
    const pattern = Array.from({ length: 7 }, (_, n) => ({ letter: 'A', subject: `step ${n}`, steps: [n] }));
    expect(
      nudge({ detector: 'cycle', pattern, moved: [], spills: [] }),
    ).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

Break this cycle: pick the step whose result you do not understand, and look into that first.

You repeated the same round of steps 4 times in the last 12 min, with the same results.

The round:
\`\`\`
step 0
step 1
step 2
step 3
step 4
step 5
\`\`\`

The last result of its first step:
\`\`\`
1 failed, 3 passed: test_add
\`\`\`

If nothing is failing any more, ignore this.`);
    const one = nudge({ detector: 'cycle', pattern: pattern.slice(0, 1), subject: 'the subject' });
    expect(one).toContain('\nthe subject\n');
    expect(one).not.toContain('step 0');
    const other = nudge({ detector: 'action_error_alternation', pattern: pattern.slice(0, 2) });
    expect(other).toContain('step 0\nstep 1\n');
    expect(nudge({ pattern: pattern.slice(0, 2) })).not.toContain('step 0');
  });

  it('about failures in a row has the different errors, at most five', () => {
    const errors = Array.from({ length: 7 }, (_, n) => row('repeat', 'make', `error ${n}`));
    const evidence = [...errors, row('repeat', 'make', 'error 6'), row('repeat', 'make', ' ')];
    expect(
      nudge({ detector: 'consecutive_failures', rule: null, subject: 'make', evidence }),
    ).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

Name what these errors have in common, and check that before the next call.

4 calls in a row failed in the last 12 min.

The errors, newest last:
\`\`\`
error 2
error 3
error 4
error 5
error 6
\`\`\`

If nothing is failing any more, ignore this.`);
    const silent = nudge({
      detector: 'consecutive_failures',
      rule: null,
      evidence: [row('repeat', 'make', '')],
    });
    expect(silent).not.toContain('```');
  });

  it('about a repeated outcome has what was done in between, each once, the last four', () => {
    const between = ['a', 'b', 'c', 'd', 'e', 'e'].map((name) => row('between', `Edit ${name}.py`, 'ok'));
    const evidence = [row('first', 'pytest -q', '1 failed'), ...between, row('repeat', 'pytest -q', '1 failed')];
    expect(
      nudge({ detector: 'repeating_outcome', evidence }),
    ).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

Use the result you have: this call returns the same answer each time. Read all of it, change what it depends on, or try something different.

The same call gave the same result 4 times in the last 12 min, with other steps in between.

The call:
\`\`\`
pytest -q
\`\`\`

In between:
\`\`\`
Edit b.py
Edit c.py
Edit d.py
Edit e.py
\`\`\`

Its last result:
\`\`\`
1 failed
\`\`\`

If nothing is failing any more, ignore this.`);
  });

  it('that is sent automatically says so; it contains a smaller step and other items', () => {
    const otherItems = ['one', 'two', 'three', 'four', 'five', 'six'];
    const text = nudge({}, { automatic: true, smallerStep: 'Read the test', otherItems });
    expect(text).toBe(`Unstuck, an automated watcher, wrote and sent this.

Take a smaller step of your own plan first:
\`\`\`
Read the test
\`\`\`
Finish it and check it before you come back to this.

You ran the same call 4 times in a row in the last 12 min, with the same result each time.

The call:
\`\`\`
pytest -q
\`\`\`

Its last result:
\`\`\`
1 failed, 3 passed: test_add
\`\`\`

Items of your plan that do not depend on this:
\`\`\`
one
two
three
four
five
\`\`\`

If nothing is failing any more, ignore this.`);
    expect(nudge({}, { otherItems: [] })).toBe(nudge());
  });

  it('says the time only from a minute on', () => {
    expect(nudge({ firstAt: NOW - MINUTE })).toContain('in the last 1 min');
    expect(nudge({ firstAt: NOW - MINUTE + 1 })).not.toContain('in the last');
  });

  it('lists the earlier attempts of this incident, or of related ones', () => {
    const again = { attempts: [attempt()] };
    expect(nudge(again)).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

Use the result you have: this call returns the same answer each time. Read all of it, change what it depends on, or try something different.

You ran the same call 4 times in a row in the last 12 min, with the same result each time.

The call:
\`\`\`
pytest -q
\`\`\`

Its last result:
\`\`\`
1 failed, 3 passed: test_add
\`\`\`

Previous attempts (all failed):
- Attempt 1: a message with feedback; the result stayed the same
Their results:
\`\`\`
Attempt 1 with sonnet: 1 failed, 3 passed: test_add
\`\`\`
Avoid: these approaches were tried and did not change the result.
- \`Edit src/calc.py\`
Take a different approach.

If nothing is failing any more, ignore this.`);
    expect(nudge(again, { related: [] })).not.toContain('Previous attempts');
  });

  it('about nothing that can be quoted quotes nothing', () => {
    const text = nudge({ subject: ' ', evidence: [row('repeat', '', ' ')] });
    expect(text).not.toContain('```');
  });
});

const progress: ProgressFacts = {
  title: 'Fix `add`',
  plan: [
    { id: '1', title: 'Read', status: 'completed' },
    { id: '2', title: 'Fix', status: 'in_progress' },
    { id: '3', title: 'Ask', status: 'blocked' },
    { id: '4', title: 'Ship', status: 'pending' },
  ],
  changes: ['Edit a.py', 'Edit b.py', 'Edit a.py'],
  lastProgress: 'pytest -q passed',
  branch: 'main',
  incident: incident(),
};

const prompt = (mode: PromptMode, changes: Partial<Incident> = {}, options = {}) => {
  const one = incident({ attempts: [attempt()], ...changes });
  const related = [one];
  return restartPrompt(one, {
    mode,
    automatic: false,
    now: NOW,
    task: 'Make `pytest -q` pass.',
    progress,
    related,
    ...options,
  });
};

describe('the prompt of a fresh start', () => {
  it('hands on the task, what is done, what is stuck and what was tried', () => {
    const otherItems = ['Write the docs'];
    expect(
      prompt('fresh', {}, { checkpoint: 'refs/unstuck/s/1', otherItems }),
    ).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

You take over from an agent that got stuck. You start with a fresh context. All you need to know about its work is here.

The task, as a person gave it:
\`\`\`
Make \`pytest -q\` pass.
\`\`\`

What is known about the work so far:
\`\`\`
Done:
- Read
In progress:
- Fix
Blocked:
- Ask
Open:
- Ship
Changed:
- Edit b.py
- Edit a.py (2 times)
Last progress: pytest -q passed
\`\`\`

The work in progress is saved in git as refs/unstuck/s/1. The files are as they were left.

Where the previous agent got stuck. It ran the same call 4 times in a row in the last 12 min, with the same result each time.

The call:
\`\`\`
pytest -q
\`\`\`

Its last result:
\`\`\`
1 failed, 3 passed: test_add
\`\`\`

Use the result you have: this call returns the same answer each time. Read all of it, change what it depends on, or try something different.

Items of your plan that do not depend on this:
\`\`\`
Write the docs
\`\`\`

Previous attempts (all failed):
- Attempt 1: a message with feedback; the result stayed the same
Their results:
\`\`\`
Attempt 1 with sonnet: 1 failed, 3 passed: test_add
\`\`\`
Avoid: these approaches were tried and did not change the result.
- \`Edit src/calc.py\`
Take a different approach.

If nothing is failing any more, ignore this.`);
  });

  it('for another agent says that part of the task is now its own', () => {
    expect(prompt('reassign').split('\n\n')[1]).toBe(
      'An agent in the same folder got stuck, and this part of its task is now yours. All you need to know about its work is here.',
    );
  });

  it('takes the title if the task is not known, and leaves out what is unknown', () => {
    const nothing = { title: '', plan: [], changes: [], incident: null };
    expect(prompt('fresh', { title: 'The title' }, { task: ' ', progress: nothing })).toContain('```\nThe title\n```');
    const bare = prompt('fresh', { title: '' }, { task: '', progress: nothing });
    expect(bare).not.toContain('The task');
    expect(bare).not.toContain('What is known');
    expect(bare).not.toContain('saved in git');
  });

  it('keeps the head of a long task', () => {
    const task = Array.from({ length: 50 }, (_, n) => `line ${n} ${'x'.repeat(500)}`).join('\n');
    const text = prompt('fresh', {}, { task });
    expect(text).toContain('line 0 ');
    expect(text).toContain('line 39 ');
    expect(text).not.toContain('line 40 ');
    expect(text).toContain('(10 lines below left out)');
    expect(text).toContain(`line 0 ${'x'.repeat(392)}…`);
  });
});

describe('the prompt of an agent that is started again', () => {
  it('does not repeat what the agent knows', () => {
    expect(prompt('resume')).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

You were restarted in the same session, because you were stuck.

You ran the same call 4 times in a row in the last 12 min, with the same result each time.

The call:
\`\`\`
pytest -q
\`\`\`

Its last result:
\`\`\`
1 failed, 3 passed: test_add
\`\`\`

Use the result you have: this call returns the same answer each time. Read all of it, change what it depends on, or try something different.

Previous attempts (all failed):
- Attempt 1: a message with feedback; the result stayed the same
Their results:
\`\`\`
Attempt 1 with sonnet: 1 failed, 3 passed: test_add
\`\`\`
Avoid: these approaches were tried and did not change the result.
- \`Edit src/calc.py\`
Take a different approach.

If nothing is failing any more, ignore this.`);
    expect(prompt('fork').split('\n\n')[1]).toBe(
      'You continue in a copy of a session in which you were stuck. The other one is not continued.',
    );
  });

  it('does not call a mere warning stuck', () => {
    const warned = { level: 'warn' as const };
    expect(prompt('resume', warned).split('\n\n')[1]).toBe('You were restarted in the same session.');
    expect(prompt('fork', warned).split('\n\n')[1]).toBe(
      'You continue in a copy of your session. The other one is not continued.',
    );
  });
});

describe('a task that is handed on', () => {
  it('is found in the prompt, even one with its own fences', () => {
    expect(handedTask(prompt('fresh'))).toBe('Make `pytest -q` pass.');
    const task = 'Run:\n```\nmake\n```\nthen stop';
    expect(handedTask(prompt('reassign', {}, { task }))).toBe(task);
  });

  it('is in no other text', () => {
    expect(handedTask('Make it pass.')).toBeNull();
    expect(handedTask(`x${prompt('fresh')}`)).toBeNull();
    expect(handedTask(prompt('resume'))).toBeNull();
    const begins = 'Unstuck, an automated watcher, wrote this.\nThe task, as a person gave it:\n';
    expect(handedTask(`${begins}\`\`\`\nx\n\`\`\``)).toBe('x');
    expect(handedTask(`${begins}\`\`\`\nx`)).toBeNull();
    expect(handedTask(`${begins}no fence\nx\nno fence`)).toBeNull();
    expect(handedTask(`${begins}\`\`\`\n\`\`\``)).toBeNull();
    expect(handedTask(begins)).toBeNull();
  });
});

describe('what the stuck agent is told', () => {
  it('when its task goes to another', () => {
    const options = { automatic: false, now: NOW };
    expect(
      leaveItText(incident(), 'taken', { ...options, otherItems: ['Write the docs'] }),
    ).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

You ran the same call 4 times in a row in the last 12 min, with the same result each time.

The call:
\`\`\`
pytest -q
\`\`\`

This part of the task now belongs to another agent. Do not work on it any more. Continue with the rest of your plan.

Items of your plan that do not depend on this:
\`\`\`
Write the docs
\`\`\`

If nothing is failing any more, ignore this.`);
    expect(leaveItText(incident(), 'taken', options)).toContain(
      'now belongs to another agent. Do not work on it any more. If nothing else is left to do, end your turn and say what is unfinished.',
    );
  });

  it('when it is stopped', () => {
    expect(stopText(incident(), true, NOW)).toBe(
      'Unstuck, an automated watcher, wrote and sent this. You ran the same call 4 times in a row in the last 12 min, with the same result each time. This session ends here. Its work stays as it is.',
    );
  });

  it('when its call is refused', () => {
    expect(blockText(incident(), false)).toBe(`Unstuck, an automated watcher, wrote this; a person sent it.

This call was blocked once because it ran 4 times with the same result.

The call:
\`\`\`
pytest -q
\`\`\`

Its last result:
\`\`\`
1 failed, 3 passed: test_add
\`\`\`

Use the result you have: this call returns the same answer each time. Read all of it, change what it depends on, or try something different. If you make this call again after that, it will run.

If nothing is failing any more, ignore this.`);
  });
});

describe('the message of a checkpoint', () => {
  it('says what is done, open and failing', () => {
    expect(checkpointMessage(progress, 's1')).toBe(`Unstuck checkpoint: Fix 'add'

Done:
- Read
In progress:
- Fix
Blocked:
- Ask
Open:
- Ship
Changed:
- Edit b.py
- Edit a.py (2 times)
Last progress: pytest -q passed
Stuck on: pytest -q, 4 times
Last result: 1 failed, 3 passed: test_add

Session s1, branch main`);
  });

  it('says little if little is known', () => {
    const nothing = { title: ' ', plan: [], changes: [], incident: incident({ evidence: [] }) };
    expect(checkpointMessage(nothing, 's1')).toBe(`Unstuck checkpoint: work in progress

Stuck on: pytest -q, 4 times

Session s1`);
    expect(checkpointMessage({ ...nothing, incident: null }, 's1')).toBe(
      'Unstuck checkpoint: work in progress\n\n\nSession s1',
    );
  });

  it('has a subject of 72 characters, twelve items of a kind and the last fifteen changes', () => {
    const titled = (title: string) => checkpointMessage({ ...progress, title }, 's').split('\n')[0];
    expect(titled('x'.repeat(52))).toBe(`Unstuck checkpoint: ${'x'.repeat(52)}`);
    expect(titled('x'.repeat(53))).toBe(`Unstuck checkpoint: ${'x'.repeat(51)}…`);
    expect(titled(`${'x'.repeat(50)} yy`)).toBe(`Unstuck checkpoint: ${'x'.repeat(50)}…`);
    const many = Array.from({ length: 20 }, (_, n) => `n${n}`);
    const plan = many.map((title, n) => ({ id: title, title, status: n < 12 ? 'completed' : 'pending' }) as const);
    const text = checkpointMessage({ title: '', plan, changes: many, incident: null }, 's');
    expect(text).toContain('- n11\nOpen:\n- n12\n');
    expect(text).toContain('Changed:\n- n5\n');
    expect(text).toContain('- n16\n- and 3 more\n');
  });
});

it('gives each reason a separate sentence', () => {
  const texts = Object.values(REASON_TEXTS);
  for (const text of texts) expect(text).toMatch(/^[A-Z].*[.)]\.?$/);
  expect(new Set(texts).size).toBe(texts.length);
});
