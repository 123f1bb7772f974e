import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { systemProcesses } from '../../../../src/base/processes/system';
import { systemProbe } from '../../../../src/engine/follow/probe';
import { folder } from '../../support/folder';

const LIMIT_MS = 5_000;
/** More than between the first signal and the kill. */
const GRACE_MS = 10_000;

afterEach(() => {
  vi.useRealTimers();
});

/** A program that starts another one, which writes its id into a file once it is there. */
async function started(script: string, how: string) {
  const ready = join(folder(), 'ready');
  const inner = `${script}; require('node:fs').writeFileSync(${JSON.stringify(ready)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const start = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], ${how}`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ran = systemProcesses(() => []).run({
    command: process.execPath,
    args: ['-e', `console.log('begun'); ${start}`],
    cwd: tmpdir(),
    timeoutMs: LIMIT_MS,
    maxBytes: 10_000,
  });
  const turn = () => new Promise((done) => setImmediate(done));
  while (!existsSync(ready) || readFileSync(ready, 'utf8') === '') await turn();
  const pid = Number(readFileSync(ready, 'utf8'));
  const isThere = () => systemProbe.processStart(pid) !== null;
  onTestFinished(() => void (isThere() && process.kill(pid, 'SIGKILL')));
  return { ran, isThere, turn };
}

//   a check starts a server that leaves its group │ the check ends, the server keeps its output open │ the limit │ the kill
it('a program is over after its time, although what it started keeps its output open', async () => {
  const { ran } = await started('', "{ detached: true, stdio: 'inherit' }).unref()");
  vi.advanceTimersByTime(LIMIT_MS);
  vi.advanceTimersByTime(GRACE_MS);
  expect(await ran).toMatchObject({ ended: 'timed_out', stdout: 'begun\n' });
});

//   a check starts a server that ignores the first signal │ the limit, the check ends │ the kill
it.skipIf(process.platform === 'win32')(
  'what a program started ends with it, even if it ignores the first signal',
  async () => {
    const { ran, isThere, turn } = await started("process.on('SIGTERM', () => {})", "{ stdio: 'ignore' })");
    vi.advanceTimersByTime(LIMIT_MS);
    expect(await ran).toMatchObject({ ended: 'timed_out', stdout: 'begun\n' });
    vi.advanceTimersByTime(GRACE_MS);
    while (isThere()) await turn();
  },
);
