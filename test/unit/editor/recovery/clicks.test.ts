import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import type { Acted } from '../../../../src/recover/act/ports';
import type { HelpedBefore } from '../../../../src/history/types';
import { incident } from '../../history/support/incidents';
import { fail } from '../../../../src/base/util/result';
import { editor, env, resetEditor } from '../support/vscode';
import { LAUNCH, questions, SECRET, stage } from './support/click-stage';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

describe('a click that ends a process', () => {
  it.each([
    ['fresh', 'Restart Claude Code with a fresh context?', 'Restart'],
    ['stop', 'Stop Claude Code?', 'Stop'],
  ] as const)('%s asks first, and ends nothing where the person cancels', async (action, question, button) => {
    const { act, done } = stage();
    await act(action);
    expect([questions(), done]).toEqual([[question], []]);
    editor.answers.push(button);
    await act(action);
    expect(done).toEqual([['act', 'A', { action }]]);
  });

  it('twin: no question is asked if nothing ends', async () => {
    const { act, done } = stage({ decision: { do: 'block' } });
    await act('block');
    expect([questions(), done]).toEqual([[], [['act', 'A', { action: 'block' }]]]);
  });

  it('says that a chat is cancelled if the agent works in one', async () => {
    await stage({ decision: { via: 'chat' } }).act('stop');
    expect(editor.shown[0]?.buttons[0]).toMatchObject({ detail: expect.stringContaining('chat') });
  });
});

it('a click that cannot be carried out says why, and does nothing', async () => {
  const { act, done } = stage({ decision: { do: 'nothing', text: 'It is working again.' } });
  await act('fresh');
  expect([questions(), done]).toEqual([['It is working again.'], []]);
});

it('a click about no incident does nothing', async () => {
  const { ui, view, done } = stage();
  await ui.act(view, undefined, 'block');
  ui.hold(view, undefined, true);
  expect([questions(), done]).toEqual([[], []]);
});

it('Hold applies to the incident that is meant', () => {
  const { ui, view, about, done } = stage();
  ui.hold(view, about, true);
  expect(done).toEqual([['hold', 'A', true]]);
});

describe('handing a task to another agent', () => {
  it('goes to the one that was picked, or to a new terminal', async () => {
    const { act, done } = stage({ decision: { do: 'reassign' } });
    editor.answers.push('$(comment-discussion) Idle', '$(terminal) New Terminal');
    await act('reassign');
    await act('reassign');
    expect(done).toEqual([
      ['act', 'A', { action: 'reassign', to: 't' }],
      ['act', 'A', { action: 'reassign', to: null }],
    ]);
  });

  it('goes nowhere if the list is closed', async () => {
    const { act, done } = stage({ decision: { do: 'reassign' } });
    await act('reassign');
    expect([editor.picked, done]).toEqual([[['$(comment-discussion) Idle', '$(terminal) New Terminal']], []]);
  });
});

describe('an agent that may or may not be running', () => {
  const decision = { confirmGone: true };

  it('is restarted only after the person has said that it is gone', async () => {
    const { act, done } = stage({ decision });
    await act('fresh');
    expect(done).toEqual([]);
    editor.answers.push('Restart');
    await act('fresh');
    expect(done).toEqual([['act', 'A', { action: 'fresh', saysGone: true }]]);
  });

  it('is restarted by the person, who copies the command without secrets', async () => {
    const { act, done } = stage({ decision, launch: LAUNCH });
    editor.answers.push('Copy Command');
    await act('fresh');
    expect([done, env.copied.length]).toEqual([[], 1]);
    expect(env.copied[0]).toContain('claude');
    expect(env.copied[0]).not.toContain(SECRET);
    expect(questions()[1]).toBe('Copied. Close Claude Code, then run it in its terminal.');
  });
});

it('nothing is copied or restarted if the person cancels', async () => {
  const { act, done } = stage({ decision: { confirmGone: true }, launch: LAUNCH });
  await act('fresh');
  expect([done, env.copied]).toEqual([[], []]);
  expect(editor.shown[0]?.buttons).toMatchObject([
    { detail: expect.stringContaining('Unstuck cannot tell whether it is still running.') },
    'Restart',
    'Copy Command',
  ]);
});

it('the question before a restart says what ends, and which model starts', async () => {
  const detailOf = async (decision: object, view: object = {}) => {
    const one = stage({ decision });
    await one.ui.act({ ...one.view, ...view }, one.about, 'next_model');
    const { text, buttons } = editor.shown.at(-1)!;
    return [text, (buttons[0] as { detail: string }).detail];
  };
  expect(await detailOf({})).toEqual([
    'Restart Claude Code with the next model?',
    expect.stringMatching(/^The running process ends\./),
  ]);
  expect(await detailOf({ start: { model: 'opus' } }, { state: { kind: 'finished', since: 0 } })).toEqual([
    'Restart Claude Code with opus?',
    expect.stringMatching(/^Its process has ended\./),
  ]);
});

it('only a call that will be blocked is announced: a sent message appears in the list', async () => {
  const sent = { kind: 'sent' } as unknown as Acted;
  await stage({ decision: { do: 'nudge' }, outcomes: [sent] }).act('checkpoint');
  expect(questions()).toEqual([]);
  await stage({ decision: { do: 'block' }, outcomes: [sent] }).act('block');
  expect(questions()).toEqual(['Claude Code will be blocked once from making this call.']);
});

describe('what the panel shows', () => {
  const before = {
    similar: [incident()],
    tried: [{ kind: 'restart', recovered: { n: 2, of: 3 } }],
    noted: [],
  } as unknown as HelpedBefore;

  it('is the ladder of what is stuck or still open, with what helped before', () => {
    const { ui, view, about } = stage({ before });
    const warned = incident({ level: 'warn' });
    const over = incident({ level: 'warn', state: 'recovered' });
    expect(ui.shown(view, about)?.recommended).toEqual({ action: 'fresh', note: 'helped 2 of 3' });
    expect(ui.shown(view, warned)).toBeDefined();
    expect(ui.shown(view, incident({ state: 'recovered' }))).toBeDefined();
    expect([ui.shown(view, over), ui.shown(view, undefined)]).toEqual([undefined, undefined]);
    expect(ui.helpedBefore(view, about)?.ways).toEqual([{ name: 'Restart', helped: 2, tried: 3 }]);
    expect([ui.helpedBefore(view, undefined), stage().ui.helpedBefore(view, about)]).toEqual([undefined, undefined]);
  });

  it('is nothing if there is nothing to propose', () => {
    const { ui, view, about } = stage({ proposes: false });
    expect(ui.shown(view, about)).toBeUndefined();
  });
});

it('the work of the agent that is meant is saved, and a failure is shown', async () => {
  const { ui, view, done } = stage();
  await ui.saveCheckpoint(view);
  expect([done, questions()]).toEqual([[['saved', 's']], ['The disk is full.']]);
});

it.each([true, false])('knows whether the terminal of an agent is in front: %s', (inTerminal) => {
  const { ui, view } = stage({ inTerminal });
  expect(ui.isInFront(view)).toBe(inTerminal);
});

describe('when the work in progress cannot be saved', () => {
  const outcomes = [{ code: 'checkpoint', message: 'The disk is full.' }] as const;

  it('a restart asks once more, and is not done if the person cancels', async () => {
    const { act, done } = stage({ outcomes });
    editor.answers.push('Restart');
    await act('fresh');
    expect(questions()[1]).toBe('Continue without saving the work in progress?');
    expect(done).toEqual([['act', 'A', { action: 'fresh' }]]);
  });

  it('a restart continues without a checkpoint if the person agrees', async () => {
    const { act, done } = stage({ outcomes });
    editor.answers.push('Restart', 'Continue');
    await act('fresh');
    expect(done[1]).toEqual(['act', 'A', { action: 'fresh', withoutCheckpoint: true }]);
  });

  it('saving a checkpoint says why it failed', async () => {
    const { act, done } = stage({ outcomes, decision: { do: 'checkpoint' } });
    await act('checkpoint');
    expect(questions()).toEqual(['The disk is full.']);
    expect(done).toHaveLength(1);
  });
});

describe('Recover Agent', () => {
  it('lists the ways, and uses the one that was picked', async () => {
    const { ui, view, done } = stage({ decision: { do: 'block' } });
    await ui.chooseRestart(view);
    expect([editor.picked[0]?.length, done]).toEqual([2, []]);
    editor.answers.push(editor.picked[0]?.[0], 'Restart');
    await ui.chooseRestart(view);
    expect(done).toEqual([['act', 'A', { action: 'fresh' }]]);
  });

  it('marks the recommended way, and says what helped before and why a way is closed', async () => {
    const { ui, view } = stage({
      before: { similar: [], tried: [{ kind: 'restart', recovered: { n: 1, of: 1 } }], noted: [] } as never,
    });
    await ui.chooseRestart(view);
    expect(editor.picks[0]).toMatchObject([
      { label: 'Recommended: fresh', description: 'helped 1 of 1' },
      { label: '$(circle-slash) fork', description: 'helped 1 of 1', detail: 'fork cannot be done' },
    ]);
  });

  it.each([0, 1])('is about what is stuck, whatever its position among the incidents: %i', async (place) => {
    const { ui, view, about, done } = stage({ decision: { do: 'block' } });
    const warned = incident({ id: 'W', level: 'warn' });
    editor.answers.push('Recommended: fresh', 'Restart');
    await ui.chooseRestart({ ...view, incidents: place === 0 ? [about, warned] : [warned, about] });
    expect(done).toMatchObject([['act', 'A', {}]]);
  });

  it('is about what is open if nothing is stuck', async () => {
    const { ui, view, done } = stage({ decision: { do: 'block' } });
    editor.answers.push('Recommended: fresh', 'Restart');
    await ui.chooseRestart({ ...view, incidents: [incident({ id: 'W', level: 'warn' })] });
    expect(done).toMatchObject([['act', 'W', {}]]);
  });

  it('has nothing to offer without an incident', async () => {
    const { ui, view } = stage();
    await ui.chooseRestart({ ...view, incidents: [] });
    expect([questions(), editor.picked]).toEqual([
      ['Claude Code has no open incident, so there is no evidence to restart it with.'],
      [],
    ]);
  });

  const ended = (view: AgentView): AgentView => ({ ...view, incidents: [], state: { kind: 'finished', since: 0 } });

  it('resumes a session that ended, once the person agrees', async () => {
    const { ui, view, done } = stage();
    await ui.chooseRestart(ended(view));
    expect([questions(), done]).toEqual([['Resume Claude Code?'], []]);
    editor.answers.push('Resume');
    await ui.chooseRestart(ended(view));
    expect(done).toEqual([['resumed', 'Claude Code: Task of s']]);
  });

  it('says why a session cannot be resumed', async () => {
    const { ui, view, done } = stage({ resume: fail({ message: 'It cannot be resumed.' }) });
    await ui.chooseRestart(ended(view));
    expect([questions(), done]).toEqual([['It cannot be resumed.'], []]);
  });
});

describe('Stop', () => {
  it('is about the incident of the agent', async () => {
    const { ui, view, done } = stage();
    editor.answers.push('Stop');
    await ui.stop(view);
    expect(done).toEqual([['act', 'A', { action: 'stop' }]]);
  });

  it('cancels a chat that is not stuck only if the person agrees', async () => {
    const { ui, view, done } = stage({ inChat: true });
    await ui.stop({ ...view, incidents: [] });
    expect([questions(), done]).toEqual([['Stop Claude Code?'], []]);
    editor.answers.push('Stop');
    await ui.stop({ ...view, incidents: [] });
    expect(done).toEqual([['chat shown'], ['chat cancelled']]);
  });

  it('does not touch an agent that is not stuck and runs elsewhere', async () => {
    const { ui, view, done } = stage();
    await ui.stop({ ...view, incidents: [] });
    expect([questions(), done]).toEqual([['Claude Code has no open incident. Stop it where you started it.'], []]);
  });
});
