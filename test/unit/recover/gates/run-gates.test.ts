import { resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { systemProcesses } from '../../../../src/base/processes/system';
import type { ProcessOutcome, ProcessRequest, Processes } from '../../../../src/base/processes/process';
import type { Gate } from '../../../../src/recover/gates/gate';
import { runGates } from '../../../../src/recover/gates/run-gates';
import { PATIENCE } from '../../../support/patience';

const gate = (id: string, more: Partial<Gate> = {}): Gate => ({
  id,
  name: id,
  command: id,
  needs: [],
  timeoutMs: 30_000,
  ...more,
});

const outcome = (more: Partial<ProcessOutcome> = {}): ProcessOutcome => ({
  ended: 'exited',
  code: 0,
  stdout: '',
  stderr: '',
  dropped: 0,
  ms: 12,
  ...more,
});

/** Programs that end when the test says so. */
class Stopped implements Processes {
  readonly requests: ProcessRequest[] = [];
  private readonly open = new Map<string, (outcome: ProcessOutcome) => void>();

  run(request: ProcessRequest): Promise<ProcessOutcome> {
    this.requests.push(request);
    return new Promise((settle) => this.open.set(request.command, settle));
  }

  async end(command: string, how: Partial<ProcessOutcome> = {}): Promise<void> {
    this.open.get(command)?.(outcome(how));
    await new Promise((later) => setImmediate(later));
  }

  get started(): string[] {
    return this.requests.map(({ command }) => command);
  }
}

const says = (answers: Record<string, Partial<ProcessOutcome>>): Processes => ({
  run: (request) => Promise.resolve(outcome(answers[request.command])),
});

const run = (plan: Gate[], processes: Processes, more: Partial<Parameters<typeof runGates>[0]> = {}) =>
  runGates({ plan, folder: tmpdir(), processes, parallel: 2, now: () => 1_000, ...more });

describe('gates', () => {
  it('that do not need each other run at the same time, no more than allowed', async () => {
    const processes = new Stopped();
    const done = run([gate('a'), gate('b'), gate('c'), gate('d', { needs: ['a'] })], processes);
    expect(processes.started).toEqual(['a', 'b']);
    await processes.end('b');
    expect(processes.started).toEqual(['a', 'b', 'c']);
    await processes.end('a');
    expect(processes.started).toEqual(['a', 'b', 'c', 'd']);
    await processes.end('c');
    await processes.end('d');
    expect((await done).map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  it('whose need did not pass are skipped, and so are those that need them', async () => {
    const plan = [
      gate('build'),
      gate('tests', { needs: ['build'] }),
      gate('deploy', { needs: ['tests'] }),
      gate('lint'),
    ];
    const results = await run(plan, says({ build: { code: 1, stdout: 'src/a.ts(1,2): error TS1: no\n' } }));
    expect(results.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ['build', 'failed', ''],
      ['tests', 'skipped', 'needs build'],
      ['deploy', 'skipped', 'needs tests'],
      ['lint', 'passed', ''],
    ]);
  });

  it('report their progress', async () => {
    const seen: string[] = [];
    await run([gate('a'), gate('b', { needs: ['a'] })], says({}), {
      onProgress: (results) => seen.push(results.map(({ status }) => status).join(' ')),
    });
    expect(seen).toEqual(['running not_run', 'passed not_run', 'passed running', 'passed passed']);
  });

  it('count what the runner counted', async () => {
    const stdout =
      '=== FAILURES ===\n___ test_a ___\nE   assert 1 == 2\na.py:3: AssertionError\n1 failed, 46 passed in 0.1s\n';
    const [result] = await run([gate('tests')], says({ tests: { code: 1, stdout } }));
    expect(result).toMatchObject({
      summary: '1 failed, 46 passed',
      failed: 1,
      total: 47,
      failures: [{ file: 'a.py', line: 3 }],
    });
  });

  it.each([
    ['a command that is not there', { code: 127 }, 'the command was not found'],
    ['one that may not be run', { code: 126 }, 'the command was not found'],
    [
      'a folder that is gone',
      { ended: 'not_started', code: null, stderr: 'spawn ENOENT' },
      'could not be started: spawn ENOENT',
    ],
    ['one that the system killed', { ended: 'killed', code: null }, 'ended by the system'],
    ['one that does not end', { ended: 'timed_out', code: null }, 'stopped after 30 s'],
    ['a script that is gone', { code: 1, stderr: 'npm error Missing script: "test"' }, 'there is no such script'],
    [
      'a runner that is not installed',
      { code: 1, stderr: '/usr/bin/python3: No module named pytest' },
      'the command was not found',
    ],
  ] as const)('%s blocks no one, and says why', async (_, how, reason) => {
    const [result] = await run([gate('tests')], says({ tests: how }));
    expect(result).toMatchObject({ status: 'not_run', reason, failures: [] });
  });

  it('without tests are skipped', async () => {
    const [result] = await run([gate('tests')], says({ tests: { code: 5, stdout: 'no tests ran in 0.01s\n' } }));
    expect(result).toMatchObject({ status: 'skipped', reason: 'no tests were found' });
  });

  it('that cannot even be started return a result all the same', async () => {
    const [result] = await run([gate('a')], { run: () => Promise.reject(new Error('no more processes')) });
    expect(result).toMatchObject({ status: 'not_run', reason: 'could not be started: no more processes' });
  });

  it('are told to print no colours and to ask for no input', async () => {
    const processes = new Stopped();
    const done = run([gate('a', { cwd: 'packages/x' })], processes);
    expect(processes.requests[0]).toMatchObject({
      shell: true,
      cwd: resolve(tmpdir(), 'packages/x'),
      env: { CI: '1', NO_COLOR: '1' },
    });
    await processes.end('a');
    await done;
  });
});

const node = (script: string) => `"${process.execPath}" -e "${script}"`;

describe.skipIf(process.platform === 'win32')('real programs', () => {
  it('that never end are ended after their time, with their output until then', async () => {
    // The shell prints at once; a busy machine may need longer than the limit to start Node.
    const hangs = gate('tests', { command: 'echo begun; sleep 1000', timeoutMs: 3_000 });
    const [result] = await run(
      [hangs],
      systemProcesses(() => []),
    );
    expect(result).toMatchObject({ status: 'not_run', reason: 'stopped after 3 s' });
    expect(result?.output).toContain('begun');
  });

  it('that print 100 MB return a clear result, their beginning and their end', async () => {
    const script =
      "const block = 'x'.repeat(99) + '\\n'; console.log('src/a.ts(3,4): error TS9: first'); let left = 1e6; const go = () => { while (left-- > 0) if (!process.stdout.write(block)) return process.stdout.once('drain', go); console.log('2 tests, 1 failed: last words'); process.exitCode = 1; }; go();";
    const prints = gate('tests', { command: node(script.replaceAll('"', '\\"')), timeoutMs: PATIENCE.timeout });
    const [result] = await run(
      [prints],
      systemProcesses(() => []),
    );
    expect(result).toMatchObject({ status: 'failed', failures: [{ file: 'src/a.ts', line: 3, column: 4 }] });
    expect(result?.output.length).toBeLessThanOrEqual(4_000);
    expect(result?.output).toContain('last words');
  });

  it('end when the run is cancelled, and those that have not begun never do', async () => {
    const abort = new AbortController();
    const plan = [
      gate('a', { command: node("console.log('ready'); setInterval(() => {}, 1000)") }),
      gate('b', { needs: [], command: 'true' }),
    ];
    const done = run(
      plan,
      systemProcesses(() => []),
      {
        parallel: 1,
        signal: abort.signal,
        onProgress: () => void setTimeout(() => abort.abort(), 200),
      },
    );
    expect((await done).map(({ status, reason }) => [status, reason])).toEqual([
      ['not_run', 'cancelled'],
      ['not_run', 'cancelled'],
    ]);
  });
});
