import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { STUCK_AT } from '../../support/limits';
import { Machine } from './stage';

async function stuck(options: Parameters<Machine['window']>[0] = {}) {
  const machine = new Machine();
  const window = await machine.window(options);
  const agent = machine.agent('s1').begin().loop();
  const incident = await window.untilStuck('s1', 'repeating_action');
  return { machine, window, agent, incident, act: window.recovery.act.bind(window.recovery, incident.id) };
}

describe('what a person can click', () => {
  it('sends the text that the person edited, and counts it as an attempt', async () => {
    const { machine, window, act } = await stuck();
    expect(await act({ action: 'nudge', text: 'Look at test_add first.' })).toMatchObject({ ok: true });
    const [message] = machine.messages('s1');
    expect(message).toMatchObject({ kind: 'nudge', automated: false, attempt: 1 });
    expect(message?.text).toMatch(/^Look at test_add first\. \[unstuck /);
    expect(window.incident('s1').attempts).toMatchObject([
      { attempt: 1, kind: 'nudge', rung: 'feedback', automated: false },
    ]);
    expect(window.steps).toMatchObject([
      { action: 'nudge', rung: 2, reason: 'clicked', result: 'sent', session: 's1' },
    ]);
  });

  it('gives the task to the idle session that the person picks, with what to avoid, and tells the stuck agent to drop it once it is taken', async () => {
    const { machine, window, agent, incident, act } = await stuck();
    const other = machine.agent('s2').begin('Write the documentation').line('turn_end', { reason: 'done' });
    await machine.until('the other one is idle', () => window.recovery.successors(incident.id).length === 1);
    expect(window.recovery.successors(incident.id)).toMatchObject([
      { session: 's2', title: 'Write the documentation' },
    ]);
    expect(await act({ action: 'reassign' })).toMatchObject({ ok: false, error: { code: 'choose_target' } });

    expect(await act({ action: 'reassign', to: 's2' })).toMatchObject({ ok: true, value: { kind: 'sent' } });
    const [task] = machine.messages('s2');
    expect(task).toMatchObject({ kind: 'reassign', session: 's2', task: { to: 's2' } });
    expect(task?.task?.avoid[0]).toContain(`\`pytest -q\` (${STUCK_AT} times)`);
    expect(task?.text).toContain('Fix the failing test of the calculator');
    other.work('docs');
    await machine.until('it does its own work', () => window.view('s2')?.health.lastProgress !== undefined);
    await machine.pass(1_000);
    expect(machine.messages('s1')).toEqual([]);
    expect(window.incident('s1').state).not.toBe('recovered');

    await other.take();
    await machine.until('the stuck agent gets a message', () => machine.messages('s1').length === 1);
    expect(
      machine.messages('s1').map(({ kind, text }) => [kind, text.includes('now belongs to another agent')]),
    ).toEqual([['nudge', true]]);
    await agent.take();
    other.work('calc');
    other.loop(0).call('bash', { command: 'git commit -am fix' }, '[main 4be19c2] fix');
    await machine.until('it helped', () => window.incident('s1').state === 'recovered');
    expect(window.incident('s1').outcome).toBe('restart');
    expect(window.steps.at(-1)).toMatchObject({ action: 'result', result: 'recovered', rungKind: null });
    const events = await window.store.events({ type: 'Recovery', incident: window.incident('s1').id });
    expect(
      events.map(({ data }) => [data['action'], data['rungKind'], data['did'], data['successor'], data['summary']]),
    ).toEqual([
      ['reassign', null, undefined, undefined, undefined],
      ['result', null, 'reassigned', 's2', 'Reassigned: the agent recovered.'],
    ]);
  });

  it('never starts a terminal until it is clear that the process is gone, or the person says so', async () => {
    const { window, act, incident } = await stuck();
    const fresh = window.recovery.propose(incident.id)?.actions.find((one) => one.action === 'fresh');
    expect(fresh).toMatchObject({ possible: true, decision: { via: 'terminal', confirmGone: true } });
    expect(await act({ action: 'fresh' })).toMatchObject({ ok: false, error: { code: 'confirm_gone' } });
    expect(await act({ action: 'fresh', saysGone: true })).toMatchObject({
      ok: true,
      value: { kind: 'launch', launch: { program: 'agent', mode: 'fresh', from: 's1' } },
    });
  });

  it('begins a new chat with the task and what was tried, and sees in the new session whether it helped', async () => {
    const { machine, window, incident, act } = await stuck({ chats: ['s1'] });
    const possible = window.recovery.propose(incident.id)?.actions.filter((one) => one.possible);
    expect(possible?.map(({ action }) => action)).toEqual(expect.arrayContaining(['fresh', 'next_model', 'stop']));
    expect(await act({ action: 'resume' })).toMatchObject({ ok: false, error: { message: /^To continue a chat/ } });

    const acted = await act({ action: 'next_model' });
    if (!acted.ok || acted.value.kind !== 'chat') throw new Error(JSON.stringify(acted));
    const { prompt, ...chat } = acted.value.chat;
    expect(chat).toEqual({ model: 'middle', cancels: true, remarks: [] });
    expect(prompt).toContain('You take over from an agent that got stuck.');
    expect(prompt).toContain('Fix the failing test of the calculator');
    expect(prompt).not.toContain('Attempt 1');
    expect(window.incident('s1').attempts).toEqual([]);

    const next = machine.agent('s2').begin('You take over from an agent that got stuck.');
    next.work('calc');
    await machine.until('it helped', () => window.incident('s1').state === 'recovered');
    expect(window.incident('s1').attempts).toMatchObject([{ kind: 'escalate', rung: 'next_model' }]);
    expect(window.incident('s1').outcome).toBe('restart');
  });

  it('cancels the running turn of a chat, which does not count as an attempt', async () => {
    const { machine, window, agent, incident, act } = await stuck({ chats: ['s1'] });
    expect(await act({ action: 'stop' })).toMatchObject({ ok: true, value: { kind: 'cancel' } });
    expect(window.incident('s1').attempts).toEqual([]);
    expect(machine.messages('s1')).toEqual([]);
    expect(window.steps.at(-1)).toMatchObject({ action: 'stop', result: 'stopping' });
    agent.line('turn_end', { reason: 'done' });
    const stop = () => window.recovery.propose(incident.id)?.actions.find((one) => one.action === 'stop');
    await machine.until('its turn has ended', () => stop()?.possible === false);
    expect(stop()?.text).toMatch(/^Its turn has ended/);
  });

  it('hands the task of a chat to another chat without cancelling the first', async () => {
    const { act } = await stuck({ chats: ['s1'] });
    expect(await act({ action: 'reassign', to: null })).toMatchObject({
      ok: true,
      value: { kind: 'chat', chat: { cancels: false } },
    });
  });

  it('restarts an agent that has ended, and sees in the new session whether it helped', async () => {
    const { machine, window, agent, incident, act } = await stuck();
    agent.line('session_end', { reason: 'interrupted' });
    await machine.until('it has ended', () => window.view('s1')?.state.kind === 'finished');
    const acted = await act({ action: 'next_model' });
    if (!acted.ok || acted.value.kind !== 'launch') throw new Error(JSON.stringify(acted));
    const { launch } = acted.value;
    expect(launch.args.slice(0, 2)).toEqual(['--model', 'middle']);
    expect(launch.args.at(-1)).toContain('You take over from an agent that got stuck.');
    expect(launch.cwd).toBe(machine.workspace);
    await machine.pass(10_000);
    expect(window.incident('s1').attempts).toEqual([]);

    const next = machine.agent('s1-again').begin('You take over from an agent that got stuck.');
    next.work('calc');
    await machine.until('it helped', () => window.incident('s1').state === 'recovered');
    expect(window.incident('s1').attempts).toMatchObject([{ kind: 'escalate', rung: 'next_model' }]);
    await machine.pass(1_000);
    expect((await window.log('Recovery')).at(-1)?.data).toMatchObject({ result: 'recovered', successor: 's1-again' });
    expect(incident.id).toBe(window.incident('s1').id);
  });

  // two agents of one kind in one folder die │ a person restarts both │ a session begins │ another one begins
  it('takes each new session for the result of one restart only', async () => {
    const { machine, window, agent, act } = await stuck();
    const other = machine.agent('s2').begin().loop(STUCK_AT, 'npm test');
    const second = await window.untilStuck('s2', 'repeating_action');
    for (const one of [agent, other]) one.line('session_end', { reason: 'died' });
    const hasEnded = (session: string) => window.view(session)?.state.kind === 'finished';
    await machine.until('both have ended', () => hasEnded('s1') && hasEnded('s2'));
    expect(await act({ action: 'fresh' })).toMatchObject({ value: { kind: 'launch' } });
    expect(await window.recovery.act(second.id, { action: 'fresh' })).toMatchObject({ value: { kind: 'launch' } });

    machine.agent('s3').begin('You take over.').work('calc');
    await machine.until('it helped', () => window.incident('s1').state === 'recovered');
    await machine.pass(10_000);
    expect(window.incident('s2').attempts).toEqual([]);
    expect(window.incident('s2').state).not.toBe('recovered');

    machine.agent('s4').begin('You take over from the other one.').work('more');
    await machine.until('that helped, too', () => window.incident('s2').state === 'recovered');
    await machine.pass(1_000);
    const results = (await window.log('Recovery')).filter(({ data }) => data['action'] === 'result');
    expect(results.map(({ session, data }) => [session, data['successor']])).toEqual([
      ['s1', 's3'],
      ['s2', 's4'],
    ]);
  });

  // a restart is clicked │ the terminal is closed before the agent began │ an hour later a person starts the same agent by hand
  it('does not take a session that a person starts much later for the restarted agent', async () => {
    const { machine, window, agent, act } = await stuck();
    agent.line('session_end', { reason: 'died' });
    await machine.until('it has ended', () => window.view('s1')?.state.kind === 'finished');
    await act({ action: 'fresh' });
    machine.clock.pass(3_600_000);
    await machine.pass(1_000);
    machine.agent('by-hand').begin('Write the documentation').work('guide');
    await machine.until('it works', () => window.view('by-hand')?.health.lastProgress !== undefined);
    await machine.pass(10_000);
    expect(window.incident('s1').attempts).toEqual([]);
    expect(window.incident('s1').state).not.toBe('recovered');
  });

  it('does not mistake a sub-agent that another agent starts meanwhile for the restarted agent', async () => {
    const { machine, window, agent, act } = await stuck();
    machine.agent('s2').begin('Write the documentation');
    agent.line('session_end', { reason: 'died' });
    await machine.until('it has ended', () => window.view('s1')?.state.kind === 'finished');
    await machine.pass(3_000);
    await act({ action: 'fresh' });
    machine.agent('s2-sub').begin('Look for the style guide', { parent: 's2' }).work('guide');
    await machine.until('the sub-agent works', () => window.view('s2-sub')?.health.lastProgress !== undefined);
    await machine.pass(1_000);
    expect(window.incident('s1').state).not.toBe('recovered');

    machine.agent('s1-again').begin('You take over.').work('calc');
    await machine.until('it helped', () => window.incident('s1').state === 'recovered');
    await machine.pass(1_000);
    expect((await window.log('Recovery')).at(-1)?.data).toMatchObject({ result: 'recovered', successor: 's1-again' });
  });

  it('tells an agent that gets stuck again after a restart all that was tried in the session before', async () => {
    const { machine, window, agent, act } = await stuck();
    agent.line('session_end', { reason: 'died' });
    await machine.until('it has ended', () => window.view('s1')?.state.kind === 'finished');
    await act({ action: 'fresh' });
    const next = machine.agent('s1-again').begin('You take over.').loop();
    const again = await window.untilStuck('s1-again', 'repeating_action');
    await machine.until('the restart has failed', () => window.steps.some((step) => step.result === 'failed'));
    expect(window.recovery.draft(again.id, 'nudge')).toMatch(
      /Attempt 1, in an earlier session: fresh context[^]*Attempt 1 with small: /,
    );
    next.loop(1);
  });

  it('ends a connected agent first, and opens the terminal once it has ended', async () => {
    const machine = new Machine();
    const window = await machine.window({ takes: ['nudge', 'stop'] });
    const agent = machine.agent('s1').begin('Fix it', { pid: 1 }).loop();
    const incident = await window.untilStuck('s1', 'repeating_action');
    const session = window.engine.session('s1');
    if (session) session.liveness = { alive: true, pid: 1 };
    expect(await window.recovery.act(incident.id, { action: 'resume' })).toMatchObject({
      ok: true,
      value: { kind: 'stopping' },
    });
    expect(machine.messages('s1')).toMatchObject([{ kind: 'stop' }]);
    expect(window.launches).toEqual([]);
    if (session) session.liveness = { alive: false };
    agent.line('session_end', { reason: 'clean' });
    await machine.until('the terminal can be opened', () => window.launches.length === 1);
    expect(window.launches[0]).toMatchObject({ mode: 'resume', session: 's1' });
    expect(window.launches[0]?.args.slice(0, 2)).toEqual(['--resume', 's1']);
    const live = await machine.window();
    void live;
  });

  it('ends an agent in the terminal of this window where it runs: no message is needed, and none is left for the next', async () => {
    const machine = new Machine();
    const ended: string[] = [];
    const window = await machine.window({ takes: ['nudge'], terminals: { here: ['s1'], ended } });
    const agent = machine.agent('s1').begin('Fix it', { pid: 1 }).loop();
    const incident = await window.untilStuck('s1', 'repeating_action');
    const session = window.engine.session('s1');
    if (session) session.liveness = { alive: true, pid: 1 };
    const acted = await window.recovery.act(incident.id, { action: 'resume' });
    expect(acted).toEqual({ ok: true, value: { kind: 'stopping', here: true } });
    expect(ended).toEqual(['s1']);
    expect(machine.messages('s1')).toEqual([]);
    expect(window.recovery.waitsFor('s1')).toMatchObject({ mode: 'resume', from: 's1' });
    if (session) session.liveness = { alive: false };
    agent.line('session_end', { reason: 'died' });
    await machine.until('it is started again', () => window.launches.length === 1);
    expect(window.launches[0]).toMatchObject({ mode: 'resume', session: 's1', from: 's1' });
    expect(window.recovery.waitsFor('s1')).toBeNull();
  });

  it('starts nothing if the person copied the command to start it by hand', async () => {
    const machine = new Machine();
    const window = await machine.window({ takes: ['nudge', 'stop'] });
    const agent = machine.agent('s1').begin('Fix it', { pid: 1 }).loop();
    const incident = await window.untilStuck('s1', 'repeating_action');
    const session = window.engine.session('s1');
    if (session) session.liveness = { alive: true, pid: 1 };
    expect(await window.recovery.act(incident.id, { action: 'resume' })).toMatchObject({ value: { here: false } });
    window.recovery.dropRestart('s1');
    if (session) session.liveness = { alive: false };
    agent.line('session_end', { reason: 'clean' });
    await machine.pass(30_000);
    expect(window.launches).toEqual([]);
  });

  it('starts nothing next to a living process that no message can end: the person has to close it', async () => {
    const { machine, window, act } = await stuck({ takes: ['nudge'] });
    const session = window.engine.session('s1');
    if (session) session.liveness = { alive: true, pid: 1 };
    expect(await act({ action: 'resume', saysGone: true })).toMatchObject({ value: { kind: 'stopping', here: false } });
    expect(machine.messages('s1')).toEqual([]);
    await machine.pass(30_000);
    expect(window.launches).toEqual([]);
    expect(window.recovery.waitsFor('s1')).toMatchObject({ mode: 'resume', from: 's1' });
    if (session) session.liveness = { alive: false };
    window.recovery.ended('s1');
    expect(window.launches).toMatchObject([{ mode: 'resume', session: 's1', from: 's1' }]);
    window.recovery.ended('s1');
    expect(window.launches).toHaveLength(1);
  });

  it('can be given as a command if nothing shows whether the process runs', async () => {
    const { window, incident, act } = await stuck();
    expect(await act({ action: 'resume' })).toMatchObject({ error: { code: 'confirm_gone' } });
    expect(window.recovery.planned(incident.id, { action: 'resume' })).toMatchObject({ mode: 'resume', session: 's1' });
    expect(window.recovery.planned(incident.id, { action: 'checkpoint' })).toBeNull();
    expect(window.launches).toEqual([]);
  });

  it('blocks exactly the repeated call, once', async () => {
    const { machine, act } = await stuck({ takes: ['nudge', 'block'] });
    expect(await act({ action: 'block' })).toMatchObject({ ok: true });
    expect(machine.messages('s1')[0]).toMatchObject({
      kind: 'block',
      call: { name: 'bash', args: { command: 'pytest -q' } },
    });
    expect(machine.messages('s1')[0]?.text).toContain('blocked once');
  });

  it('saves the work in progress before a restart, and on its own', async () => {
    const { machine, window, agent, act } = await stuck();
    execFileSync('git', ['init', '-q'], { cwd: machine.workspace });
    writeFileSync(join(machine.workspace, 'calc.py'), 'x = 1\n');
    const saved = await act({ action: 'checkpoint' });
    expect(saved).toMatchObject({ ok: true, value: { kind: 'saved' } });
    const list = await window.recovery.checkpoints(machine.workspace);
    expect(list.ok && list.value[0]?.summary).toContain(`Stuck on: pytest -q, ${STUCK_AT} times`);
    agent.line('session_end', { reason: 'died' });
    await machine.until('it has ended', () => window.view('s1')?.state.kind === 'finished');
    writeFileSync(join(machine.workspace, 'calc.py'), 'x = 2\n');
    const acted = await act({ action: 'fresh' });
    if (!acted.ok || acted.value.kind !== 'launch') throw new Error(JSON.stringify(acted));
    expect(acted.value.launch.args.at(-1)).toMatch(/saved in git as refs\/unstuck\/s1\//);
  });

  // the disk of temporary files is full: the work cannot be saved │ the person continues without
  it('restarts without a checkpoint, if the person agrees, where the system cannot save one', async () => {
    const { machine, act } = await stuck();
    execFileSync('git', ['init', '-q'], { cwd: machine.workspace });
    vi.stubEnv('TMPDIR', join(machine.home, 'missing'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const asked = await act({ action: 'fresh', saysGone: true });
    expect(asked).toMatchObject({
      ok: false,
      error: { code: 'checkpoint', message: expect.stringContaining('ENOENT') },
    });
    expect(await act({ action: 'fresh', saysGone: true, withoutCheckpoint: true })).toMatchObject({
      ok: true,
      value: { kind: 'launch' },
    });
  });

  it('asks the person on a click, once', async () => {
    const { machine, window, act } = await stuck();
    expect(await act({ rung: 5 })).toMatchObject({ ok: true, value: { kind: 'asked' } });
    expect(window.incident('s1').state).toBe('escalated');
    expect(await act({ rung: 5 })).toMatchObject({ ok: false });
    expect(await act({ rung: 9 })).toMatchObject({ ok: false });
    await machine.until('it is in the log', async () => (await window.log('ApprovalRequested')).length > 0);
    expect(await window.log('ApprovalRequested')).toHaveLength(1);
  });
});
