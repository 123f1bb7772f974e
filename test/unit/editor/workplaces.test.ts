import { describe, expect, it } from 'vitest';
import { Workplaces } from '../../../src/editor/workplaces';
import { agentView } from './support/views';

const at = (session: string, cwd: string | undefined, branch?: string) => {
  const { cwd: _cwd, ...bare } = agentView(session);
  return { ...bare, ...(cwd !== undefined && { cwd }), ...(branch !== undefined && { branch }) };
};

/** Places over fake git pointers. Counts what was read. */
function places(files: Readonly<Record<string, string>> = {}, folders: readonly string[] = ['/w/shop', '/w/api']) {
  const read: string[] = [];
  const made = new Workplaces(
    () => folders,
    (path) => {
      read.push(path);
      return files[path];
    },
  );
  return { places: made, read };
}

const FILES = {
  '/w/shop/.git/HEAD': 'ref: refs/heads/main',
  '/w/shop-fix/.git': 'gitdir: /w/shop/.git/worktrees/shop-fix\n',
  '/w/api/vendor/lib/.git': 'gitdir: /w/api/.git/modules/lib\n',
};

describe('where an agent works', () => {
  it('is the open folder, even from a subfolder', () => {
    const { places: all } = places(FILES);
    expect(all.of(at('a', '/w/shop/src/cart', 'main'))).toEqual({ folder: 'shop', branch: 'main' });
    expect(all.of(at('b', '/w/other'))).toEqual({ folder: 'other' });
    expect(all.of(at('c', undefined))).toBeUndefined();
  });

  it('is the worktree of a repository, under the name of the repository', () => {
    const { places: all } = places(FILES);
    expect(all.of(at('a', '/w/shop-fix/src', 'fix'))).toEqual({ folder: 'shop', worktree: 'shop-fix', branch: 'fix' });
  });

  it('is no worktree if the pointer belongs to a submodule', () => {
    expect(places(FILES).places.of(at('a', '/w/api/vendor/lib'))).toEqual({ folder: 'api' });
  });

  it('is the root if it contains the open folder, and its row says so', () => {
    const { places: all } = places({ '/w/.git/HEAD': 'ref: refs/heads/main' }, ['/w/packages/web']);
    expect(all.of(at('a', '/w'))).toEqual({ folder: 'w', isAbove: true });
    expect(all.of(at('b', '/w/packages/web/src'))).toEqual({ folder: 'web' });
    const above = at('a', '/w');
    expect(all.naming([above])(above)).toBe('at the root');
  });

  it('is no branch while no branch is checked out', () => {
    expect(places(FILES).places.of(at('a', '/w/shop', 'HEAD'))).toEqual({ folder: 'shop' });
  });

  it('is a folder that was opened after the agent was seen', () => {
    const folders = ['/w/api'];
    const { places: all } = places(FILES, folders);
    expect(all.of(at('a', '/w/shop/src/cart'))).toEqual({ folder: 'cart' });
    folders.push('/w/shop');
    expect(all.of(at('a', '/w/shop/src/cart'))).toEqual({ folder: 'shop' });
  });

  it('is looked up once for each directory', () => {
    const { places: all, read } = places(FILES);
    all.of(at('a', '/w/shop-fix'));
    const once = read.length;
    all.of(at('b', '/w/shop-fix'));
    expect([read.length, once > 0]).toEqual([once, true]);
  });
});

describe('the place on a row', () => {
  const names = (...views: ReturnType<typeof at>[]) => views.map(places(FILES).places.naming(views));

  it('is empty if all agents work in one place', () => {
    expect(names(at('a', '/w/shop', 'main'), at('b', '/w/shop/src', 'main'))).toEqual(['', '']);
  });

  it('names the folder if there are several', () => {
    expect(names(at('a', '/w/shop', 'main'), at('b', '/w/api', 'main'), at('c', undefined))).toEqual([
      'shop',
      'api',
      '',
    ]);
  });

  it('names the branch if one folder has several', () => {
    expect(names(at('a', '/w/shop', 'main'), at('b', '/w/shop', 'fix'))).toEqual(['main', 'fix']);
  });

  it('names the worktree, whose branch then adds nothing', () => {
    expect(names(at('a', '/w/shop', 'main'), at('b', '/w/shop-fix', 'fix'))).toEqual(['', 'shop-fix']);
  });
});
