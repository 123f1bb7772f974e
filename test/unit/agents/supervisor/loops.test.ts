import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemProbe } from '../../../../src/engine/follow/probe';
import { supervisorOf } from '../../../../src/agents/inbox';
import { Bench } from './fakes';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

/** The registry of processes, by which a run is found, shows them only on Linux. */
describe.runIf(process.platform === 'linux')('a script that starts the agent again and again', () => {
  test('is followed in each new session, and a stop of a run that is over ends the whole loop', async () => {
    const run = bench.run('claude-code', bench.loop('round'));
    const told = () => run.events.flatMap(({ event, session }) => (event === 'session' ? [session] : []));
    await run.until(() => told().includes('run-3'));
    expect(told()).toEqual(['run-1', 'run-2', 'run-3']);
    expect(supervisorOf(bench.folder, 'run-2', systemProbe)?.pid).toBe(process.pid);
    const { message } = await run.send({ kind: 'stop', session: 'run-2' });
    expect(await run.ended).toBe(128 + 15);
    expect(await run.reaches(message.id, 'acted', 'run-2')).toMatchObject({ reason: 'stopped' });
    expect(run.printed().map(({ session }) => session)).toEqual(['run-1', 'run-2', 'run-3']);
    expect(supervisorOf(bench.folder, 'run-2', systemProbe)).toBeNull();
  });

  test('is not restarted with another prompt if it has its own: the reason says what to change', async () => {
    const run = bench.run('claude-code', bench.loop('round'));
    await run.until(() => run.events.some(({ session }) => session === 'run-1'));
    const restart = { mode: 'fresh', prompt: 'Read the file first.' } as const;
    const fresh = await run.send({ kind: 'restart', session: 'run-1', restart });
    expect(await run.reaches(fresh.message.id, 'failed', 'run-1')).toMatchObject({ reason: 'own_prompt' });
    const resumed = await run.send({ kind: 'restart', session: 'run-1', restart: { ...restart, mode: 'resume' } });
    expect(await run.reaches(resumed.message.id, 'failed', 'run-1')).toMatchObject({ reason: 'no_mode' });
    expect(run.events.map(({ message }) => message).join(' ')).toContain('let the command read UNSTUCK_PROMPT');
    run.signal('SIGTERM');
    await run.ended;
  });

  test('starts again with our prompt if it reads the prompt', async () => {
    const run = bench.run('claude-code', bench.loop('round', '"${UNSTUCK_PROMPT:-first}"'));
    await run.until(() => run.events.some(({ session }) => session === 'run-1'));
    const restart = { mode: 'fresh', prompt: 'Read the file first.' } as const;
    const { message } = await run.send({ kind: 'restart', session: 'run-1', restart });
    const mine = `Read the file first. [unstuck ${message.id}]`;
    await run.until(() => run.printed().some(({ prompt }) => prompt === mine));
    expect(await run.reaches(message.id, 'acted', 'run-1')).toMatchObject({ reason: 'started_anew' });
    run.signal('SIGTERM');
    await run.ended;
  });
});
