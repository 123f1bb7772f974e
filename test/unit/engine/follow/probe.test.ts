import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { systemProbe } from '../../../../src/engine/follow/probe';

it.runIf(process.platform === 'linux')(
  'recognises a process as gone that has ended without being waited for',
  async () => {
    // `sh` turns into a program that waits for no child.
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

it('recognises an unused process id as gone, and lists nothing for a missing folder', () => {
  expect(systemProbe.processStart(2 ** 22 + 1)).toBeNull();
  expect(systemProbe.list('/nowhere/at/all')).toEqual([]);
  expect(systemProbe.list(process.execPath)).toEqual([]);
  expect(systemProbe.list(__dirname)).toContain('probe.test.ts');
});
