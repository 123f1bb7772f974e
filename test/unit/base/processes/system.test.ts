import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { systemProcesses } from '../../../../src/base/processes/system';
import { folder } from '../../support/folder';

const LIMIT_MS = 5_000;
/** More than between the first signal and the kill. */
const GRACE_MS = 10_000;

afterEach(() => {
  vi.useRealTimers();
});

//   a check starts a server that leaves its group │ the check ends, the server keeps its output open │ the limit │ the kill
it('a program is over after its time, although what it started keeps its output open', async () => {
  const ready = join(folder(), 'ready');
  const server = `require('node:fs').writeFileSync(${JSON.stringify(ready)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const start = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(server)}], { detached: true, stdio: 'inherit' }).unref()`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ran = systemProcesses(() => []).run({
    command: process.execPath,
    args: ['-e', `console.log('begun'); ${start}`],
    cwd: tmpdir(),
    timeoutMs: LIMIT_MS,
    maxBytes: 10_000,
  });
  while (!existsSync(ready) || readFileSync(ready, 'utf8') === '') await new Promise((turn) => setImmediate(turn));
  const pid = Number(readFileSync(ready, 'utf8'));
  onTestFinished(() => void process.kill(pid));
  vi.advanceTimersByTime(LIMIT_MS);
  vi.advanceTimersByTime(GRACE_MS);
  expect(await ran).toMatchObject({ ended: 'timed_out', stdout: 'begun\n' });
});
