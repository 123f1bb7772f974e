import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemProcesses } from '../../../../src/base/processes/system';
import { programPath } from '../../../../src/base/files';

let place: string;
let workspace: string;
let names = 0;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck-programs-')));
  workspace = join(place, 'workspace');
  mkdirSync(workspace);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});

/** A program with a name that no other test knows, which prints its folder. */
function program(name: string, ...folders: readonly string[]): void {
  for (const folder of folders) {
    mkdirSync(join(place, folder), { recursive: true });
    writeFileSync(join(place, folder, name), `#!/bin/sh\necho ${folder}\n`);
    chmodSync(join(place, folder, name), 0o755);
  }
}

const path = (...folders: readonly string[]) => vi.stubEnv('PATH', [...folders, '/usr/bin', '/bin'].join(delimiter));

describe('a program that is started by its name', () => {
  it('is the first in PATH outside the workspace', () => {
    const name = `tool-${names++}`;
    program(name, 'workspace/node_modules/.bin', 'bin');
    path(join(workspace, 'node_modules/.bin'), join(place, 'bin'));
    expect(programPath(name, [workspace])).toBe(join(place, 'bin', name));
    expect(programPath(name, [place])).toBeNull();
    expect(programPath(name, ['/'])).toBe(join(workspace, 'node_modules/.bin', name));
  });

  it('is not taken through a link into the workspace, nor under another name of the workspace', () => {
    const name = `tool-${names++}`;
    program(name, 'workspace/bin');
    symlinkSync(join(workspace, 'bin'), join(place, 'outside'));
    symlinkSync(workspace, join(place, 'alias'));
    path(join(place, 'outside'), join(workspace, 'bin'));
    expect(programPath(name, [workspace])).toBeNull();
    expect(programPath(name, [join(place, 'alias')])).toBeNull();
  });

  it('is looked up once: a file that appears in PATH later is not taken', () => {
    const name = `tool-${names++}`;
    program(name, 'second');
    path(join(place, 'first'), join(place, 'second'));
    expect(programPath(name, [])).toBe(join(place, 'second', name));
    program(name, 'first');
    expect(programPath(name, [])).toBe(join(place, 'second', name));
  });

  it.each([
    ['.', '.'],
    ['a relative folder', 'bin'],
  ])('is not the one in the folder in which it runs, with %s in PATH', async (_, entry) => {
    const name = `tool-${names++}`;
    program(name, 'workspace', 'workspace/bin');
    path(entry);
    const request = { command: name, cwd: workspace, timeoutMs: 5000, maxBytes: 1000 };
    expect(await systemProcesses(() => []).run(request)).toMatchObject({ ended: 'not_started', stdout: '' });
  });
});
