import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { parentInStat, systemProbe } from '../../../../src/engine/follow/probe';

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

it('reads the parent of a process whose name contains spaces and parentheses', () => {
  expect(parentInStat('123 (a (b) c) S 77 123 1 0')).toBe(77);
  expect([parentInStat(undefined), parentInStat(''), parentInStat('1 (x) S no')]).toEqual([null, null, null]);
  if (process.platform === 'linux')
    expect(parentInStat(readFileSync(`/proc/${process.pid}/stat`, 'utf8'))).toBe(process.ppid);
});
