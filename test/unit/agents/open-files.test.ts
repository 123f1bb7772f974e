import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
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

it.skipIf(process.platform === 'win32')(
  'looks at processes alone, and at one after the other until all are found',
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck-proc-')));
    const opens = (process: string, file: string) => {
      mkdirSync(join(folder, process, 'fd'), { recursive: true });
      symlinkSync(file, join(folder, process, 'fd', '3'));
    };
    opens('sys', '/a');
    opens('11', '/b');
    opens('12', '/c');
    mkdirSync(join(folder, '13'));
    expect([...(await openFiles(new Set(['/a', '/b', '/c']), folder))].sort()).toEqual(['/b', '/c']);
    rmSync(folder, { recursive: true });
  },
);
