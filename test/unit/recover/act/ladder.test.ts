import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLadder } from '../../../../src/recover/ladder';
import { STUCK_AT } from '../../support/limits';
import { type Agent, Machine, type Window } from './stage';

const automatic = { automatic: true };

async function actedSame(machine: Machine, window: Window, session: string, attempts: number): Promise<void> {
  await machine.until(
    `attempt ${attempts} was acted upon`,
    () => window.incident(session).attempts[attempts - 1]?.outcome === 'same',
  );
}

/** Two commands in turn, each of which fails because of the other. */
function alternate(agent: Agent, rounds: number): void {
  for (let n = 0; n < rounds; n++) {
    agent.call('bash', { command: 'make a' }, 'error: b is missing', true);
    agent.call('bash', { command: 'make b' }, 'error: a is missing', true);
  }
}

describe('the first attempts of automatic mode', () => {
  it('nudges first; if the action still repeats, tells the agent to set it aside and asks who takes over; then sends no more', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic });
    const agent = machine.agent('looping').begin().loop();
    const incident = await window.untilStuck('looping', 'repeating_action');

    await machine.until('the nudge is in the inbox', () => machine.messages('looping').length === 1);
    const nudge = machine.messages('looping')[0];
    expect(nudge).toMatchObject({ kind: 'nudge', automated: true, attempt: 1, incident: incident.id });
    expect(nudge?.text).toMatch(/^Unstuck, an automated watcher, wrote and sent this\./);
    const [, counted] = nudge?.text.split('Before you run this call again, ') ?? [];
    expect(counted).toContain(`You ran the same call ${STUCK_AT} times in a row`);
    expect(nudge?.text).toContain('1 failed, 3 passed: test_add');

    await agent.take();
    agent.loop(6);
    await actedSame(machine, window, 'looping', 1);
    await machine.until('the message to set it aside is in the inbox', () => machine.messages('looping').length === 1);
    const aside = machine.messages('looping')[0];
    expect(aside).toMatchObject({ kind: 'nudge', automated: true, attempt: 2 });
    // No other agent has taken the task, so the text must not say so.
    expect(aside?.text).toContain('your user decides whether another agent takes it');
    expect(aside?.text).not.toContain('belongs to another agent');

    await agent.take();
    agent.loop(6);
    await machine.until('a person is asked', () => window.incident('looping').state === 'escalated');
    agent.loop(2 * STUCK_AT);
    await machine.pass(120_000);
    expect(machine.messages('looping')).toEqual([]);
    await machine.until('it is in the log', async () => (await window.log('ApprovalRequested')).length > 1);
    expect(window.incident('looping').attempts).toHaveLength(2);
    expect(window.view('looping')?.state.kind).toBe('escalated');

    const told = (await window.log('Recovery')).map(
      ({ data }) => `${String(data['action'])}: ${String(data['result'])}`,
    );
    expect(told).toEqual(['nudge: sent', 'result: failed', 'nudge: sent', 'result: failed', 'ask: asked']);
    const asked = await window.log('ApprovalRequested');
    expect(asked[0]?.data).toMatchObject({ choose: 'reassign', avoid: [expect.stringContaining('`pytest -q`')] });
    expect(asked.map(({ data }) => data['reason'])).toEqual(['start_needs_person', 'two_failures']);
  });

  it('delivers a nudge to the inbox of an agent that only talks, asking for a concrete action', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic });
    const agent = machine.agent('talking').begin();
    for (let n = 0; n < 6; n++) agent.line('assistant', { text: 'I will now look at the failing test and fix it.' });
    await window.untilStuck('talking', 'monologue');
    await machine.until('the nudge is in the inbox', () => machine.messages('talking').length > 0);
    expect(machine.messages('talking')[0]?.text).toContain('Take one concrete action now');
  });

  it('escalates the model of a supervised agent whose steps alternate', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic, supervised: true });
    const agent = machine.agent('turning').begin();
    alternate(agent, 4);
    await window.untilStuck('turning', 'action_error_alternation');
    await machine.until('the nudge is in the inbox', () => machine.messages('turning').length === 1);
    await agent.take();
    alternate(agent, 4);
    await machine.until('an escalation is in the inbox', () =>
      machine.messages('turning').some((message) => message.kind === 'escalate'),
    );
    const escalate = machine.messages('turning').find((message) => message.kind === 'escalate');
    expect(escalate?.restart).toMatchObject({ mode: 'fresh', model: 'middle' });
    expect(escalate?.restart?.prompt).toContain('Previous attempts (all failed):');
  });

  // automatic mode restarts an agent: its work is being saved │ the person holds it │ the work is saved
  it('does not restart a supervised agent that the person held while its work was being saved', async () => {
    const machine = new Machine();
    let isSaving = false;
    let save = () => {};
    const saved = new Promise<void>((resolve) => void (save = resolve));
    const saving = () => ((isSaving = true), saved);
    const window = await machine.window({ settings: automatic, supervised: true, saving });
    execFileSync('git', ['init', '-q'], { cwd: machine.workspace });
    writeFileSync(join(machine.workspace, 'calc.py'), 'x = 1\n');
    const agent = machine.agent('turning').begin();
    alternate(agent, 4);
    const incident = await window.untilStuck('turning', 'action_error_alternation');
    await machine.until('the nudge is in the inbox', () => machine.messages('turning').length === 1);
    await agent.take();
    alternate(agent, 4);
    await machine.until('its work is being saved', () => isSaving);
    window.recovery.hold(incident.id, true);
    save();
    await machine.pass(10_000);
    expect(machine.messages('turning')).toEqual([]);
    expect(window.recovery.propose(incident.id)?.automatic.text).toBe('You are holding it.');
  });

  it('starts a supervised agent fresh with a summary when compaction leads back to what failed', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic, supervised: true });
    const agent = machine.agent('condensing').begin();
    agent.line('plan', {
      items: [
        { id: '1', title: 'Read the test', status: 'completed' },
        { id: '2', title: 'Fix add()', status: 'in_progress' },
      ],
    });
    const round = () => agent.loop(3).line('compaction', { summary: 'worked on it' });
    round();
    round();
    agent.loop(3);
    const incident = await window.untilStuck('condensing');
    const acted = await window.recovery.act(incident.id, { action: 'fresh' });
    expect(acted).toMatchObject({ ok: true, value: { kind: 'sent' } });
    const restart = machine.messages('condensing').find((message) => message.kind === 'restart');
    expect(restart?.restart?.mode).toBe('fresh');
    expect(restart?.restart?.prompt).toContain('Done:\n- Read the test');
  });
});

describe('an agent that runs out of context', () => {
  it('has its work saved, and is started fresh from it when feedback does not help', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic, supervised: true });
    execFileSync('git', ['init', '-q'], { cwd: machine.workspace });
    writeFileSync(join(machine.workspace, '.gitignore'), '.unstuck\n*.agent.jsonl\n');
    writeFileSync(join(machine.workspace, 'calc.py'), 'x = 1\n');
    const agent = machine.agent('full').begin('Fix it', { contextWindow: 100_000 });
    const look = (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        // Other files, none of which says anything new.
        machine.clock.pass(60_000);
        agent.call('bash', { command: `cat file${n}` }, 'the same text everywhere');
      }
      agent.line('usage', { contextTokens: 95_000, contextWindow: 100_000 });
    };
    look(0, 14);
    await window.untilStuck('full', 'token_exhaustion');
    await machine.until('the nudge is in the inbox', () => machine.messages('full').length === 1);
    await agent.take();
    look(14, 30);
    await machine.until('a restart is in the inbox', () =>
      machine.messages('full').some(({ kind }) => kind === 'restart' || kind === 'escalate'),
    );
    const restart = machine.messages('full').at(-1);
    expect(restart?.restart?.mode).toBe('fresh');
    const ref = /refs\/unstuck\/full\/[0-9A-Z]{26}/.exec(restart?.restart?.prompt ?? '')?.[0] ?? '';
    expect(execFileSync('git', ['show', `${ref}:calc.py`], { cwd: machine.workspace, encoding: 'utf8' })).toBe(
      'x = 1\n',
    );
  });
});

describe('the five rungs of the ladder', () => {
  async function climb(window: Window, machine: Machine) {
    const agent = machine.agent('climbing').begin().loop();
    const incident = await window.untilStuck('climbing', 'repeating_action');
    const ladder = () => window.recovery.propose(incident.id)?.ladder;
    const states = () => ladder()?.rows.map((row) => `${row.number} ${row.kind} ${row.state}`);
    /** The agent takes the message and repeats its action. */
    const fails = async (attempts: number) => {
      await agent.take('supervisor');
      agent.loop(6);
      await actedSame(machine, window, 'climbing', attempts);
    };
    return { incident, ladder, states, fails };
  }

  it('takes them one after the other: as it is, feedback, next model, top model with thinking, the person', async () => {
    const machine = new Machine();
    const window = await machine.window({ supervised: true });
    const { incident, ladder, states, fails } = await climb(window, machine);
    expect(ladder()).toMatchObject({ current: 1, next: 2 });
    expect(ladder()?.rows.map((row) => row.note)).toEqual(['', 'middle', 'large, --effort high', '']);

    await window.recovery.act(incident.id, { rung: 2 });
    expect(states()).toEqual(['2 feedback current', '3 next_model coming', '4 top_model coming', '5 ask coming']);
    expect(ladder()?.rows[0]?.note).toMatch(/^nudged \d\d:\d\d, not delivered yet$/);
    await fails(1);
    expect(ladder()?.next).toBe(3);

    await window.recovery.act(incident.id, { rung: 3 });
    const third = machine.messages('climbing').at(-1);
    expect(third).toMatchObject({ kind: 'escalate', restart: { mode: 'fresh', model: 'middle' } });
    expect(states()).toContain('3 next_model current');
    await fails(2);
    // After two failures it is up to the person, who may still choose any rung.
    await machine.until('a person is asked', () => window.incident('climbing').state === 'escalated');
    expect(ladder()).toMatchObject({ current: 5 });

    await machine.pass(1_000);
    await window.recovery.act(incident.id, { rung: 4 });
    expect(machine.messages('climbing').at(-1)).toMatchObject({
      kind: 'escalate',
      restart: { mode: 'fresh', model: 'large', thinking: 'high' },
    });
    expect(machine.messages('climbing').at(-1)?.restart?.prompt).toMatch(
      /Attempt 1: .*feedback[\s\S]*Attempt 2: .*another model/,
    );
    const told = (await window.log('Recovery')).map(({ data }) => String(data['action']));
    expect(told).toEqual(['nudge', 'result', 'escalate', 'result', 'ask', 'escalate']);
    expect((await window.log('ApprovalRequested')).map(({ data }) => data['reason'])).toEqual(['two_failures']);
  });

  it('climbs a customised ladder too', async () => {
    const machine = new Machine();
    const ladder = readLadder(['as_is', { do: 'feedback', name: 'Tell it', tries: 1 }, 'fresh', 'top_model']);
    const window = await machine.window({ supervised: true, settings: { ladder } });
    const { incident, ladder: view, fails } = await climb(window, machine);
    expect(view()?.rows.map((row) => row.name)).toEqual(['Tell it', 'Fresh context', 'Top model', 'Ask you']);
    await window.recovery.act(incident.id, { rung: 2 });
    await fails(1);
    expect(view()?.next).toBe(3);
    await window.recovery.act(incident.id, { rung: 3 });
    expect(machine.messages('climbing').at(-1)).toMatchObject({ kind: 'restart', restart: { mode: 'fresh' } });
    expect(machine.messages('climbing').at(-1)?.restart?.model).toBeUndefined();
    expect(view()?.rows.map((row) => row.state)).toEqual(['done', 'current', 'coming', 'coming']);
  });
});
