import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { sayNotStuck, undoNotStuck } from '../../../../src/editor/commands/not-stuck';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { Feedback, followFeedback } from '../../../../src/editor/notifications/feedback';
import { silentLog } from '../../../../src/base/util/log';
import { Machine, type Window } from '../../recover/act/stage';
import { STUCK_AT } from '../../support/limits';
import { MINUTE } from '../../history/support/incidents';
import { resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

/** The *Not Stuck* feedback of a window: its own memory, the window's store and engine, and the commands. */
function feedbackOf(window: Window, memory = new Map<string, unknown>()) {
  const { engine, store, machine, engineSettings } = window;
  const memento = {
    get: (key: string) => memory.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
  };
  const feedback = new Feedback(memento as never, store);
  const configure = () => engine.configure({ ...engineSettings, raised: feedback.list() });
  configure();
  followFeedback({ engine, feedback }, configure);
  const services = { engine, store, feedback, log: silentLog, now: () => machine.clock.now() };
  const parts = { services } as unknown as CommandParts;
  return {
    list: () => feedback.list().map(({ detector, subject, limit }) => `${detector}: ${subject}, ${limit}`),
    say: (of: Incident) => sayNotStuck(parts, of),
    undo: (of: Incident) => undoNotStuck(parts, of),
    memory,
  };
}

/** Two windows that watch one stuck agent. */
async function two() {
  const machine = new Machine();
  const agent = machine.agent('s').begin().loop();
  const [a, b] = [await machine.window(), await machine.window()];
  await a.untilStuck('s');
  await b.untilStuck('s');
  return { machine, agent, a, b, inA: feedbackOf(a), inB: feedbackOf(b) };
}

const QUIET = [`repeating_action: pytest -q, ${2 * STUCK_AT}`];

describe('Not Stuck in one of two windows', () => {
  it('also ends the incident in the other one, where the rule becomes just as quiet', async () => {
    const { machine, agent, a, b, inA, inB } = await two();
    await inA.say(a.incident('s'));
    await machine.until('the other window knows', () => inB.list().length > 0);
    expect([inA.list(), inB.list()]).toEqual([QUIET, QUIET]);
    expect(b.incident('s')).toMatchObject({ state: 'ended', outcome: 'not_stuck' });

    const steps = () => b.engine.session('s')?.stepCount;
    agent.loop(STUCK_AT - 1);
    await machine.until('one less than twice as many', () => steps() === 2 * STUCK_AT - 1);
    expect(b.view('s')?.incidents).toEqual([]);
    agent.loop(1);
    await machine.until('twice as many, from which on it speaks', () => (b.view('s')?.incidents.length ?? 0) > 0);
  });

  it('is also undone in the other one: a streak that continues is reported again at once', async () => {
    const { machine, a, b, inA, inB } = await two();
    await inA.say(a.incident('s'));
    await machine.until('the other window knows', () => inB.list().length > 0);
    await inB.undo(b.incident('s'));
    await machine.until('the first window knows that it was undone', () => inA.list().length === 0);
    for (const window of [a, b]) {
      expect(window.view('s')?.state.kind).toBe('stuck');
      expect(window.view('s')?.incidents).toMatchObject([{ detector: 'repeating_action', outcome: null }]);
    }
  });

  it('is known to a window that opens later with a memory of its own, even after the journals were moved', async () => {
    const { machine, a, inA } = await two();
    await inA.say(a.incident('s'));
    let moved = false;
    void a.store.compact().then(({ done }) => (moved = done));
    await machine.until('the journal is in the history', () => moved);
    const late = feedbackOf(await machine.window());
    expect(late.list()).toEqual(QUIET);
  });

  it('is forgotten if another window undid it while this one was closed', async () => {
    const { machine, a, inA, inB } = await two();
    await inA.say(a.incident('s'));
    await machine.until('the other window knows', () => inB.list().length > 0);
    const closed = new Map(inB.memory);
    await inA.undo(a.incident('s'));
    await machine.until('it is in the log', () => inB.list().length === 0);
    const reopened = feedbackOf(await machine.window(), closed);
    expect(reopened.list()).toEqual([]);
  });

  it('also ends a silence, which each window noticed at a different moment', async () => {
    const machine = new Machine();
    const agent = machine.agent('s').begin();
    agent.line('tool_call', { id: 'c', name: 'fetch', args: { url: 'https://example.org' } });
    const a = await machine.window();
    await machine.until('its transcript is read', () => a.view('s')?.doing?.kind === 'tool');
    machine.clock.pass(11 * MINUTE);
    await machine.until('the silence', () => a.view('s')?.incidents[0]?.detector === 'stall');
    const b = await machine.window();
    await machine.until('the other window sees it', () => b.view('s')?.incidents[0]?.detector === 'stall');
    expect(b.incident('s').id).not.toBe(a.incident('s').id);
    const [inA, inB] = [feedbackOf(a), feedbackOf(b)];
    await inA.say(a.incident('s'));
    await machine.until('the other window knows', () => inB.list().length > 0);
    expect(b.incident('s').outcome).toBe('not_stuck');
  });
});
