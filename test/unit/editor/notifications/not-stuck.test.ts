import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Incident, RaisedLimit } from '../../../../src/core/model';
import type { NewStoreEvent } from '../../../../src/history/types';
import { sayNotStuck, undoNotStuck } from '../../../../src/editor/commands/not-stuck';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { Feedback } from '../../../../src/editor/notifications/feedback';
import { T0, incident } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

/** One window of a workspace, with what the engine and the event log received. `memory` outlives it. */
function stage(memory = new Map<string, unknown>()) {
  const feedback = new Feedback(
    {
      get: (key: string) => memory.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
      keys: () => [...memory.keys()],
    } as never,
    { feedback: () => [], onDidChange: () => ({ dispose: () => {} }) },
  );
  const inputs: string[] = [];
  const events: NewStoreEvent[] = [];
  let raised: readonly RaisedLimit[] = feedback.list();
  feedback.onDidChange(() => {
    raised = feedback.list();
  });
  const log = recordingLog();
  let known: Incident | undefined;
  let keeps = true;
  let follows = true;
  const saved: Incident[] = [];
  let view = agentView('session-1');
  const services = {
    feedback,
    agents: { agent: () => view },
    engine: {
      session: () => known && { book: { get: (id: string) => (known?.id === id ? known : undefined) } },
      changeIncident: (id: string, input: { type: string }) => {
        inputs.push(`${id} ${input.type}`);
        return follows;
      },
    },
    store: {
      save: (of: Incident) => Promise.resolve(void saved.push(of)),
      appendEvent: (event: NewStoreEvent) =>
        keeps ? Promise.resolve(void events.push(event)) : Promise.reject(new Error('disk full')),
    },
    log,
    now: () => T0,
  };
  const parts = { services } as unknown as CommandParts;
  return {
    say: (of: Incident) => sayNotStuck(parts, of),
    /** Says it of the agent that has these incidents. */
    sayOf: (incidents: readonly Incident[]) => {
      view = { ...view, incidents };
      return sayNotStuck(parts, 'session-1');
    },
    knows: (of: Incident) => void (known = of),
    keepsNothing: () => void (keeps = false),
    log,
    undo: (of: Incident) => undoNotStuck(parts, of),
    followsNone: () => void (follows = false),
    saved,
    inputs,
    events,
    memory,
    raised: () => raised,
  };
}

const stuck = (of: Partial<Incident> = {}) =>
  incident({ id: 'A', detector: 'repeating_action', rule: null, subject: 'make', count: 4, ...of });

describe('Not Stuck', () => {
  it('closes the incident, raises the limit to twice the count, and is in the event log', async () => {
    const { say, inputs, events, raised } = stage();
    await say(stuck());
    expect(inputs).toEqual(['A not_stuck']);
    expect(raised()).toMatchObject([{ detector: 'repeating_action', rule: null, limit: 8 }]);
    expect(events).toMatchObject([
      {
        type: 'Feedback',
        incident: 'A',
        data: { action: 'not_stuck', detector: 'repeating_action', count: 4, limit: 8 },
      },
    ]);
    expect(editor.shown).toMatchObject([
      { text: 'Not stuck. “Same call again” is quiet until 8 about: make', buttons: ['Undo'] },
    ]);
  });

  it('still applies after the window is reloaded', async () => {
    const { say, memory, raised } = stage();
    await say(stuck());
    expect(stage(memory).raised()).toEqual(raised());
  });

  it('is undone with the button of its message', async () => {
    const { say, inputs, events, raised } = stage();
    editor.answers.push('Undo');
    await say(stuck());
    expect(inputs).toEqual(['A not_stuck', 'A take_back']);
    expect(raised()).toEqual([]);
    expect(events.map(({ data }) => data['action'])).toEqual(['not_stuck', 'taken_back']);
  });

  it('is undone from the row of its incident, and verdicts on others stay', async () => {
    const { say, undo, inputs, raised } = stage();
    await say(stuck());
    await say(stuck({ id: 'B', subject: 'cargo build' }));
    await undo(stuck({ id: 'B' }));
    expect(inputs.at(-1)).toBe('B take_back');
    expect(raised()).toMatchObject([{ incident: 'A' }]);
  });

  it('closes an incident that only the history has, and opens it to the rule again', async () => {
    const { say, followsNone, saved } = stage();
    followsNone();
    editor.answers.push('Undo');
    await say(stuck());
    expect(saved).toMatchObject([
      { state: 'ended', outcome: 'not_stuck' },
      { state: 'unknown', outcome: null },
    ]);
  });

  it('keeps no secret of the call', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
    const { say, memory, events } = stage();
    await say(stuck({ subject: `curl -H 'Authorization: Bearer ${secret}' https://example.org` }));
    expect(JSON.stringify([[...memory.values()], events, editor.shown])).not.toContain(secret);
  });

  it('uses the incident as the window has it, with its original calls, not as the history keeps it', async () => {
    const { say, raised, knows } = stage();
    knows(stuck({ count: 20 }));
    await say(stuck({ count: 4 }));
    expect(raised()).toMatchObject([{ limit: 40 }]);
  });

  it('still applies if the event log cannot be written', async () => {
    const { say, keepsNothing, log, raised } = stage();
    keepsNothing();
    await say(stuck());
    await new Promise((resolve) => setImmediate(resolve));
    expect(raised()).toHaveLength(1);
    expect(log.lines).toEqual(['warn: the event log could not be written: Error: disk full']);
  });

  it('is in the event log in words, with the rule and the folder', async () => {
    const { say, events } = stage();
    editor.answers.push('Undo');
    await say(stuck({ detector: 'consecutive_failures', rule: 'same_error', folder: '/work/calc' }));
    const { folder: _folder, ...nowhere } = stuck();
    await say(nowhere);
    expect(events.map(({ data }) => [data['message'], data['rule'], data['folder']])).toEqual([
      ['consecutive_failures/same_error: make, quiet below 8', 'same_error', '/work/calc'],
      ['consecutive_failures/same_error: make', 'same_error', '/work/calc'],
      ['repeating_action: make, quiet below 8', null, undefined],
    ]);
  });
});

describe('Not Stuck of an agent', () => {
  const over = stuck({ id: 'O', state: 'recovered' });
  const muted = stuck({ id: 'M', state: 'muted', subject: 'ls' });

  it('applies to its one incident that is open or muted', async () => {
    const { sayOf, inputs } = stage();
    await sayOf([over, muted]);
    expect(inputs).toEqual(['M not_stuck']);
    expect(editor.picked).toEqual([]);
  });

  it('asks which one if there are several', async () => {
    const { sayOf, inputs } = stage();
    editor.answers.push('ls');
    await sayOf([stuck(), muted]);
    expect(inputs).toEqual(['M not_stuck']);
    expect(editor.picks[0]).toMatchObject([
      { label: 'make', description: 'Same call again' },
      { label: 'ls', description: 'Same call again' },
    ]);
    await sayOf([stuck(), muted]);
    expect(inputs).toHaveLength(1);
    expect(editor.questions[0]).toBe('Which of these is wrong?');
  });

  it('says so if there is none', async () => {
    const { sayOf, inputs } = stage();
    await sayOf([over]);
    expect(editor.shown.map(({ text }) => text)).toEqual(['This agent has no open incident.']);
    expect(inputs).toEqual([]);
  });
});
