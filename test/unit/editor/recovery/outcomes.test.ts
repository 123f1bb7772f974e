import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Acted, ActFailure } from '../../../../src/recover/act/ports';
import { editor, env, resetEditor } from '../support/vscode';
import { LAUNCH, questions, type Stage, stage } from './support/click-stage';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

/** Waits for what the click does not await. */
const settled = () => new Promise((done) => setImmediate(done));

describe('the outcome of a click', () => {
  const first = async (acted: Acted | ActFailure, parts: Stage = {}) => {
    const { act, done } = stage({ decision: { do: 'block' }, outcomes: [acted], ...parts });
    await act('block');
    await settled();
    return done.slice(1);
  };

  it('a failure is shown', async () => {
    expect(await first({ code: 'inbox', message: 'The folder cannot be written.' })).toEqual([]);
    expect(questions()).toEqual(['The folder cannot be written.']);
  });

  it('a start begins in a terminal', async () => {
    expect(await first({ kind: 'launch', launch: LAUNCH })).toEqual([['started', 'L']]);
  });

  it('an agent that Unstuck cannot end is closed by the person, who can copy the command to run next', async () => {
    editor.answers.push('Copy Command');
    expect(await first({ kind: 'stopping', here: false }, { launch: LAUNCH })).toEqual([['left', 's']]);
    expect(env.copied).toHaveLength(1);
  });

  it('twin: its command is not copied unless asked for, and nothing is asked if the agent was ended here', async () => {
    expect(await first({ kind: 'stopping', here: false }, { launch: LAUNCH })).toEqual([]);
    resetEditor();
    await first({ kind: 'stopping', here: true }, { launch: LAUNCH });
    expect([env.copied, questions()]).toEqual([[], []]);
  });

  it('a new chat begins, after the previous one was cancelled if necessary', async () => {
    const chat = { prompt: 'Go on', cancels: true, remarks: [] };
    expect(await first({ kind: 'chat', chat })).toEqual([['chat shown'], ['chat cancelled'], ['chat begun', 'Go on']]);
    expect(await first({ kind: 'chat', chat: { ...chat, cancels: false } })).toEqual([['chat begun', 'Go on']]);
    expect(questions()).toEqual([]);
  });

  it('a new chat says what it could not do', async () => {
    const chat = { prompt: 'Go on', model: 'big', cancels: false, remarks: ['No thinking there.'] };
    await first({ kind: 'chat', chat }, { hasModel: false });
    expect(questions()).toEqual([
      'No thinking there. This window has no model big. The chat keeps the one you chose last.',
    ]);
  });

  it('a turn is cancelled in its chat', async () => {
    expect(await first({ kind: 'cancel' })).toEqual([['chat shown'], ['chat cancelled']]);
  });

  it('a checkpoint is reported', async () => {
    await first({ kind: 'saved', checkpoint: { ref: 'refs/unstuck/1', changed: 1, leftOut: [] } as never });
    expect(questions()).toEqual(['Checkpoint saved with 1 changed file. Use Restore Checkpoint to bring it back.']);
  });

  it('a call that will be blocked is announced', async () => {
    await first({ kind: 'sent', delivery: {} as never });
    expect(questions()).toEqual(['Claude Code will be blocked once from making this call.']);
  });
});

describe('where an agent runs', () => {
  it('its chat or its terminal is shown, and a message says if it has neither', async () => {
    const go = async (parts: Stage) => {
      const { ui, view, done } = stage(parts);
      await ui.goTo(view);
      return [ui.surfaceOf(view), ui.surfaceLeft(view), done.flat()];
    };
    expect(await go({ inChat: true })).toEqual(['chat', 'chat', ['chat shown']]);
    expect(await go({ inTerminal: true })).toEqual(['terminal', 'terminal', ['terminal']]);
    expect(questions()).toEqual([]);
    expect(await go({})).toEqual([null, null, ['terminal']]);
    expect(questions()).toEqual(['Claude Code does not run in a terminal of this window.']);
  });
});

it('the command of a restart is copied only while a restart waits', async () => {
  const { ui, view, done } = stage();
  await ui.copyRestartCommand(view);
  expect([questions(), env.copied, done]).toEqual([['No restart of Claude Code is waiting.'], [], []]);
  expect(ui.waitsForClose(view)).toBe(false);
  expect(stage({ launch: LAUNCH }).ui.waitsForClose(view)).toBe(true);
  expect(stage({ launch: LAUNCH, inTerminal: true }).ui.waitsForClose(view)).toBe(false);
});

it('starts are carried out, the end of an agent is passed on and the panel is notified, until the window closes', () => {
  const { ui, done, launches, changes, ends } = stage();
  const heard = vi.fn();
  ui.onDidChange(heard);
  const all = () => {
    launches.fire(LAUNCH);
    ends.fire('s');
    for (const one of changes) one.fire();
  };
  all();
  ui.dispose();
  all();
  expect(done).toEqual([
    ['started', 'L'],
    ['ended', 's'],
  ]);
  expect(heard).toHaveBeenCalledTimes(3);
});

describe('the recovery section of the panel', () => {
  it('is there while an incident is stuck or open', () => {
    const { ui, view, about } = stage();
    const there = (changes: object) => ui.shown(view, { ...about, ...changes }) !== undefined;
    expect([
      there({ level: 'stuck', state: 'open' }),
      there({ level: 'warn', state: 'nudged' }),
      there({ level: 'warn', state: 'recovered' }),
    ]).toEqual([true, true, false]);
    expect([ui.shown(view, undefined), ui.helpedBefore(view, undefined)]).toEqual([undefined, undefined]);
  });
});
