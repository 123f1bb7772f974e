import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createOpenFiles } from '../../../src/agents/open-files';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>();
  return { ...real, readdir: vi.fn(real.readdir) };
});

it.runIf(process.platform === 'linux')('finds a file as long as a process has it open', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck-open-')));
  const file = join(folder, 'build.log');
  const files = new Set([file, join(folder, 'other.log')]);
  const open = openSync(file, 'w');
  const openFiles = createOpenFiles();
  try {
    expect([...(await openFiles(files))]).toEqual([file]);
  } finally {
    closeSync(open);
  }
  expect([...(await openFiles(files))]).toEqual([]);
  rmSync(folder, { recursive: true });
});

it('finds nothing if processes cannot be listed', async () => {
  expect((await createOpenFiles('/nowhere')(new Set(['/a']))).size).toBe(0);
});

it.skipIf(process.platform === 'win32')(
  'looks only at processes, one after the other, until all are found',
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
    expect([...(await createOpenFiles(folder)(new Set(['/a', '/b', '/c'])))].sort()).toEqual(['/b', '/c']);
    rmSync(folder, { recursive: true });
  },
);

it('looks first at the process that had a file, and at the others only if that one no longer has it', async () => {
  const proc = mkdtempSync(join(tmpdir(), 'unstuck-proc-'));
  const process = (id: string, ...files: readonly string[]) => {
    rmSync(join(proc, id), { recursive: true, force: true });
    mkdirSync(join(proc, id, 'fd'), { recursive: true });
    for (const [name, file] of files.entries()) symlinkSync(file, join(proc, id, 'fd', String(name)));
  };
  const look = createOpenFiles(proc);
  const listed: string[] = [];
  vi.mocked(readdir).mockImplementation(async (folder) => {
    listed.push(String(folder).slice(proc.length + 1));
    return readdirSync(folder) as never;
  });
  /** Returns whether the file is open, and which processes were listed to find out. */
  const found = async () => {
    listed.length = 0;
    const open = await look(new Set(['/work/build.log']));
    return [open.size === 1, ...listed];
  };
  process('10', '/dev/null');
  process('20', '/dev/null', '/work/build.log');
  process('30', '/dev/null');
  expect(await found()).toEqual([true, '', '10/fd', '20/fd']);
  expect(await found()).toEqual([true, '20/fd']);
  process('20', '/dev/null');
  process('30', '/work/build.log');
  expect(await found()).toEqual([true, '20/fd', '', '10/fd', '30/fd']);
  expect(await found()).toEqual([true, '30/fd']);
  process('30');
  expect(await found()).toEqual([false, '30/fd', '', '10/fd', '20/fd']);
  rmSync(proc, { recursive: true });
});
