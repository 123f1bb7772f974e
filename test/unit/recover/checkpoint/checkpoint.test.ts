import type { ProcessRequest } from '../../../../src/base/processes/process';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CheckpointFiles } from '../../../../src/recover/checkpoint';
import { systemCheckpointFiles } from '../../../../src/recover/checkpoint/system-files';
import { CHECKPOINT_LIMITS } from '../../../../src/recover/checkpoint/save';
import { Repository, code, copied, folder, good, processes, removeFolders, repository } from './repository';

function started(): Repository {
  return copied('started', (repo) =>
    repo
      .write('.gitignore', 'ignored.txt\nnode_modules/\n')
      .write('src/calc.py', 'def add(a, b):\n    return a - b\n')
      .write('src/old.py', 'old\n')
      .write('README.md', 'read me\n')
      .commit('first'),
  );
}

const tree = (repo: Repository, ref: string) =>
  repo.git('ls-tree', '-r', '--name-only', '-z', ref).split('\0').filter(Boolean);

afterAll(removeFolders);

describe('saving the work in progress', () => {
  it('saves changed, new and deleted files as a separate commit, and touches nothing', async () => {
    const repo = started();
    repo
      .write('src/calc.py', 'def add(a, b):\n    return a + b\n')
      .write('src/new file.py', 'new\n')
      .write('ignored.txt', 'x');
    rmSync(join(repo.path, 'src/old.py'));
    repo.git('add', 'src/calc.py');
    repo.write('src/calc.py', 'def add(a, b):\n    return b + a\n');
    const before = repo.untouchable();
    const saved = good(await repo.save());
    expect(repo.untouchable()).toEqual(before);
    expect(saved).toMatchObject({ changed: 3, leftOut: [], base: repo.git('rev-parse', 'HEAD').trim() });
    expect(tree(repo, saved.ref)).toEqual(['.gitignore', 'README.md', 'src/calc.py', 'src/new file.py']);
    expect(repo.git('show', `${saved.ref}:src/calc.py`)).toContain('return b + a');
    expect(repo.git('log', '-1', '--format=%an %ct', saved.ref).trim()).toBe(`Unstuck ${Math.floor(saved.at / 1000)}`);
    expect(repo.git('reflog').split('\n').filter(Boolean)).toHaveLength(1);
  });

  it('sees a change of the same length in the very second in which the index was written', async () => {
    const repo = started();
    for (let n = 0; n < 3; n++) {
      repo.write('README.md', `${n} one\n`);
      repo.git('add', 'README.md');
      repo.write('README.md', `${n} two\n`);
      const saved = good(await repo.save());
      expect(repo.git('show', `${saved.ref}:README.md`)).toBe(`${n} two\n`);
    }
  });

  it('works before the first commit', async () => {
    const repo = repository().write('a.txt', 'a\n');
    const before = repo.untouchable();
    const saved = good(await repo.save());
    expect(repo.untouchable()).toEqual(before);
    expect(saved.base).toBeNull();
    expect(tree(repo, saved.ref)).toEqual(['a.txt']);
  });

  it('works in a worktree, from a folder below its top, without an effect on the main work tree', async () => {
    const repo = started();
    const path = join(folder(), 'side');
    repo.git('worktree', 'add', '-q', '-b', 'side', path);
    const side = new Repository(path).write('src/side.py', 'side\n');
    const [main, before] = [repo.untouchable(), side.untouchable()];
    const saved = good(await side.save({ cwd: join(path, 'src') }));
    expect([repo.untouchable(), side.untouchable()]).toEqual([main, before]);
    expect(tree(repo, saved.ref)).toContain('src/side.py');
  });

  it('saves a work tree in the middle of a conflict', async () => {
    const repo = started();
    repo.git('checkout', '-q', '-b', 'other');
    repo.write('README.md', 'theirs\n').commit('theirs');
    repo.git('checkout', '-q', 'main');
    repo.write('README.md', 'ours\n').commit('ours');
    expect(() => repo.git('merge', 'other')).toThrow();
    const before = repo.untouchable();
    const saved = good(await repo.save());
    expect(repo.untouchable()).toEqual(before);
    expect(repo.git('show', `${saved.ref}:README.md`)).toContain('<<<<<<<');
  });

  it('saves names with spaces, line breaks or characters of git patterns, links and executables', async () => {
    const repo = started();
    const names = ['a b.txt', 'line\nbreak.txt', 'tab\t.txt', ':(top)x.txt', '*.txt', 'quote".txt', 'ünï.txt', '-n'];
    for (const name of names) repo.write(name, name);
    symlinkSync('README.md', join(repo.path, 'link'));
    symlinkSync('/nowhere/at/all', join(repo.path, 'dangling'));
    repo.write('run.sh', '#!/bin/sh\n');
    chmodSync(join(repo.path, 'run.sh'), 0o755);
    const files = repo.files();
    const saved = good(await repo.save());
    for (const name of [...names, 'link', 'dangling', 'run.sh']) expect(tree(repo, saved.ref)).toContain(name);
    repo.git('clean', '-fdq');
    expect(code(await repo.restore(saved.ref))).toBeUndefined();
    expect(repo.files()).toEqual(files);
  });

  it('leaves out and names files that are too large, and repositories within this one', async () => {
    const repo = started();
    repo.write('big *.bin', 'x'.repeat(3000)).write('small.txt', 'x');
    const inner = join(repo.path, 'inner');
    mkdirSync(inner);
    const nested = new Repository(inner);
    nested.git('init', '-q');
    nested.write('unsaved.txt', 'x');
    const saved = good(await repo.save({ limits: { ...CHECKPOINT_LIMITS, fileBytes: 2000 } }));
    expect(tree(repo, saved.ref)).toEqual(['.gitignore', 'README.md', 'small.txt', 'src/calc.py', 'src/old.py']);
    expect([...saved.leftOut].sort((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: 'big *.bin', why: 'too_large' },
      { path: 'inner', why: 'repository' },
    ]);
    expect(code(await repo.save({ limits: { ...CHECKPOINT_LIMITS, totalBytes: 2000 } }))).toBe('too_large');
    expect(code(await repo.save({ limits: { ...CHECKPOINT_LIMITS, files: 1 } }))).toBe('too_large');
  });

  it('leaves submodules alone', async () => {
    const library = started();
    const repo = started();
    repo.git('submodule', 'add', '-q', library.path, 'lib');
    repo.commit('submodule');
    const sub = new Repository(join(repo.path, 'lib'));
    sub.write('README.md', 'changed in the submodule\n');
    repo.write('README.md', 'changed\n');
    const before = sub.untouchable();
    const saved = good(await repo.save());
    expect(sub.untouchable()).toEqual(before);
    sub.git('checkout', '-q', '--', '.');
    repo.git('checkout', '-q', '--', 'README.md');
    expect(code(await repo.restore(saved.ref))).toBeUndefined();
    expect(repo.read('README.md')).toBe('changed\n');
    expect(sub.read('README.md')).toBe('read me\n');
  });

  it('says that there is nothing to save', async () => {
    expect(code(await started().save())).toBe('clean');
    expect(code(await repository().save())).toBe('clean');
  });

  it('refuses outside of git, without git, and for invalid names', async () => {
    const outside = new Repository(folder()).write('a.txt', 'a');
    expect(code(await outside.save())).toBe('not_a_work_tree');
    expect(code(await outside.list())).toBe('not_a_work_tree');
    expect(code(await started().save({ session: '../../heads' }))).toBe('bad_name');
    const none = { run: (request: ProcessRequest) => processes.run({ ...request, command: 'no-such-git-here' }) };
    expect(code(await outside.save({ processes: none }))).toBe('no_git');
  });
});

describe('listing and restoring checkpoints', () => {
  it('lists them newest first with the progress summary', async () => {
    const repo = started().write('README.md', '1\n');
    const first = good(await repo.save());
    repo.write('README.md', '2\n');
    const second = good(await repo.save({ session: 'session-2', message: 'Unstuck checkpoint: two' }));
    const all = good(await repo.list());
    expect(all.map(({ ref }) => ref)).toEqual([second.ref, first.ref]);
    expect(all[1]).toMatchObject({
      subject: 'Unstuck checkpoint: fix the calculator',
      summary: 'Done:\n- read the test',
      at: first.at,
    });
  });

  // a file is deleted │ the person cancels │ the other files are written
  it('brings all back if it is cancelled after the first file: half a checkpoint would be other work in progress', async () => {
    const repo = started();
    repo.write('src/calc.py', 'changed\n');
    rmSync(join(repo.path, 'src/old.py'));
    const files = repo.files();
    const saved = good(await repo.save());
    repo.git('checkout', '-q', '--', '.');
    const end = new AbortController();
    const cancelling: CheckpointFiles = {
      ...systemCheckpointFiles,
      delete: async (root, path) => {
        await systemCheckpointFiles.delete(root, path);
        end.abort();
      },
    };
    const restored = await repo.restore(saved.ref, { files: cancelling, signal: end.signal });
    expect(restored).toEqual({ ok: true, value: { files: 2 } });
    expect(repo.files()).toEqual(files);
  });

  it('brings files and deletions back without moving HEAD or the index', async () => {
    const repo = started();
    repo.write('src/calc.py', 'changed\n').write('deep/er/new.txt', 'new\n');
    rmSync(join(repo.path, 'src/old.py'));
    const [files, status] = [repo.files(), repo.git('status', '--porcelain')];
    const saved = good(await repo.save());
    repo.git('checkout', '-q', '--', '.');
    repo.git('clean', '-fdq');
    const head = repo.git('rev-parse', 'HEAD');
    expect(good(await repo.restore(saved.ref))).toEqual({ files: 3 });
    expect(repo.files()).toEqual(files);
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(repo.git('status', '--porcelain')).toBe(status);
  });

  it('refuses while there is other work in progress, and changes nothing', async () => {
    const repo = started().write('src/calc.py', 'changed\n');
    const saved = good(await repo.save());
    for (const spoil of [
      () => repo.write('untracked.txt', 'x'),
      () => repo.write('README.md', 'x'),
      () => void repo.git('rm', '-q', '--cached', 'README.md'),
    ]) {
      repo.git('reset', '-q', '--hard');
      repo.git('clean', '-fdq');
      spoil();
      const before = repo.untouchable();
      const refused = await repo.restore(saved.ref);
      expect(code(refused)).toBe('dirty');
      expect(repo.untouchable()).toEqual(before);
    }
  });

  it('does not take what Unstuck itself wrote as work in progress, and leaves it as it is', async () => {
    const repo = started().write('src/calc.py', 'changed\n');
    const own = ['.claude/settings.local.json', 'packages/x/.claude/settings.local.json', '.unstuck/inbox/s/wake'];
    for (const path of own) repo.write(path, 'at the time of the checkpoint');
    const saved = good(await repo.save());
    expect(tree(repo, saved.ref).filter((path) => own.includes(path))).toEqual([]);
    expect(saved).toMatchObject({ changed: 1, leftOut: [] });
    repo.git('checkout', '-q', '--', '.');
    for (const path of own) repo.write(path, 'later');
    good(await repo.restore(saved.ref));
    expect(repo.read('src/calc.py')).toBe('changed\n');
    for (const path of own) expect(repo.read(path)).toBe('later');
    repo.git('checkout', '-q', '--', '.');
    expect(code(await repo.save())).toBe('clean');

    // What git tracks is the work of a person, whatever its name; so is a file next to it.
    for (const [path, text] of [
      ['.claude/settings.json', 'x'],
      ['.claude/settings.local.json', 'tracked'],
    ] as const) {
      repo.write(path, text);
      if (text === 'tracked') {
        repo.git('add', '-f', path);
        repo.git('commit', '-q', '-m', 'settings');
        repo.write(path, 'changed');
      }
      expect(code(await repo.restore(saved.ref))).toBe('dirty');
      if (text === 'x') rmSync(join(repo.path, path));
    }
  });

  it('keeps what was committed since, and refuses if it touches the same files', async () => {
    const repo = started().write('src/calc.py', 'changed\n');
    const saved = good(await repo.save());
    repo.git('checkout', '-q', '--', '.');
    repo.write('README.md', 'committed since\n').commit('second');
    good(await repo.restore(saved.ref));
    expect([repo.read('README.md'), repo.read('src/calc.py')]).toEqual(['committed since\n', 'changed\n']);
    repo.git('checkout', '-q', '--', '.');
    repo.write('src/calc.py', 'committed otherwise\n').commit('third');
    expect(code(await repo.restore(saved.ref))).toBe('changed_since');
    expect(repo.read('src/calc.py')).toBe('committed otherwise\n');
  });

  it('restores a file that became a folder, even before the first commit', async () => {
    const repo = started();
    rmSync(join(repo.path, 'README.md'));
    repo.write('README.md/inner.txt', 'x');
    const files = repo.files();
    const saved = good(await repo.save());
    repo.git('clean', '-fdq');
    repo.git('checkout', '-q', '--', '.');
    good(await repo.restore(saved.ref));
    expect(repo.files()).toEqual(files);

    const unborn = repository().write('a.txt', 'a\n');
    const first = good(await unborn.save());
    rmSync(join(unborn.path, 'a.txt'));
    good(await unborn.restore(first.ref));
    expect(unborn.read('a.txt')).toBe('a\n');
  });

  it('says when a checkpoint is gone, and accepts no other ref', async () => {
    const repo = started();
    expect(code(await repo.restore('refs/unstuck/session-1/01JD0000000000000000000999'))).toBe('not_found');
    expect(code(await repo.restore('refs/heads/main'))).toBe('bad_name');
    expect(code(await repo.restore('--help'))).toBe('bad_name');
  });
});
