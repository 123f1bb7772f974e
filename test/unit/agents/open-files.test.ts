import { closeSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFiles } from '../../../src/agents/open-files';

it.runIf(process.platform === 'linux')('finds a file as long as a process has it open', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck-open-')));
  const file = join(folder, 'build.log');
  const files = new Set([file, join(folder, 'other.log')]);
  const open = openSync(file, 'w');
  try {
    expect([...(await openFiles(files))]).toEqual([file]);
  } finally {
    closeSync(open);
  }
  expect([...(await openFiles(files))]).toEqual([]);
  rmSync(folder, { recursive: true });
});

it('finds nothing where processes cannot be listed', async () => {
  expect((await openFiles(new Set(['/a']), '/nowhere')).size).toBe(0);
});
