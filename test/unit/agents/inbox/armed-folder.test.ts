import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { armFolder, disarmFolder, isFolderArmed } from '../../../../src/agents/inbox/armed-folder';
import { folder } from '../../support/folder';

const only =
  (...alive: readonly number[]) =>
  (pid: number) =>
    alive.includes(pid);

it('a folder is armed as long as one of its windows lives, whichever of them closes first', async () => {
  const root = folder();
  expect(await isFolderArmed(root, only(1))).toBe(false);
  await armFolder(root, 1, only(1, 2));
  await armFolder(root, 2, only(1, 2));
  disarmFolder(root, 2);
  expect(await isFolderArmed(root, only(1))).toBe(true);
  disarmFolder(root, 1);
  disarmFolder(root, 1);
  expect(await isFolderArmed(root, only(1, 2))).toBe(false);
});

it('what a killed window left behind arms nothing, and is removed by the next one', async () => {
  const root = folder();
  await armFolder(root, 1, only(1));
  expect(await isFolderArmed(root, only())).toBe(false);
  await armFolder(root, 2, only(2));
  expect(existsSync(join(root, '.unstuck/gate-1.json'))).toBe(false);
});

// an editor is killed │ it restarts with two windows on one folder │ both find its file │ the other one is the first to remove it
it('is armed by a window even if another one removes what a killed window left behind', async () => {
  const root = folder();
  await armFolder(root, 1, only(1));
  const armed = await armFolder(root, 3, (pid) => {
    rmSync(join(root, `.unstuck/gate-${pid}.json`), { force: true });
    return false;
  });
  expect([armed.ok, await isFolderArmed(root, only(3))]).toEqual([true, true]);
});

it('a file that names no window, or leads elsewhere, arms nothing', async () => {
  const root = folder();
  await armFolder(root, 1, only(1));
  writeFileSync(join(root, 'elsewhere.json'), JSON.stringify({ v: 1, pid: 7 }));
  symlinkSync(join(root, 'elsewhere.json'), join(root, '.unstuck/gate-7.json'));
  writeFileSync(join(root, '.unstuck/gate-8.json'), JSON.stringify({ v: 1, pid: '8' }));
  writeFileSync(join(root, '.unstuck/gate-9.json.tmp'), JSON.stringify({ v: 1, pid: 9 }));
  expect(await isFolderArmed(root, only(7, 8, 9))).toBe(false);
});

it('an impossible process id arms nothing, and its file stays', async () => {
  const root = folder();
  await armFolder(root, 1, only(1));
  for (const pid of [0, -1, 1.5]) {
    const file = join(root, '.unstuck/gate-5.json');
    writeFileSync(file, JSON.stringify({ v: 1, pid }));
    expect(await isFolderArmed(root, (one) => one === pid)).toBe(false);
    await armFolder(root, 1, only(1));
    expect(existsSync(file)).toBe(true);
  }
});
