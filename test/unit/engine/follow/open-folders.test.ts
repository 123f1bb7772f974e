import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenFolders } from '../../../../src/engine/follow/open-folders';

let home: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck-places-')));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: join(home, 'repository'),
      stdio: 'ignore',
    });
  mkdirSync(join(home, 'repository/packages/one'), { recursive: true });
  mkdirSync(join(home, 'another'));
  git('init');
  git('commit', '--allow-empty', '-m', 'first');
  git('worktree', 'add', join(home, 'elsewhere/tree'), '-b', 'side');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('sessions of the open folders', () => {
  const places = (...folders: string[]) =>
    new OpenFolders(
      folders.map((folder) => join(home, folder)),
      () => 0,
    );

  it.each([
    ['the folder itself', 'repository', true],
    ['a folder below it', 'repository/packages/one', true],
    ['a worktree of its repository, wherever it lies', 'elsewhere/tree', true],
    ['a folder of a worktree that is not there any more', 'elsewhere/tree/gone', true],
    ['another folder', 'another', false],
    ['a folder whose name only begins like it', 'repository-two', false],
  ])('%s', (_, cwd, belongs) => {
    expect(places('repository').has(join(home, cwd))).toBe(belongs);
  });

  it('of a package in the repository: the same package in a worktree, not another one', () => {
    const one = places('repository/packages/one');
    expect(one.has(join(home, 'elsewhere/tree/packages/one'))).toBe(true);
    expect(one.has(join(home, 'elsewhere/tree/packages/two'))).toBe(false);
  });

  it('lists the other places where the repository is worked on, for agents that name their folders after it', () => {
    const main = join(home, 'repository');
    expect(places('repository').all()).toEqual([main, main, join(home, 'elsewhere/tree')]);
    expect(places('elsewhere/tree').all()).toContain(main);
    expect(places('another').all()).toEqual([join(home, 'another')]);
  });

  it('lists a worktree that is made after the clock was set back by an hour', () => {
    let now = 3_600_000;
    const trees = ['one'];
    const folders = new OpenFolders(['/r'], () => now, {
      read: (path) => ({ '/r/.git/HEAD': 'ref' })[path] ?? /worktrees(\/\w+)\/gitdir$/.exec(path)?.[1]?.concat('/.git'),
      real: (path) => path,
      paths: posix,
      list: () => trees,
    });
    expect(folders.all()).toEqual(['/r', '/r', '/one']);
    now = 0;
    trees.push('two');
    expect(folders.all()).toEqual(['/r', '/r', '/one', '/two']);
  });
});
