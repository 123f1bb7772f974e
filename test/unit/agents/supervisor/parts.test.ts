import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SupervisedProcess, startProcess } from '../../../../src/agents/supervisor/agent-process';
import type { Channel } from '../../../../src/agents/supervisor/channel';
import { refuseRestart } from '../../../../src/agents/supervisor/limits';
import { LineSplitter } from '../../../../src/agents/supervisor/lines';
import { programWords, withoutOptions } from '../../../../src/agents/supervisor/program';
import { Input, passOutput } from '../../../../src/agents/supervisor/streams';

test('however a stream is cut, its lines arrive complete and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'ü', '\n', '{') })), (parts) => {
      const splitter = new LineSplitter();
      const lines = parts.flatMap((part) => [...splitter.push(Buffer.from(part))].map(String));
      expect(lines.join('') + splitter.rest().toString()).toBe(parts.join(''));
      expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    }),
  );
});

test('a run may be restarted only a limited number of times, and not twice in quick succession', () => {
  const limits = { most: 2, pause: 1_000 };
  expect(refuseRestart([], 5_000, limits)).toBeNull();
  expect(refuseRestart([4_500], 5_000, limits)).toBe('restarted_just_now');
  expect(refuseRestart([1_000], 5_000, limits)).toBeNull();
  expect(refuseRestart([1_000, 2_000], 50_000, limits)).toBe('restart_limit');
});

test('the program of a command is its first word, or a runtime with its script', () => {
  expect(programWords(['codex', 'exec', 'Fix it.'])).toEqual(['codex']);
  expect(programWords(['/usr/bin/node', 'agent.js', 'exec'])).toEqual(['/usr/bin/node', 'agent.js']);
  expect(programWords(['node', '--version'])).toEqual(['node']);
});

test('options are removed with their values, and only those', () => {
  const command = ['claude', '-p', '--resume', 'one', '--model=sonnet', '--continue', '--verbose'];
  expect(withoutOptions(command, ['--resume', '--model'], ['--continue'])).toEqual(['claude', '-p', '--verbose']);
  expect(withoutOptions(['claude', '--resume', '--verbose'], ['--resume'], [])).toEqual(['claude', '--verbose']);
});

test('a process whose id now belongs to another gets no signal', async () => {
  let start = '100';
  const running = startProcess([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {
    cwd: process.cwd(),
    env: process.env,
    input: 'closed',
    probe: { processStart: () => start },
  });
  expect(running.isRunning()).toBe(true);
  start = '200';
  expect(running.signal('SIGKILL')).toBe(false);
  start = '100';
  expect(running.signal('SIGKILL')).toBe(true);
  expect(await running.ended).toMatchObject({ signal: 'SIGKILL' });
});

/** A reader that takes the next piece only when it is told to. */
function slowReader() {
  const taken: string[] = [];
  let next = () => {};
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      taken.push(chunk.toString());
      next = done;
    },
  });
  return { stream, taken, takesMore: () => next() };
}

const program = (streams: object) => ({ child: streams }) as unknown as SupervisedProcess;
const channel = (passes: Channel['passes']) =>
  ({ passes, mayCloseInput: () => true, personWrote() {}, programWrote: () => true }) as unknown as Channel;

test('what a person writes between two programs reaches the next one, although the one that ends still takes its input', async () => {
  const stdin = new PassThrough();
  const input = new Input(stdin);
  const [ending, next] = [slowReader(), slowReader()];
  input.attach(program({ stdin: ending.stream }), channel('raw'));
  stdin.write('for the first');
  await turn();
  expect(ending.taken).toEqual(['for the first']);
  // It is ended for a restart.
  input.detach();
  stdin.write('for the next');
  ending.takesMore();
  await turn();
  input.attach(program({ stdin: next.stream }), channel('raw'));
  await turn();
  expect(next.taken).toEqual(['for the next']);
});

test('many lines at once to a slow reader wait for it once', async () => {
  const [reader, stdout] = [slowReader(), new PassThrough()];
  passOutput(
    program({ stdout, stderr: new PassThrough() }),
    channel('lines'),
    { stdin: new PassThrough(), stdout: reader.stream, stderr: new PassThrough() },
    () => {},
  );
  stdout.write('{}\n'.repeat(50));
  await turn();
  expect(reader.stream.listenerCount('drain')).toBe(1);
  expect(stdout.isPaused()).toBe(true);
  for (let line = 0; line < 50; line++) {
    reader.takesMore();
    await turn();
  }
  expect([reader.taken.join(''), stdout.isPaused()]).toEqual(['{}\n'.repeat(50), false]);
});
