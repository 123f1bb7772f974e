import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { systemProbe } from '../../../../src/engine/follow/probe';

it.runIf(process.platform === 'linux')(
  'calls a process gone that has ended and that nobody has waited for',
  async () => {
    // What `sh` becomes waits for no child.
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 30']);
    try {
      const pid = await new Promise<number>((found) => parent.stdout.once('data', (text) => found(Number(text))));
      expect(systemProbe.processStart(pid)).toMatch(/^\d+$/);
      await vi.waitFor(() => expect(systemProbe.processStart(pid)).toBeNull());
      expect(existsSync(`/proc/${pid}/stat`)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);

it('calls a process gone whose number nobody has, and lists nothing of a folder that is not there', () => {
  expect(systemProbe.processStart(2 ** 22 + 1)).toBeNull();
  expect(systemProbe.list('/nowhere/at/all')).toEqual([]);
  expect(systemProbe.list(process.execPath)).toEqual([]);
  expect(systemProbe.list(__dirname)).toContain('probe.test.ts');
});
