import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reachOf } from '../../../../src/recover/decisions/reach';
import { plain, reachSentence } from '../../../../src/core/words';
import { Machine, type Window } from './stage';

const HOUR = 3_600_000;
const SESSION = 'a';

/** A looping agent with a queued nudge. */
async function nudged() {
  const machine = new Machine();
  const window = await machine.window();
  const agent = machine.agent(SESSION).begin().loop(6);
  const incident = await window.untilStuck(SESSION);
  const sent = await window.recovery.act(incident.id, { action: 'nudge' });
  expect(sent.ok).toBe(true);
  return { machine, window, agent, incident };
}

const state = (window: Window) => window.view(SESSION)?.state;
const delivery = (window: Window) => window.view(SESSION)?.deliveries[0]?.state;
/** Identifies the file `wake`: each call of the agent replaces it. */
const wake = ({ workspace }: Machine) => statSync(join(workspace, '.unstuck/inbox', SESSION, 'wake')).ino;

describe('a person interrupts an agent that has a queued message', () => {
  it('no longer counts it as stuck, keeps the message for hours, and delivers it with the next prompt', async () => {
    const { machine, window, agent } = await nudged();
    agent.line('turn_end', { reason: 'interrupted' });
    await machine.until('the person has the move', () => state(window)?.interrupted === true);
    expect(state(window)).toMatchObject({ kind: 'waiting', waitingFor: 'turn_end' });
    await machine.pass(60_000);
    machine.clock.pass(4 * HOUR);
    await machine.pass(60_000);
    expect(delivery(window)).toBe('queued');
    expect(machine.messages(SESSION)).toHaveLength(1);

    agent.line('user', { text: 'Go on then.' });
    expect(await agent.take()).toHaveLength(1);
    await machine.until('it was seen', () => delivery(window) === 'seen');
  });

  it('restarts the message’s expiry time at the next prompt if it is not picked up', async () => {
    const { machine, window, agent } = await nudged();
    agent.line('turn_end', { reason: 'interrupted' });
    await machine.until('the person has the move', () => state(window)?.interrupted === true);
    await machine.pass(60_000);
    machine.clock.pass(HOUR);
    agent.line('user', { text: 'Go on then.' });
    await machine.until('it works', () => state(window)?.interrupted !== true);
    await machine.pass(60_000);
    expect(delivery(window)).toBe('queued');
    machine.clock.pass(600_000);
    await machine.until('it expired', () => delivery(window) === 'expired');
    await machine.until('it was moved away', () => machine.messages(SESSION).length === 0);
  });

  it('keeps it for a day at most', async () => {
    const { machine, window, agent } = await nudged();
    agent.line('turn_end', { reason: 'interrupted' });
    await machine.until('the person has the move', () => state(window)?.interrupted === true);
    await machine.pass(60_000);
    machine.clock.pass(23 * HOUR);
    await machine.pass(60_000);
    expect(delivery(window)).toBe('queued');
    machine.clock.pass(HOUR + 600_000);
    await machine.until('it expired', () => delivery(window) === 'expired');
  });

  // a nudge is queued │ a person presses Escape │ it waits for their next prompt, longer than a message usually does │ they click Nudge once more
  it('sends no second nudge while the first still waits for the next prompt', async () => {
    const { machine, window, agent, incident } = await nudged();
    agent.line('turn_end', { reason: 'interrupted' });
    await machine.until('the person has the move', () => state(window)?.interrupted === true);
    await machine.pass(60_000);
    machine.clock.pass(HOUR);
    expect(delivery(window)).toBe('queued');
    const again = await window.recovery.act(incident.id, { action: 'nudge' });
    expect(again).toMatchObject({ ok: false, error: { message: /^A nudge for this is already queued/ } });
    expect(machine.messages(SESSION)).toHaveLength(1);
  });

  it('does not wake the agent, and the message box says what will happen', async () => {
    const { machine, window, agent } = await nudged();
    const before = wake(machine);
    agent.line('turn_end', { reason: 'interrupted' });
    await machine.until('the person has the move', () => state(window)?.interrupted === true);
    await machine.pass(30_000);
    expect(wake(machine)).toBe(before);
    const reach = reachOf({
      agent: {
        trusted: true,
        inFolder: true,
        state: state(window) ?? { kind: 'working', since: 0 },
        liveness: 'alive',
        waitingFor: 'turn_end',
      },
      route: {
        connected: true,
        canConnect: true,
        connectedAt: 0,
        wakesIdle: true,
        joinsRunning: true,
        proof: 'proven',
      },
      startedAt: 1,
      expiresAt: machine.clock.now() + 600_000,
      now: machine.clock.now(),
    });
    expect(plain(reachSentence(reach, machine.clock.now()))).toContain('You interrupted it.');
  });
});

describe('a turn ends while a message is still queued', () => {
  it('wakes the agent once more: the message came too late for the end of the turn and too early for an idle agent', async () => {
    const { machine, window, agent } = await nudged();
    const before = wake(machine);
    agent.line('turn_end', { reason: 'done' });
    await machine.until('it is woken', () => wake(machine) !== before);
    const called = wake(machine);
    await machine.pass(30_000);
    expect(wake(machine)).toBe(called);
    expect(delivery(window)).toBe('queued');
  });
});
