import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reachOf } from '../../../../src/recover/decisions/reach';
import { plain, reachSentence } from '../../../../src/core/words';
import { Machine, type Window } from './stage';

const HOUR = 3_600_000;
const SESSION = 'a';

/** An agent in a loop, for which a nudge waits. */
async function nudged() {
  const machine = new Machine();
  const window = await machine.window();
  const agent = machine.agent(SESSION).begin().loop(6);
  const incident = await window.untilStuck(SESSION);
  const sent = await window.recovery.act(incident.id, { action: 'nudge' });
  expect(sent.ok).toBe(true);
  return { machine, window, agent };
}

const state = (window: Window) => window.view(SESSION)?.state;
const delivery = (window: Window) => window.view(SESSION)?.deliveries[0]?.state;
/** Which file stands at `wake`: each call replaces it. */
const wake = ({ workspace }: Machine) => statSync(join(workspace, '.unstuck/inbox', SESSION, 'wake')).ino;

describe('a person interrupts an agent for which a message waits', () => {
  it('counts it as stuck no longer, keeps the message for hours, and lets their next prompt bring it', async () => {
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

  it('counts the time of the message again from their prompt on, where nobody takes it', async () => {
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
    await machine.until('it was put aside', () => machine.messages(SESSION).length === 0);
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

  it('calls nobody, and the message box says what will happen', async () => {
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

describe('a turn ends by itself while a message still waits', () => {
  it('calls the agent once more: the message came too late for the end and too early for an idle agent', async () => {
    const { machine, window, agent } = await nudged();
    const before = wake(machine);
    agent.line('turn_end', { reason: 'done' });
    await machine.until('it is called', () => wake(machine) !== before);
    const called = wake(machine);
    await machine.pass(30_000);
    expect(wake(machine)).toBe(called);
    expect(delivery(window)).toBe('queued');
  });
});
