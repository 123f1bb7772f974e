import { describe, expect, it } from 'vitest';
import type { Brakes } from '../../../../src/recover/brakes';
import { DEFAULT_LIMITS } from '../../../../src/recover/decisions/limits';
import { Repository } from '../checkpoint/repository';
import { STUCK_AT } from '../../support/limits';
import { Machine, type StageOptions, type Window } from './stage';

const takes = ['nudge', 'stop', 'block'] as const;

function braked(brakes: Partial<Brakes>, more: StageOptions['settings'] = {}): StageOptions {
  return { takes, settings: { brakes: () => ({ blockRepeat: null, stopAtBudget: false, ...brakes }), ...more } };
}

async function firstStep(window: Window) {
  await window.machine.until('the step is reported', () => window.steps.length > 0);
  let found: Awaited<ReturnType<Window['log']>> = [];
  for (let look = 0; look < 100 && found.length === 0; look++) found = await window.log('Recovery');
  return found[0];
}

describe('a call that repeats', () => {
  it('is not blocked without the setting', async () => {
    const machine = new Machine();
    const window = await machine.window({ takes });
    machine
      .agent('s1')
      .begin()
      .loop(2 * STUCK_AT);
    await window.untilStuck('s1');
    await machine.pass(60_000);
    expect(machine.messages('s1')).toEqual([]);
  });

  it('is blocked when it would be the fourth in a row, with a text that names what to do instead', async () => {
    const machine = new Machine();
    const window = await machine.window(braked({ blockRepeat: 4 }));
    const agent = machine.agent('s1').begin().loop(2);
    await machine.pass(10_000);
    expect(machine.messages('s1')).toEqual([]);
    agent.loop(1);
    await machine.until('a block waits', () => machine.messages('s1').length === 1);
    const [message] = machine.messages('s1');
    expect(message).toMatchObject({
      kind: 'block',
      automated: true,
      call: { name: 'bash', args: { command: 'pytest -q' } },
    });
    expect(message?.text).toContain('Unstuck, an automated watcher, wrote and sent this.');
    expect(message?.text).toContain('name the cause that it states, and check that cause');

    const event = await firstStep(window);
    expect(event?.data).toMatchObject({ action: 'block', reason: 'brake_repeat', result: 'sent', automated: true });
    const incident = window.incident('s1');
    expect(incident.level).toBe('warn');
    expect(incident.attempts).toMatchObject([{ kind: 'block', automated: true, state: 'queued' }]);
    const row = window.recovery.propose(incident.id)?.ladder.rows.find(({ kind }) => kind === 'feedback');
    expect(row?.note).toMatch(/^blocked the call \d\d:\d\d, not delivered yet$/);
  });

  it('is blocked at the number that the folder sets, and in no other folder', async () => {
    const machine = new Machine();
    const brakes = (folder: string): Brakes => ({
      blockRepeat: folder === machine.workspace ? STUCK_AT + 2 : STUCK_AT,
      stopAtBudget: false,
    });
    await machine.window({ takes, settings: { brakes } });
    const agent = machine.agent('s1').begin().loop();
    await machine.pass(10_000);
    expect(machine.messages('s1')).toEqual([]);
    agent.loop(1);
    await machine.until('a block waits', () => machine.messages('s1').length === 1);
  });

  it('is let through if there are edits in between', async () => {
    const machine = new Machine();
    const window = await machine.window(braked({ blockRepeat: 4 }));
    const agent = machine.agent('s1').begin();
    for (let n = 0; n < 6; n++) agent.call('write_file', { path: 'calc.py', content: `${n}` }, 'ok').loop(1);
    await window.untilStuck('s1', 'repeating_outcome');
    await machine.pass(10_000);
    expect(machine.messages('s1')).toEqual([]);
  });

  it('is let through if it only waits or looks', async () => {
    const machine = new Machine();
    const window = await machine.window(braked({ blockRepeat: 4 }));
    const waits = machine.agent('waits').begin();
    const looks = machine.agent('looks').begin();
    for (let n = 0; n < 30; n++) {
      waits.call('bash', { command: 'kubectl get pods' }, 'web  0/1  Pending');
      looks.call('bash', { command: 'cat notes.md' }, 'nothing yet');
    }
    await window.untilStuck('looks', 'repeating_action');
    await machine.pass(10_000);
    expect(machine.messages('waits')).toEqual([]);
    expect(machine.messages('looks')).toEqual([]);
  });

  it('is let through while the agent waits for its user', async () => {
    const machine = new Machine();
    await machine.window(braked({ blockRepeat: 4 }));
    machine.agent('permission').begin().loop(3).line('waiting', { for: 'permission' });
    machine.agent('ended').begin().loop(3).line('turn_end', { reason: 'done' });
    await machine.pass(30_000);
    expect(machine.messages('permission')).toEqual([]);
    expect(machine.messages('ended')).toEqual([]);
  });

  it('is let through once the agent has called something else: the block is withdrawn', async () => {
    const machine = new Machine();
    const window = await machine.window(braked({ blockRepeat: 4 }));
    const agent = machine.agent('s1').begin().loop(3);
    await machine.until('a block waits', () => machine.messages('s1').length === 1);
    await machine.until('the window knows of it', () => window.engine.session('s1')?.deliveries.length === 1);
    agent.start('write_file', { path: 'calc.py', content: 'def add' });
    await machine.until('it is withdrawn', () => machine.messages('s1').length === 0);
    await machine.until('the incident says so', () => window.incident('s1').attempts[0]?.state === 'withdrawn');
  });

  it('is blocked a second time when it comes back, and then a person is asked', async () => {
    const machine = new Machine();
    const window = await machine.window(braked({ blockRepeat: 4 }));
    const agent = machine.agent('s1').begin().loop(3);
    for (const number of [1, 2]) {
      await machine.until('a block waits', () => machine.messages('s1').length === 1);
      await machine.until('it counts', () => window.incident('s1').attempts.length === number);
      await agent.take();
      await machine.pass(5_000);
      expect(window.incident('s1').attempts).toHaveLength(number);
      agent.loop(1);
    }
    agent.loop(6);
    await machine.until('a person is asked', () => window.incident('s1').state === 'escalated');
    await machine.pass(60_000);
    expect(machine.messages('s1')).toEqual([]);
  });

  it('is let through when the limit of automatic acts is reached', async () => {
    const machine = new Machine();
    await machine.window(braked({ blockRepeat: 4 }, { limits: { ...DEFAULT_LIMITS, perAgent: 0 } }));
    machine
      .agent('s1')
      .begin()
      .loop(2 * STUCK_AT);
    await machine.pass(30_000);
    expect(machine.messages('s1')).toEqual([]);
  });
});

describe('a used-up budget', () => {
  it('stops the agent once, after a checkpoint', async () => {
    const machine = new Machine();
    const repository = new Repository(machine.workspace).write('calc.py', 'def add');
    repository.git('init', '-q');
    repository.commit('Begin').write('calc.py', 'def add(a, b)');
    const window = await machine.window({ ...braked({ stopAtBudget: true }), budgets: { calls: 6 } });
    const agent = machine.agent('s1').begin();
    for (let n = 0; n < 5; n++) agent.call('bash', { command: `cat file${n}` }, `text ${n}`);
    await machine.pass(5_000);
    expect(machine.messages('s1')).toEqual([]);
    agent.call('bash', { command: 'cat more' }, 'more');
    await machine.until('a stop waits', () => machine.messages('s1').length === 1);
    expect(machine.messages('s1')[0]).toMatchObject({ kind: 'stop', automated: true });
    const event = await firstStep(window);
    expect(event?.data).toMatchObject({ action: 'stop', reason: 'brake_budget', result: 'sent', automated: true });
    expect(event?.data['checkpoint']).toMatch(/^refs\/unstuck\/s1\//);
    await agent.take();
    agent.call('bash', { command: 'cat yet more' }, 'yet more');
    await machine.pass(60_000);
    expect(machine.messages('s1')).toEqual([]);
  });
});
