import { describe, expect, it, vi } from 'vitest';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { armFolder, isFolderArmed } from '../../../../src/agents/inbox/armed-folder';
import { reportEnd } from '../../../../src/agents/inbox/end-file';
import { readGateFile } from '../../../../src/agents/inbox/gate-file';
import { VerdictFiles } from '../../../../src/recover/gates/verdict-files';
import { folder } from '../../support/folder';
import { PATIENCE } from '../../../support/patience';
import { recordingLog } from '../../support/log';
import { T0 } from '../../history/support/incidents';

function stage() {
  const root = folder();
  const ended: number[] = [];
  const files = new VerdictFiles(
    process.pid,
    () => T0,
    recordingLog(),
    (_, at) => ended.push(at),
  );
  return {
    root,
    ended,
    files,
    say: () => files.publish(root, 's', 'armed', 60_000),
    read: () => readGateFile(root, 's'),
  };
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

  // `.unstuck` is in the way │ it is removed │ the agent edits again
  it('is not thought to be there after it could not be written, so that the next edit writes it', async () => {
    const { root, files, say, read } = stage();
    writeFileSync(join(root, '.unstuck'), '');
    await say();
    expect(files.state('s')).toBeUndefined();
    rmSync(join(root, '.unstuck'));
    await say();
    expect([files.state('s'), (await read())?.state]).toEqual(['armed', 'armed']);
    files.dispose();
  });

  it('follows its session into a deeper folder that is opened meanwhile', async () => {
    const { root, ended, files, say, read } = stage();
    const deeper = join(root, 'packages/a');
    mkdirSync(deeper, { recursive: true });
    await say();
    files.removeMoved(() => deeper);
    expect([files.state('s'), await read()]).toEqual([undefined, null]);
    await files.publish(deeper, 's', 'armed', 60_000);
    await reportEnd(deeper, 's', T0 + 1_000);
    await vi.waitFor(() => expect(ended).toEqual([T0 + 1_000]), PATIENCE);
    files.dispose();
    expect(await readGateFile(deeper, 's')).toBeNull();
  });

  it('is not left behind in the old folder by a write that was under way', async () => {
    const { root, files, say, read } = stage();
    const deeper = join(root, 'packages/a');
    mkdirSync(deeper, { recursive: true });
    const said = say();
    await Promise.resolve();
    files.removeMoved(() => deeper);
    await Promise.all([said, files.publish(deeper, 's', 'armed', 60_000)]);
    expect([await read(), (await readGateFile(deeper, 's'))?.state]).toEqual([null, 'armed']);
    files.dispose();
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
