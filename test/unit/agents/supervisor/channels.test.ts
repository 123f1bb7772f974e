import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CodexServerChannel } from '../../../../src/agents/supervisor/codex-server-channel';
import { Bench } from './fakes';

const STREAM = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'] as const;

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

const user = (content: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;

describe('Claude Code with JSON lines', () => {
  test('turns a nudge into a user message, between the lines of the person', async () => {
    const run = bench.run('claude-code', bench.command('claude', ...STREAM));
    run.stdin.write(user('Fix the test.'));
    const half = user('and hurry');
    run.stdin.write(half.slice(0, 20));
    const { session } = await run.until(() => run.events.find(({ event }) => event === 'session'));
    const { message } = await run.send({ kind: 'nudge', session: session ?? '', text: 'You repeat yourself.' });
    const told = await run.until(() => run.printed().find((line) => JSON.stringify(line).includes(message.id)));
    expect(told).toMatchObject({
      line: { type: 'user', message: { content: [{ text: `You repeat yourself. [unstuck ${message.id}]` }] } },
    });
    run.stdin.write(half.slice(20));
    await run.until(() => run.output().includes('and hurry'));
    run.stdin.end(user('end your turn'));
    expect(await run.ended).toBe(0);
  });

  test('keeps its input open until its turn has ended, although the person has closed theirs', async () => {
    const run = bench.run('claude-code', bench.command('claude', ...STREAM));
    run.stdin.end(user('Fix the test.'));
    const { session } = await run.until(() => run.events.find(({ event }) => event === 'session'));
    await run.until(() => run.output().includes('Fix the test.'));
    expect(run.output()).not.toContain('closed');
    const { message } = await run.send({ kind: 'stop', session: session ?? '' });
    expect(await run.ended).toBe(0);
    expect(run.output()).toContain('interrupt');
    await run.reaches(message.id, 'acted', session);
  });

  test('does not pass on answers to our own requests, but those to the person’s', async () => {
    const run = bench.run('claude-code', bench.command('claude', ...STREAM));
    run.stdin.write(`${JSON.stringify({ type: 'control_request', request_id: 'theirs', request: {} })}\n`);
    const { session } = await run.until(() => run.events.find(({ event }) => event === 'session'));
    await run.send({ kind: 'stop', session: session ?? '' });
    await run.ended;
    const answered = run.printed().filter(({ type }) => type === 'control_response');
    expect(answered).toEqual([{ type: 'control_response', response: { subtype: 'success', request_id: 'theirs' } }]);
  });

  test('starts the person’s own command with the session and the other model on escalation', async () => {
    const command = bench.command(
      'claude',
      ...STREAM,
      '--model',
      'sonnet',
      '--allowedTools',
      'Bash',
      '--resume',
      'before',
    );
    const run = bench.run('claude-code', command);
    await run.until(() => run.events.find(({ session }) => session === 'before'));
    const restart = { mode: 'resume', prompt: 'Read the file first.', model: 'opus', thinking: 'high' } as const;
    const { message } = await run.send({ kind: 'escalate', session: 'before', restart });
    const inits = () => run.printed().filter(({ subtype }) => subtype === 'init');
    await run.until(() => inits().length === 2);
    const argv = inits()[1]?.['argv'];
    expect(argv).toEqual([
      ...STREAM,
      '--allowedTools',
      'Bash',
      '--resume',
      'before',
      '--model',
      'opus',
      '--effort',
      'high',
    ]);
    await run.until(() => run.output().includes(`Read the file first. [unstuck ${message.id}]`));
    run.stdin.end(user('end your turn'));
    expect(await run.ended).toBe(0);
  });

  test('makes a fork take the messages of its own session from then on', async () => {
    const run = bench.run('claude-code', bench.command('claude', ...STREAM, '--resume', 'before'), {
      limits: { most: 5, pause: 0 },
    });
    await run.until(() => run.events.find(({ session }) => session === 'before'));
    const { message } = await run.send({
      kind: 'restart',
      session: 'before',
      restart: { mode: 'fork', prompt: 'Go another way.' },
    });
    const settled = await run.reaches(message.id, 'acted', 'before');
    expect(settled.reason).toBe('started_anew');
    const forked = await run.until(() => run.events.find(({ session }) => session?.startsWith('made-by-')));
    const nudge = await run.send({ kind: 'nudge', session: forked.session ?? '' });
    await run.until(() => run.output().includes(nudge.message.id));
    run.stdin.end(user('end your turn'));
    expect(await run.ended).toBe(0);
  });
});

describe('the server of Codex', () => {
  test('steers the running turn with a nudge, and the answer stays with us', async () => {
    const run = bench.run('codex', bench.command('codex', 'app-server'));
    await run.until(() => run.events.find(({ session }) => session === 'thread-1'));
    const { message } = await run.send({ kind: 'nudge', session: 'thread-1' });
    const asked = await run.until(() => run.printed().find(({ method }) => method === 'asked'));
    expect(asked).toMatchObject({
      params: {
        asked: {
          method: 'turn/steer',
          params: {
            threadId: 'thread-1',
            expectedTurnId: 'turn-1',
            input: [{ type: 'text', text: `You repeat yourself. [unstuck ${message.id}]` }],
          },
        },
      },
    });
    run.stdin.write(`${JSON.stringify({ id: 1, method: 'model/list', params: {} })}\n`);
    await run.until(() => run.printed().find(({ id }) => id === 1));
    expect(run.printed().filter(({ id }) => typeof id === 'string')).toEqual([]);
    run.signal('SIGTERM');
    await run.ended;
  });

  test('interrupts the turn at a stop and lives on', async () => {
    const run = bench.run('codex', bench.command('codex', 'app-server'));
    await run.until(() => run.events.find(({ session }) => session === 'thread-1'));
    const { message } = await run.send({ kind: 'stop', session: 'thread-1' });
    await run.reaches(message.id, 'acted', 'thread-1');
    // The server's output comes through another pipe than the receipt.
    await run.until(() => run.output().includes('turn/interrupt'));
    expect(run.events.some(({ event }) => event === 'ended')).toBe(false);
    run.signal('SIGTERM');
    await run.ended;
  });

  test('makes a fork another thread with the history, which takes the messages of its own from then on', async () => {
    const run = bench.run('codex', bench.command('codex', 'app-server'));
    await run.until(() => run.events.find(({ session }) => session === 'thread-1'));
    const restart = { mode: 'fork', prompt: 'Go another way.', model: 'gpt-6', thinking: 'high' } as const;
    const { message } = await run.send({ kind: 'restart', session: 'thread-1', restart });
    expect(await run.reaches(message.id, 'acted', 'thread-1')).toMatchObject({ reason: 'goes_on_as thread-2' });
    const asked = () =>
      run
        .printed()
        .filter(({ method }) => method === 'asked')
        .map((line) => (line['params'] as { asked: { method: string; params: unknown } }).asked);
    await run.until(() => asked().length > 2);
    const input = [{ type: 'text', text: `Go another way. [unstuck ${message.id}]`, text_elements: [] }];
    expect(asked().map(({ method, params }) => [method, params])).toEqual([
      ['turn/interrupt', { threadId: 'thread-1', turnId: 'turn-1' }],
      ['thread/fork', { threadId: 'thread-1', model: 'gpt-6' }],
      ['turn/start', { threadId: 'thread-2', input, model: 'gpt-6', effort: 'high' }],
    ]);
    const nudge = await run.send({ kind: 'nudge', session: 'thread-2' });
    await run.until(() => asked().some(({ params }) => JSON.stringify(params).includes(nudge.message.id)));
    expect(asked().at(-1)?.params).toMatchObject({ threadId: 'thread-2' });
    run.signal('SIGTERM');
    await run.ended;
  });

  test('makes a fresh start another thread of the same server', async () => {
    const run = bench.run('codex', bench.command('codex', 'app-server'));
    await run.until(() => run.events.find(({ session }) => session === 'thread-1'));
    const restart = { mode: 'fresh', prompt: 'Begin anew.', model: 'gpt-6' } as const;
    const { message } = await run.send({ kind: 'escalate', session: 'thread-1', restart });
    expect(await run.reaches(message.id, 'acted', 'thread-1')).toMatchObject({ reason: 'goes_on_as thread-2' });
    const methods = run
      .printed()
      .filter(({ method }) => method === 'asked')
      .map((line) => (line['params'] as { asked: { method: string } }).asked.method);
    expect(methods).toEqual(['turn/interrupt', 'thread/start', 'turn/start']);
    run.signal('SIGTERM');
    await run.ended;
  });
});

/** A channel to a server whose answers a test gives. */
function codexServer() {
  const asked: { readonly id: string; readonly method: string }[] = [];
  const channel = new CodexServerChannel('/work', (line) => {
    asked.push(JSON.parse(line) as (typeof asked)[number]);
    return true;
  });
  const says = (message: object) => channel.programWrote(Buffer.from(JSON.stringify(message)));
  says({ method: 'thread/started', params: { thread: { id: 'thread-1' } } });
  says({ method: 'turn/started', params: { threadId: 'thread-1', turn: { id: 'turn-1' } } });
  return { channel, asked, says, methods: () => asked.map(({ method }) => method) };
}

describe('the server of Codex, whose turn ends on its own', () => {
  test('is restarted although there is nothing left to interrupt', async () => {
    const { channel, asked, says, methods } = codexServer();
    const restarted = channel.restart({ mode: 'resume', session: 'thread-1', prompt: 'Fix it.' });
    says({ method: 'turn/completed', params: { threadId: 'thread-1' } });
    says({ id: asked[0]?.id, error: { message: 'no active turn to interrupt' } });
    await vi.waitFor(() => expect(methods()).toEqual(['turn/interrupt', 'turn/start']));
    says({ id: asked[1]?.id, result: {} });
    expect(await restarted).toEqual({ ok: true, value: { how: 'done', session: 'thread-1' } });
  });

  test('is not restarted if a turn that still runs cannot be interrupted', async () => {
    const { channel, asked, says, methods } = codexServer();
    const restarted = channel.restart({ mode: 'resume', session: 'thread-1', prompt: 'Fix it.' });
    says({ id: asked[0]?.id, error: { message: 'not now' } });
    expect(await restarted).toMatchObject({ ok: false, error: { reason: 'refused' } });
    expect(methods()).toEqual(['turn/interrupt']);
  });

  test('gets a nudge as a new turn', async () => {
    const { channel, asked, says, methods } = codexServer();
    const delivered = channel.deliver('thread-1', 'Look elsewhere.');
    says({ method: 'turn/completed', params: { threadId: 'thread-1' } });
    says({ id: asked[0]?.id, error: { message: 'no active turn to steer' } });
    await vi.waitFor(() => expect(methods()).toEqual(['turn/steer', 'turn/start']));
    says({ id: asked[1]?.id, result: {} });
    expect(await delivered).toBe(true);
  });
});

test('a server of Codex that does not answer for a while gets a nudge once', async () => {
  vi.useFakeTimers();
  try {
    const { channel, methods } = codexServer();
    const delivered = channel.deliver('thread-1', 'Look elsewhere.');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(methods()).toEqual(['turn/steer']);
    expect(await delivered).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
