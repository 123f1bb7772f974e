import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isProcessAlive } from '../../../../src/base/util/process';

test('this process runs, one that has ended does not', () => {
  expect(isProcessAlive(process.pid)).toBe(true);
  expect(isProcessAlive(spawnSync(process.execPath, ['-e', '']).pid)).toBe(false);
});

test.each([0, -1, 1.5, Number.NaN])('%d is no process: it would address a group, or nothing', (pid) => {
  expect(isProcessAlive(pid)).toBe(false);
});
