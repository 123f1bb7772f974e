import { describe, expect, it } from 'vitest';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { armFolder, isFolderArmed } from '../../../../src/agents/inbox/armed-folder';
import { readGateFile } from '../../../../src/agents/inbox/gate-file';
import { VerdictFiles } from '../../../../src/recover/gates/verdict-files';
import { folder } from '../../support/folder';
import { recordingLog } from '../../support/log';
import { T0 } from '../../history/support/incidents';

function stage() {
  const root = folder();
  const files = new VerdictFiles(
    process.pid,
    () => T0,
    recordingLog(),
    () => undefined,
  );
  return { root, files, say: () => files.publish(root, 's', 'armed', 60_000), read: () => readGateFile(root, 's') };
}

describe('the file of a folder whose claims are judged', () => {
  it('belongs to one window: those of other windows and of closed ones do not count', async () => {
    const { root, files } = stage();
    const gone = 2 ** 22 + 54_321;
    await armFolder(root, gone, () => true);
    const isArmed = () => isFolderArmed(root, (pid) => pid === process.pid);
    expect(await isArmed()).toBe(false);
    await files.armFolders([root]);
    expect([await isArmed(), existsSync(join(root, `.unstuck/gate-${gone}.json`))]).toEqual([true, false]);
    files.dispose();
    expect(await isArmed()).toBe(false);
  });
});

describe('a folder that cannot be written', () => {
  // `.unstuck` is in the way │ it is removed │ the settings change
  it('is armed when it can be, the next time it should be', async () => {
    const { root, files } = stage();
    const isArmed = () => isFolderArmed(root, (pid) => pid === process.pid);
    writeFileSync(join(root, '.unstuck'), '');
    await files.armFolders([root]);
    expect([files.isArmed(root), await isArmed()]).toEqual([false, false]);
    rmSync(join(root, '.unstuck'));
    await files.armFolders([root]);
    expect([files.isArmed(root), await isArmed()]).toEqual([true, true]);
    files.dispose();
  });
});

describe('the file that makes a hook wait for a verdict', () => {
  it('exists while this window gives verdicts on the session', async () => {
    const { files, say, read } = stage();
    await say();
    expect(await read()).toMatchObject({ state: 'armed', at: T0, until: T0 + 4 * 3_600_000, pid: process.pid });
    files.remove('s');
    expect(await read()).toBeNull();
  });

  it.each([
    ['the session needs none any more', (files: VerdictFiles) => files.remove('s')],
    ['the window closes', (files: VerdictFiles) => files.dispose()],
  ])('is removed even if %s while it is written: a hook would wait for nothing', async (_, end) => {
    const { files, say, read } = stage();
    const said = say();
    // The writing has begun, and takes longer than this.
    await Promise.resolve();
    end(files);
    await said;
    expect(await read()).toBeNull();
    files.dispose();
  });
});
