import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contains, inboxRoot, inboxRoots } from '../../../../src/agents/inbox';
import type { RootFiles } from '../../../../src/agents/inbox/root';

/** A machine with these files and these links. */
function machine(files: Record<string, string> = {}, links: Record<string, string> = {}): RootFiles {
  return {
    read: (path) => files[path],
    real: (path) => {
      for (const [link, target] of Object.entries(links)) {
        if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
      }
      return path;
    },
    paths: posix,
  };
}

const repository = { '/repo/.git/HEAD': 'ref: refs/heads/main' };
const worktree = {
  ...repository,
  '/trees/fix/.git': 'gitdir: /repo/.git/worktrees/fix\n',
  '/repo/.git/worktrees/fix/commondir': '../..\n',
};

describe('the workspace folder of an inbox', () => {
  it('is the deepest open one that contains the working directory', () => {
    const open = ['/repo', '/repo/packages/a', '/other'];
    expect(inboxRoot(open, '/repo', machine())).toBe('/repo');
    expect(inboxRoot(open, '/repo/packages/b', machine())).toBe('/repo');
    expect(inboxRoot(open, '/repo/packages/a/src', machine())).toBe('/repo/packages/a');
    expect(inboxRoots(open, '/repo/packages/a/src', machine())).toEqual(['/repo/packages/a', '/repo']);
    expect(inboxRoot(open, '/repository', machine())).toBe(null);
    expect(inboxRoot([], '/repo', machine())).toBe(null);
  });

  it('is found through symbolic links on either side', () => {
    const files = machine({}, { '/home/me/repo': '/data/repo' });
    expect(inboxRoot(['/home/me/repo'], '/data/repo/src', files)).toBe('/home/me/repo');
    expect(inboxRoot(['/data/repo'], '/home/me/repo/src', files)).toBe('/data/repo');
  });

  it('is the open repository for a work tree of it in another place', () => {
    const files = machine(worktree);
    expect(inboxRoot(['/repo'], '/trees/fix', files)).toBe('/repo');
    expect(inboxRoot(['/repo'], '/trees/fix/packages/a', files)).toBe('/repo');
    expect(inboxRoot(['/repo', '/repo/packages/a'], '/trees/fix/packages/a', files)).toBe('/repo/packages/a');
    expect(inboxRoot(['/repo', '/trees/fix'], '/trees/fix/src', files)).toBe('/trees/fix');
    expect(inboxRoot(['/elsewhere'], '/trees/fix', files)).toBe(null);
  });

  it("is the open package of a work tree whose root is the agent's folder, and no repository inside it", () => {
    const files = machine({ ...repository, '/repo/lib/.git': 'gitdir: ../.git/modules/lib\n' });
    expect(inboxRoot(['/repo/packages/web'], '/repo', files)).toBe('/repo/packages/web');
    expect(inboxRoot(['/repo/packages/web'], '/repo/packages', files)).toBe('/repo/packages/web');
    expect(inboxRoots(['/repo/packages/web', '/repo'], '/repo', files)).toEqual(['/repo', '/repo/packages/web']);
    expect(inboxRoot(['/repo/lib/src'], '/repo', files)).toBe(null);
    // Outside a repository, a folder above may contain anything.
    expect(inboxRoot(['/home/me/project'], '/home/me', files)).toBe(null);
    const linked = machine(repository, { '/link': '/repo/packages/web' });
    expect(inboxRoot(['/link'], '/repo', linked)).toBe('/link');
  });

  it('follows a relative path in the .git file, and no submodule', () => {
    const relative = { ...worktree, '/trees/fix/.git': 'gitdir: ../../repo/.git/worktrees/fix\n' };
    expect(inboxRoot(['/repo'], '/trees/fix', machine(relative))).toBe('/repo');
    const submodule = { ...repository, '/repo/lib/.git': 'gitdir: ../.git/modules/lib\n' };
    expect(inboxRoot(['/somewhere'], '/repo/lib', machine(submodule))).toBe(null);
    const bare = {
      '/trees/fix/.git': 'gitdir: /repo.git/worktrees/fix',
      '/repo.git/worktrees/fix/commondir': '../..',
    };
    expect(inboxRoot(['/repo.git'], '/trees/fix', machine(bare))).toBe(null);
  });

  it('is not affected by a nonsense .git file', () => {
    for (const text of ['', 'gitdir: ', 'gitdir: ../../../../..', '\u0000', 'x'.repeat(10_000)]) {
      expect(inboxRoot(['/repo'], '/trees/fix', machine({ '/trees/fix/.git': text }))).toBe(null);
    }
  });

  it('is not a sibling whose name begins the same', () => {
    expect(contains('/repo', '/repo')).toBe(true);
    expect(contains('/repo', '/repo/a')).toBe(true);
    expect(contains('/repo', '/repo-old/a')).toBe(false);
    expect(contains('/repo', '/repo/..a')).toBe(true);
    expect(contains('/repo/a', '/repo')).toBe(false);
  });
});

describe('on Windows', () => {
  const windows = (files: Record<string, string> = {}): RootFiles => ({
    read: (path) => files[path],
    real: (path) => path,
    paths: win32,
  });

  it('a folder contains what is below it, whatever the case and the slashes, and nothing of another drive', () => {
    const holds = (folder: string, path: string) => contains(folder, path, win32);
    expect(holds('c:\\work', 'C:\\Work\\src')).toBe(true);
    expect(holds('c:\\work', 'C:/work')).toBe(true);
    expect(holds('C:\\work', 'C:\\workshop')).toBe(false);
    expect(holds('C:\\work', 'D:\\work\\src')).toBe(false);
    expect(holds('\\\\server\\share\\work', '\\\\server\\share\\work\\src')).toBe(true);
    expect(holds('\\\\server\\share\\work', '\\\\server\\other\\work')).toBe(false);
  });

  it('the deepest open folder is chosen, once', () => {
    const open = ['c:\\repo', 'c:\\repo\\packages\\a', 'd:\\other'];
    expect(inboxRoots(open, 'C:\\repo\\packages\\a\\src', windows())).toEqual(['c:\\repo\\packages\\a', 'c:\\repo']);
    const git = { 'C:\\repo\\.git\\HEAD': 'ref: refs/heads/main' };
    expect(inboxRoots(['c:\\repo'], 'C:\\repo', windows(git))).toEqual(['c:\\repo']);
    expect(inboxRoot(open, 'E:\\repo', windows())).toBeNull();
  });

  it('a worktree belongs to the same place of its repository, which git writes with slashes', () => {
    const files = {
      'D:\\trees\\fix\\.git': 'gitdir: C:/repo/.git/worktrees/fix\r\n',
      'C:\\repo\\.git\\worktrees\\fix\\commondir': '../..\r\n',
    };
    expect(inboxRoot(['c:\\repo'], 'D:\\trees\\fix\\src', windows(files))).toBe('c:\\repo');
    expect(inboxRoot(['c:\\other'], 'D:\\trees\\fix\\src', windows(files))).toBeNull();
  });
});
