import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Repository, code, copied, folder, good, processes, removeFolders } from './repository';

afterAll(removeFolders);

describe('what a filter would have changed', () => {
  it('comes back byte for byte: line ends, and content that is kept elsewhere', async () => {
    const repo = copied('with CR LF', (made) => {
      made
        .write('.gitattributes', '* text=auto eol=crlf\n*.bin filter=lfs\n')
        .write('a.txt', 'one\n')
        .write('b.txt', 'b\n');
      made.git('config', 'core.autocrlf', 'true');
      made.commit('first');
      for (const path of ['a.txt', 'b.txt']) rmSync(join(made.path, path));
      made.git('checkout', '-q', '--', '.');
    });
    expect(repo.read('a.txt')).toBe('one\r\n');
    repo.git('config', 'filter.lfs.clean', 'false');
    repo.git('config', 'filter.lfs.required', 'true');
    const mixed = 'two\r\nthree\nfour\r';
    repo.write('a.txt', mixed).write('big.bin', 'a picture\r\n');
    const saved = good(await repo.save());
    // A file that differs from the object only in its line ends is not other work.
    repo.write('a.txt', 'one\r\n').write('b.txt', 'b\r\n');
    rmSync(join(repo.path, 'big.bin'));
    good(await repo.restore(saved.ref));
    expect([repo.read('a.txt'), repo.read('b.txt'), repo.read('big.bin')]).toEqual([mixed, 'b\r\n', 'a picture\r\n']);
  });

  it('comes back with a name that is not UTF-8', async () => {
    const repo = copied('one file', (made) => made.write('a.txt', 'one\n').commit('first'));
    const name = Buffer.concat([Buffer.from(`${repo.path}/caf`), Buffer.from([0xe9])]);
    writeFileSync(name, 'latin');
    const saved = good(await repo.save());
    rmSync(name);
    good(await repo.restore(saved.ref));
    expect(readFileSync(name, 'utf8')).toBe('latin');
  });

  it('keeps the executable permission if the repository ignores it', async () => {
    const repo = copied('one file', (made) => made.write('a.txt', 'one\n').commit('first'));
    repo.git('config', 'core.fileMode', 'false');
    chmodSync(join(repo.path, 'a.txt'), 0o755);
    expect(code(await repo.save())).toBe('clean');
  });
});

describe('a checkpoint made by someone else', () => {
  const REF = 'refs/unstuck/session-1/01JD0000000000000000000999';

  /** A commit with one file at a path that git would not take from a work tree. */
  function forged(repo: Repository, path: string, mode = '100644'): void {
    const run = (input: string, ...args: readonly string[]) =>
      execFileSync('git', args, { cwd: repo.path, input, encoding: 'utf8' }).trim();
    let object = run('forged\n', 'hash-object', '-w', '--stdin');
    let entry = `${mode} blob ${object}\t`;
    for (const name of path.split('/').reverse()) {
      object = run(`${entry}${name}\n`, 'mktree', '--missing');
      entry = `040000 tree ${object}\t`;
    }
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x'];
    const commit = run('', ...identity, 'commit-tree', object, '-p', 'HEAD', '-m', 'forged');
    run('', 'update-ref', REF, commit);
  }

  it.each([
    '../outside',
    '.git/hooks/post-checkout',
    '.GIT/config',
    'src/.git/config',
    'git~1/config',
    '.git\u200c/config',
  ])('writes nothing to %s', async (path) => {
    const repo = copied('one file', (made) => made.write('a.txt', 'one\n').commit('first'));
    forged(repo, path);
    const before = repo.untouchable();
    expect(code(await repo.restore(REF))).toBe('bad_name');
    expect(repo.untouchable()).toEqual(before);
    expect(existsSync(join(repo.path, '../outside'))).toBe(false);
    expect(existsSync(join(repo.path, '.git/hooks/post-checkout'))).toBe(false);
  });

  it('writes nothing through an ignored link, nor over an ignored file', async () => {
    const repo = copied('one file', (made) => made.write('a.txt', 'one\n').commit('first'));
    repo.write('.git/info/exclude', 'build\nkept.txt\n');
    const outside = folder();
    symlinkSync(outside, join(repo.path, 'build'));
    forged(repo, 'build/x.txt');
    expect(code(await repo.restore(REF))).toBe('in_the_way');
    expect(existsSync(join(outside, 'x.txt'))).toBe(false);
    repo.write('kept.txt', 'mine\n');
    forged(repo, 'kept.txt');
    expect(code(await repo.restore(REF))).toBe('in_the_way');
    expect(repo.read('kept.txt')).toBe('mine\n');
  });
});

describe('saving that takes long', () => {
  const large = () => {
    const repo = copied('one file', (made) => made.write('a.txt', 'one\n').commit('first'));
    return repo.write('a.txt', 'x'.repeat(1024 * 1024)).write('b.txt', 'y'.repeat(1024 * 1024));
  };

  it('reports its progress', async () => {
    const steps: [number, number][] = [];
    good(await large().save({ onProgress: (done, all) => steps.push([done, all]) }));
    expect(steps.length).toBeGreaterThan(4);
    expect(steps.every(([done, all], n) => done <= all && done >= (steps[n - 1]?.[0] ?? 0))).toBe(true);
    expect(steps.at(-1)?.[0]).toBe(steps.at(-1)?.[1]);
  });

  it('ends when it is cancelled, with no checkpoint and the reason', async () => {
    const repo = large();
    const before = repo.untouchable();
    const end = new AbortController();
    expect(code(await repo.save({ signal: end.signal, onProgress: () => end.abort() }))).toBe('cancelled');
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    expect(code(await repo.save({ signal: late }))).toBe('too_slow');
    expect(repo.untouchable()).toEqual(before);
    expect(good(await repo.list())).toEqual([]);
  });

  it('leaves no file of its own behind', async () => {
    const seen: string[] = [];
    const watching = {
      run: (request: Parameters<typeof processes.run>[0]) => (seen.push(request.cwd), processes.run(request)),
    };
    good(await large().save({ processes: watching }));
    const own = seen.find((path) => path.includes('unstuck-'));
    expect(own).toBeDefined();
    expect(existsSync(own ?? '/')).toBe(false);
  });
});
