import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../src/recover/decisions/limits';
import { STUCK_AT } from '../../support/limits';
import { Machine, type Window } from './stage';

const automatic = { automatic: true };

describe('automatic mode', () => {
  it('is off by default', async () => {
    const machine = new Machine();
    const window = await machine.window();
    machine
      .agent('s1')
      .begin()
      .loop(2 * STUCK_AT);
    const incident = await window.untilStuck('s1');
    await machine.pass(120_000);
    expect(machine.messages('s1')).toEqual([]);
    expect(window.recovery.propose(incident.id)?.automatic).toEqual({
      on: false,
      held: false,
      next: null,
      text: 'Automatic mode is off.',
    });
  });

  it('sends nothing to an agent that waits for permission, for an answer, or after its turn', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic });
    machine.agent('permission').begin().loop().line('waiting', { for: 'permission' });
    machine.agent('question').begin().loop().line('waiting', { for: 'input' });
    machine.agent('ended').begin().loop().line('turn_end', { reason: 'done' });
    for (const session of ['permission', 'question', 'ended']) await window.untilStuck(session);
    await machine.pass(120_000);
    for (const session of ['permission', 'question', 'ended']) expect(machine.messages(session)).toEqual([]);
  });

  it('waits for its countdown, which a person can hold and release', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic });
    const agent = machine.agent('s1').begin().loop();
    const incident = await window.untilStuck('s1');
    await machine.until('the countdown shows', () => window.recovery.propose(incident.id)?.automatic.next !== null);
    window.recovery.hold(incident.id, true);
    await machine.pass(60_000);
    expect(machine.messages('s1')).toEqual([]);
    expect(window.recovery.propose(incident.id)?.automatic).toMatchObject({ held: true, text: 'You are holding it.' });
    agent.loop(1);
    window.recovery.hold(incident.id, false);
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length === 1);
  });

  // the disk refuses the nudge │ the disk is writable again │ the agent waits for a long call: nothing changes
  it('tries a nudge that could not be written again after a minute, even if nothing changes', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic });
    machine.agent('s1').begin().loop();
    await window.untilStuck('s1');
    const inTheWay = join(machine.workspace, '.unstuck');
    writeFileSync(inTheWay, '');
    await machine.pass(40_000);
    rmSync(inTheWay);
    await machine.pass(60_000);
    expect(machine.messages('s1')).toHaveLength(1);
  });

  // another window takes the first attempt │ automatic mode leaves it to that one │ that window is closed before it has sent anything
  it('takes over an attempt that another window had taken and did not make', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic });
    const other = await machine.window();
    machine.agent('s1').begin().loop();
    const incident = await window.untilStuck('s1');
    const claim = await other.store.claim(incident, 'send:1');
    expect(claim).not.toBeNull();
    await machine.pass(40_000);
    expect(machine.messages('s1')).toEqual([]);
    await claim?.release();
    await machine.pass(60_000);
    expect(machine.messages('s1')).toHaveLength(1);
  });

  it('sends no second nudge while a streak does not grow', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic });
    const agent = machine.agent('s1').begin().loop();
    await window.untilStuck('s1', 'repeating_action');
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length === 1);
    await agent.take();
    for (let n = 0; n < 6; n++) agent.call('bash', { command: `cat file${n}` }, `text ${n}`);
    await machine.until(
      'it was acted upon',
      () => window.incident('s1', 'repeating_action').attempts[0]?.outcome === 'changed',
    );
    await machine.pass(300_000);
    expect(machine.messages('s1')).toEqual([]);
    expect(window.incident('s1', 'repeating_action').attempts).toHaveLength(1);
  });

  it('reports that an agent recovered after its nudge', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic });
    const agent = machine.agent('s1').begin().loop();
    await window.untilStuck('s1', 'repeating_action');
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length === 1);
    await agent.take();
    agent.work('calc').call('bash', { command: 'pytest -q' }, '4 passed');
    for (let n = 0; n < 6; n++) agent.work(`more${n}`);
    await machine.until('it recovered', () => window.incident('s1').state === 'recovered');
    await machine.until('the recovery is reported', () => window.steps.at(-1)?.result === 'recovered');
    expect(window.steps.at(-1)).toMatchObject({ action: 'result', rung: 2 });
    await machine.pass(60_000);
    expect(machine.messages('s1')).toEqual([]);
  });

  it('makes a second attempt when its message is not taken in time and the loop continues', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: { ...automatic, expiryMs: 60_000 } });
    const agent = machine.agent('s1').begin().loop();
    await window.untilStuck('s1', 'repeating_action');
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length === 1);
    await machine.until('it expired', () => window.incident('s1').attempts[0]?.state === 'expired');
    agent.loop(2);
    await machine.until('the second attempt', () => window.incident('s1').attempts.length === 2);
    expect(window.steps.map((step) => step.result)).toContain('not_delivered');
  });

  it('reaches its limits across incidents of one agent, and asks', async () => {
    const machine = new Machine();
    const limits = { ...DEFAULT_LIMITS, perAgent: 1 };
    const window = await machine.window({ settings: { ...automatic, limits } });
    const agent = machine.agent('s1').begin().loop();
    await window.untilStuck('s1', 'repeating_action');
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length === 1);
    await agent.take();
    agent.call('bash', { command: 'pytest -q' }, '4 passed');
    for (let n = 0; n < 4; n++) agent.work(`w${n}`);
    agent.loop(5, 'npm test');
    await machine.until('a second one is stuck', () => (window.engine.session('s1')?.book.all().length ?? 0) > 1);
    await machine.until('a person is asked', () => window.view('s1')?.state.kind === 'escalated');
    expect((await window.log('ApprovalRequested')).map(({ data }) => data['reason'])).toEqual(['limit_agent']);
    expect(machine.messages('s1')).toEqual([]);
  });
});

describe('a reached limit is shown on the last rung of the ladder', () => {
  const noteOfAsk = (window: Window, session: string): string | undefined => {
    const incident = window.incident(session, 'repeating_action');
    return window.recovery.propose(incident.id)?.ladder.rows.find(({ kind }) => kind === 'ask')?.note;
  };

  it('for one item of the plan', async () => {
    const machine = new Machine();
    const limits = { ...DEFAULT_LIMITS, perPlanItem: 1 };
    const window = await machine.window({ settings: { ...automatic, limits } });
    const items = [{ id: '1', title: 'Fix add', status: 'in_progress' }];
    const agent = machine.agent('s1').begin().line('plan', { items }).loop();
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length === 1);
    await agent.take();
    agent.loop(6);
    await machine.until('a person is asked', () => window.view('s1')?.state.kind === 'escalated');
    expect((await window.log('ApprovalRequested')).map(({ data }) => data['reason'])).toEqual(['limit_plan_item']);
    expect(noteOfAsk(window, 's1')).toBe('limit reached: 1 in 60 min for this plan item');
  });

  it('for all agents together', async () => {
    const machine = new Machine();
    const limits = { ...DEFAULT_LIMITS, global: 1 };
    const window = await machine.window({ settings: { ...automatic, limits } });
    machine.agent('s1').begin().loop();
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length === 1);
    machine.agent('s2').begin().loop(STUCK_AT, 'npm test');
    await machine.until('a person is asked', () => window.view('s2')?.state.kind === 'escalated');
    const asked = (await window.log('ApprovalRequested')).filter(({ session }) => session === 's2');
    expect(asked.map(({ data }) => data['reason'])).toEqual(['limit_global']);
    expect(noteOfAsk(window, 's2')).toBe('limit reached: 1 in 60 min for all agents');
    expect(machine.messages('s2')).toEqual([]);
  });

  it('for all agents together, even if two countdowns end at the same moment', async () => {
    const machine = new Machine();
    const limits = { ...DEFAULT_LIMITS, global: 1 };
    const one = machine.agent('s1').begin();
    const other = machine.agent('s2').begin();
    for (let n = 0; n < STUCK_AT; n++) for (const agent of [one, other]) agent.loop(1);
    // Both countdowns begin with the window.
    const window = await machine.window({ settings: { ...automatic, limits } });
    const messages = () => ['s1', 's2'].flatMap((session) => machine.messages(session));
    const asked = () => ['s1', 's2'].filter((session) => window.view(session)?.state.kind === 'escalated');
    await machine.until('a person is asked about one of them', () => asked().length > 0);
    await machine.until('the other is nudged', () => messages().length > 0);
    await machine.pass(10_000);
    expect(messages()).toHaveLength(1);
    expect(asked()).toHaveLength(1);
  });
});

describe('two windows on one folder', () => {
  it('count each attempt once, even the window that made it and then reads it in the shared log', async () => {
    const machine = new Machine();
    const one = await machine.window({ settings: automatic });
    const two = await machine.window();
    const agent = machine.agent('s1').begin().loop();
    await one.untilStuck('s1');
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length > 0);
    // The other window logs an event, so this one reads the log, which also holds its own attempt.
    const read = new Promise<void>((done) => {
      one.store.onDidChange(({ source, events }) => source === 'other' && events.length > 0 && done());
    });
    await two.store.appendEvent({
      t: machine.clock.now(),
      type: 'Recovery',
      session: 's2',
      agent: 'generic',
      data: {},
    });
    let seen = false;
    void read.then(() => (seen = true));
    await machine.until('the event of the other window is read', () => seen);
    await machine.pass(10_000);
    await agent.take();
    agent.loop(6);
    await machine.until('the task is reassigned', () => machine.messages('s1').length > 0);
  });

  it('nudge once, see each other’s attempts, and ask once', async () => {
    const machine = new Machine();
    const one = await machine.window({ settings: automatic });
    const two = await machine.window({ settings: automatic });
    const agent = machine.agent('s1').begin().loop();
    await one.untilStuck('s1');
    await two.untilStuck('s1');
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length > 0);
    await machine.pass(60_000);
    expect(machine.messages('s1')).toHaveLength(1);
    await machine.until('both know', () => [one, two].every((window) => window.incident('s1').attempts.length === 1));
    await agent.take();
    agent.loop(6);
    await machine.until('the task is reassigned', () => machine.messages('s1').length > 0);
    await machine.pass(60_000);
    expect(machine.messages('s1')).toHaveLength(1);
    await machine.until('both know', () => [one, two].every((window) => window.incident('s1').attempts.length === 2));
    await agent.take();
    agent.loop(6);
    await machine.until('a person is asked', () =>
      [one, two].every((window) => window.incident('s1').state === 'escalated'),
    );
    const asked = async () =>
      (await one.log('ApprovalRequested')).filter(({ data }) => data['reason'] === 'two_failures');
    await machine.until('it is in the log', async () => (await asked()).length > 0);
    await machine.pass(5_000);
    expect(await asked()).toHaveLength(1);
  });
});

describe('blocked items of a plan', () => {
  const plan = (blocked: boolean) => ({
    items: [
      { id: '1', title: 'Read the test', status: 'completed' },
      { id: '2', title: 'Fix add()', status: blocked ? 'blocked' : 'in_progress' },
      { id: '3', title: 'Release', status: 'pending', blockedBy: ['2'] },
      { id: '4', title: 'Write the docs', status: 'pending' },
    ],
  });

  it('names in the nudge what can continue without the item, and logs SubtaskBlocked', async () => {
    const machine = new Machine();
    const window = await machine.window({ settings: automatic });
    machine.agent('s1').begin().line('plan', plan(false)).loop();
    await window.untilStuck('s1');
    await machine.until('the nudge is in the inbox', () => machine.messages('s1').length === 1);
    const text = machine.messages('s1')[0]?.text ?? '';
    expect(text).toContain('```\nWrite the docs\n```');
    expect(text).not.toContain('Release');
    await machine.until('it is in the log', async () => (await window.log('SubtaskBlocked')).length > 0);
    expect((await window.log('SubtaskBlocked')).map(({ data }) => data)).toMatchObject([
      { item: { id: '2' }, others: [{ id: '4' }], message: 'Continuing with 1 independent item.' },
    ]);
  });

  it('asks the person when the plan itself is blocked and nothing is left', async () => {
    const machine = new Machine();
    const window = await machine.window();
    const items = plan(true).items.slice(1, 3);
    machine.agent('s1').begin().line('plan', { items }).call('bash', { command: 'ls' }, 'a');
    await machine.until('the session is there', () => window.view('s1') !== undefined);
    await machine.until('it is in the log', async () => (await window.log('ApprovalRequested')).length > 0);
    expect((await window.log('SubtaskBlocked')).map(({ data }) => data['message'])).toEqual([
      'No independent work remaining.',
    ]);
    expect((await window.log('ApprovalRequested')).map(({ data }) => data['reason'])).toEqual(['no_independent_work']);
  });
});
