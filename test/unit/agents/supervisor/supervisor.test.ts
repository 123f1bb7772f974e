import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemProbe } from '../../../../src/engine/follow/probe';
import { supervisorOf } from '../../../../src/agents/inbox';
import { Bench } from './fakes';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

describe('any command', () => {
  test('has its streams passed on unchanged, and its exit code is ours', async () => {
    const run = bench.run('generic', bench.command('echo'), { session: 'one' });
    const bytes = randomBytes(200_000).toString('latin1');
    run.stdin.end(bytes);
    expect(await run.ended).toBe(7);
    expect(run.output()).toBe(Buffer.from(bytes).toString());
  });

  test("that does not exist ends with a shell's exit code", async () => {
    const run = bench.run('generic', ['/does/not/exist'], { session: 'one' });
    expect(await run.ended).toBe(127);
    expect(run.events.map(({ reason }) => reason)).toContain('not_started');
  });

  test('receives our signals', async () => {
    const run = bench.run('generic', bench.command('polite'), { session: 'one' });
    await run.until(() => run.output() !== '');
    run.signal('SIGTERM');
    expect(await run.ended).toBe(3);
  });

  test('is told to end at a stop, and the receipt says that it did', async () => {
    const run = bench.run('generic', bench.command('polite'), { session: 'one' });
    await run.until(() => run.output() !== '');
    const { message } = await run.send({ kind: 'stop' });
    expect(await run.ended).toBe(3);
    expect(run.output()).toContain('SIGTERM');
    expect(await run.reaches(message.id, 'acted')).toMatchObject({
      by: 'supervisor',
      outcome: 'changed',
      reason: 'stopped',
    });
  });

  test('is killed if it does not listen', async () => {
    const run = bench.run('generic', bench.command('deaf'), { session: 'one' });
    await run.until(() => run.output() !== '');
    await run.send({ kind: 'stop' });
    expect(await run.ended).toBe(128 + 9);
  });

  test('a fresh start without a template runs the same command again, which may read the prompt', async () => {
    const run = bench.run('generic', bench.command('worker', 'a', 'b'), { session: 'one' });
    await run.until(() => run.printed().length === 1);
    const { message } = await run.send({ kind: 'restart', restart: { mode: 'fresh', prompt: 'Begin anew.' } });
    await run.until(() => run.printed().length === 2);
    expect(run.printed()[0]).toEqual({ argv: ['a', 'b'], prompt: null });
    expect(run.printed()[1]).toEqual({ argv: ['a', 'b'], prompt: `Begin anew. [unstuck ${message.id}]` });
    await run.reaches(message.id, 'acted');
    run.signal('SIGTERM');
    expect(await run.ended).toBe(128 + 15);
  });

  test('starts again with a prompt that is larger than one variable may be, with its middle left out', async () => {
    const run = bench.run('generic', bench.command('worker'), { session: 'one' });
    await run.until(() => run.printed().length === 1);
    const prompt = '先读文件，再改代码。\n'.repeat(9_000);
    const { message } = await run.send({ kind: 'restart', restart: { mode: 'fresh', prompt } });
    await run.until(() => run.printed().length === 2);
    expect(run.printed()[1]?.['prompt']).toMatch(/^先读文件[^]+\(the middle was left out\)[^]+\[unstuck \w+\]$/);
    await run.reaches(message.id, 'acted');
    run.signal('SIGTERM');
    expect(await run.ended).toBe(128 + 15);
  });

  test('whose way to continue a session is unknown refuses a restart with the reason, and works on', async () => {
    const run = bench.run('generic', bench.command('worker'), { session: 'one' });
    await run.until(() => run.printed().length === 1);
    const { message } = await run.send({ kind: 'restart', restart: { mode: 'resume', prompt: 'Go on.' } });
    expect(await run.reaches(message.id, 'failed')).toMatchObject({ by: 'supervisor', reason: 'no_template' });
    run.signal('SIGTERM');
    await run.ended;
    expect(run.printed()).toHaveLength(1);
  });

  test('that a person ends while it is being restarted is not started again', async () => {
    const run = bench.run('generic', bench.command('deaf'), { session: 'one' });
    await run.until(() => run.output() !== '');
    const { message } = await run.send({ kind: 'restart', restart: { mode: 'fresh', prompt: 'Begin again.' } });
    await run.until(() => run.events.some(({ event }) => event === 'restarting'));
    run.signal('SIGINT');
    expect(await run.ended).toBe(128 + 9);
    expect(run.output()).toBe('{}\n');
    expect(await run.reaches(message.id, 'failed')).toMatchObject({ reason: 'cancelled' });
  });

  test('restarts have a limit with a name', async () => {
    const run = bench.run('generic', bench.command('worker'), { session: 'one', limits: { most: 1, pause: 0 } });
    await run.until(() => run.printed().length === 1);
    await run.send({ kind: 'restart', restart: { mode: 'fresh', prompt: 'Begin anew.' } });
    await run.until(() => run.printed().length === 2);
    const { message } = await run.send({ kind: 'restart', restart: { mode: 'fresh', prompt: 'And again.' } });
    expect(await run.reaches(message.id, 'failed')).toMatchObject({ reason: 'restart_limit' });
    run.signal('SIGTERM');
    await run.ended;
  });

  test('is shown as supervised in windows, and no longer than it is', async () => {
    const run = bench.run('generic', bench.command('polite'), { session: 'one' });
    const found = await run.until(() => supervisorOf(bench.folder, 'one', systemProbe));
    expect(found.pid).toBe(process.pid);
    expect(supervisorOf(bench.folder, 'one', { ...systemProbe, processStart: () => 'later' })).toBeNull();
    expect(supervisorOf(bench.folder, 'two', systemProbe)).toBeNull();
    run.signal('SIGTERM');
    await run.ended;
    expect(supervisorOf(bench.folder, 'one', systemProbe)).toBeNull();
  });

  test('leaves what only a hook can do in the inbox', async () => {
    const run = bench.run('generic', bench.command('polite'), { session: 'one' });
    await run.until(() => run.output() !== '');
    const nudge = await run.send({ kind: 'nudge' });
    await run.send({ kind: 'stop' });
    await run.ended;
    await run.reaches(nudge.message.id, 'queued');
  });
});

describe('an agent with a launch template', () => {
  test('continues its session by the template, with the arguments of the person', async () => {
    const run = bench.run('codex', bench.command('worker', 'exec', 'Fix it.'), {
      session: 'thread-1',
      args: ['--yes'],
    });
    await run.until(() => run.printed().length === 1);
    const restart = { mode: 'resume', prompt: 'Read the file first.', model: 'gpt-5.5' } as const;
    const { message } = await run.send({ kind: 'escalate', restart });
    await run.until(() => run.printed().length === 2);
    expect(run.printed()[1]?.['argv']).toEqual([
      'exec',
      'resume',
      '-m',
      'gpt-5.5',
      '--yes',
      '--json',
      'thread-1',
      `Read the file first. [unstuck ${message.id}]`,
    ]);
    run.signal('SIGTERM');
    await run.ended;
  });

  test('says why it cannot', async () => {
    const run = bench.run('codex', bench.command('worker'), { session: 'thread-1' });
    await run.until(() => run.printed().length === 1);
    const { message } = await run.send({ kind: 'restart', restart: { mode: 'fork', prompt: 'Go on.' } });
    expect(await run.reaches(message.id, 'failed')).toMatchObject({ reason: 'no_mode' });
    run.signal('SIGTERM');
    await run.ended;
  });
});
