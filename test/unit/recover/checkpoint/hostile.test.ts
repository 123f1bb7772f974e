import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Processes } from '../../../../src/base/processes/process';
import { Repository, code, copied, folder, good, processes, removeFolders } from './repository';

/** A repository with a checked-out submodule, and what its author left in it. */
interface Trap {
  readonly repo: Repository;
  /** A command that leaves PWNED behind and passes its input on. */
  readonly evil: string;
  readonly pwned: string;
  /** A folder of someone else. */
  readonly outside: string;
  config(text: string, file?: string): void;
  pipe(path: string): void;
}

const HOOKS = [
  'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit',
  'pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update push-to-checkout',
  'reference-transaction pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change',
].flatMap((line) => line.split(' '));

function trap(): Trap {
  const repo = copied('with a submodule', (made) => {
    const module = new Repository(join(made.path, 'module'));
    mkdirSync(module.path);
    module.git('init', '-q', '-b', 'main', '--template=');
    module.write('c.txt', 'c\n').commit('of the submodule');
    made.write('a.txt', 'one\n').write('src/b.txt', 'b\n').commit('first');
  });
  const outside = folder();
  writeFileSync(join(outside, 'b.txt'), 'private\n');
  const pwned = join(outside, '..', `PWNED-${process.pid}-${Math.random()}`);
  return {
    repo,
    pwned,
    outside,
    evil: `sh -c 'touch \\"${pwned}\\"; cat'`,
    config: (text, file = '.git/config') => writeFileSync(join(repo.path, file), `${text}\n`, { flag: 'a' }),
    pipe(path) {
      rmSync(join(repo.path, path), { force: true });
      execFileSync('mkfifo', [join(repo.path, path)]);
    },
  };
}

const attributes = ({ repo }: Trap, text: string) => repo.write('.git/info/attributes', `${text}\n`);

const filter = (name: string, { evil }: Trap) =>
  `[filter "${name}"]\nclean = "${evil}"\nsmudge = "${evil}"\nprocess = "${evil}"\nrequired = true`;

function hooks({ repo, pwned }: Trap, where = '.git/hooks'): void {
  for (const name of HOOKS) {
    const path = join(repo.path, where, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\ntouch "${pwned}"\n`, { mode: 0o755 });
  }
}

/** A preparation, and how saving and restoring end; both succeed by default. */
type Row = readonly [name: string, set: (trap: Trap) => void, ends?: { save?: string; restore?: string }];

const WORKS: readonly Row[] = [
  ['a filter', (t) => (t.config(filter('evil', t)), attributes(t, '* filter=evil'))],
  ['a filter without a name', (t) => (t.config(filter('', t)), attributes(t, '* filter='))],
  ['a filter with an equals sign in its name', (t) => (t.config(filter('a=b', t)), attributes(t, '* filter=a=b'))],
  [
    'a filter in any case',
    (t) => (
      t.config(filter('EvIl', t).replace('filter', 'FILTER').replace('clean', 'Clean')), attributes(t, '* filter=EvIl')
    ),
  ],
  [
    'a filter in a file that is included',
    (t) => {
      t.config('[include]\npath = more');
      t.config(filter('evil', t), '.git/more');
      attributes(t, '* filter=evil');
    },
  ],
  [
    'a filter that is included for this folder',
    (t) => {
      t.config('[includeIf "gitdir:**"]\npath = more');
      t.config(filter('evil', t), '.git/more');
      attributes(t, '* filter=evil');
    },
  ],
  [
    'a filter of the work tree’s own configuration',
    (t) => {
      t.config('[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true');
      t.config(filter('evil', t), '.git/config.worktree');
      attributes(t, '* filter=evil');
    },
  ],
  [
    'a filter, a monitor and hooks of a submodule',
    (t) => {
      t.config(`${filter('evil', t)}\n[core]\nfsmonitor = "${t.evil}"`, 'module/.git/config');
      t.repo.write('module/.git/info/attributes', '* filter=evil\n').write('module/c.txt', 'x\n');
      hooks(t, 'module/.git/hooks');
    },
  ],
  [
    'an update of a submodule by a command',
    (t) =>
      t.config(
        `[submodule "module"]\nactive = true\nurl = ./module\nupdate = "!${t.evil}"\n[submodule]\nrecurse = true`,
      ),
  ],
  ['hooks of every name', (t) => hooks(t)],
  ['hooks in a folder of its own', (t) => (hooks(t, '.git/other'), t.config('[core]\nhooksPath = .git/other'))],
  [
    'hooks in the configuration',
    (t) => t.config(HOOKS.map((name) => `[hook "${name}"]\nevent = ${name}\ncommand = "${t.evil}"`).join('\n')),
  ],
  ['a monitor of files', (t) => t.config(`[core]\nfsmonitor = "${t.evil}"\nuntrackedCache = true`)],
  [
    'programs that sign',
    (t) =>
      t.config(
        `[commit]\ngpgSign = true\n[gpg]\nprogram = "${t.evil}"\nformat = ssh\n[gpg "ssh"]\nprogram = "${t.evil}"\ndefaultKeyCommand = "${t.evil}"`,
      ),
  ],
  [
    'programs that compare, convert and merge',
    (t) => {
      t.config(
        `[diff]\nexternal = "${t.evil}"\n[diff "x"]\ncommand = "${t.evil}"\ntextconv = "${t.evil}"\n[merge "x"]\ndriver = "${t.evil}"`,
      );
      attributes(t, '* diff=x merge=x');
    },
  ],
  [
    'pager, editor, ssh, passwords, proxy',
    (t) =>
      t.config(
        `[core]\npager = "${t.evil}"\neditor = "${t.evil}"\nsshCommand = "${t.evil}"\naskPass = "${t.evil}"\ngitProxy = "${t.evil}"\nalternateRefsCommand = "${t.evil}"\n[credential]\nhelper = "!${t.evil}"\n[pager]\nls-files = true\nfor-each-ref = "${t.evil}"`,
      ),
  ],
  [
    'aliases of commands',
    (t) =>
      t.config(
        `[alias]\n${['rev-parse', 'ls-files', 'config', 'hash-object', 'update-index', 'write-tree', 'commit-tree', 'update-ref', 'cat-file'].map((name) => `${name} = "!${t.evil}"`).join('\n')}`,
      ),
  ],
  [
    'a remote that is asked for what is missing',
    (t) =>
      t.config(
        `[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = evil\n[remote "evil"]\nurl = "ext::${t.evil}"\npromisor = true\n[protocol "ext"]\nallow = always`,
      ),
  ],
  ['a pipe as .gitattributes', (t) => t.pipe('.gitattributes')],
  ['a pipe as the attributes of the repository', (t) => t.pipe('.git/info/attributes')],
  ['a pipe that git does not know', (t) => t.pipe('new-pipe')],
  [
    'a file of 3 GB',
    (t) => {
      t.repo.write('huge.bin', '');
      truncateSync(join(t.repo.path, 'huge.bin'), 3 * 1024 ** 3);
    },
  ],
  ['a new link to a file of somebody else', (t) => symlinkSync(join(t.outside, 'b.txt'), join(t.repo.path, 'stolen'))],
];

const REFUSED: readonly Row[] = [
  ['a pipe as .git/index', (t) => t.pipe('.git/index'), { save: 'git_failed', restore: 'git_failed' }],
  [
    'a pipe as .git',
    (t) => (rmSync(join(t.repo.path, '.git'), { recursive: true }), t.pipe('.git')),
    { save: 'not_a_work_tree', restore: 'not_a_work_tree' },
  ],
  [
    'a pipe as the file of patterns',
    (t) => (t.pipe('.git/patterns'), t.config(`[core]\nexcludesFile = "${join(t.repo.path, '.git/patterns')}"`)),
    { save: 'too_slow', restore: 'too_slow' },
  ],
  ['a pipe as .git/info/exclude', (t) => t.pipe('.git/info/exclude'), { save: 'too_slow', restore: 'too_slow' }],
  ['a pipe as .gitignore', (t) => t.pipe('.gitignore'), { save: 'too_slow', restore: 'too_slow' }],
  [
    'a pipe that is included',
    (t) => (t.pipe('.git/more'), t.config('[include]\npath = more')),
    { save: 'too_slow', restore: 'too_slow' },
  ],
  ['a pipe as .git/config', (t) => t.pipe('.git/config'), { save: 'too_slow', restore: 'too_slow' }],
  ['a pipe in the place of a file', (t) => t.pipe('a.txt'), { restore: 'dirty' }],
  [
    'a link in the place of .git/refs/unstuck',
    (t) => (
      rmSync(join(t.repo.path, '.git/refs/unstuck'), { recursive: true }),
      symlinkSync(t.outside, join(t.repo.path, '.git/refs/unstuck'))
    ),
    { save: 'linked', restore: 'not_found' },
  ],
  [
    'a link in the place of a session’s refs',
    (t) => (
      rmSync(join(t.repo.path, '.git/refs/unstuck/session-1'), { recursive: true }),
      symlinkSync(t.outside, join(t.repo.path, '.git/refs/unstuck/session-1'))
    ),
    { save: 'linked', restore: 'not_found' },
  ],
  [
    'a link in the place of .git/objects/xx',
    (t) => {
      for (let n = 0; n < 256; n++) {
        const at = join(t.repo.path, '.git/objects', n.toString(16).padStart(2, '0'));
        if (!existsSync(at)) symlinkSync(t.outside, at);
      }
    },
    { save: 'linked' },
  ],
  [
    'a link in the place of .git/objects',
    (t) => {
      cpSync(join(t.repo.path, '.git/objects'), join(t.outside, 'objects'), { recursive: true });
      rmSync(join(t.repo.path, '.git/objects'), { recursive: true });
      symlinkSync(join(t.outside, 'objects'), join(t.repo.path, '.git/objects'));
    },
    { save: 'linked' },
  ],
  [
    'a link in the place of .git',
    (t) => (
      renameSync(join(t.repo.path, '.git'), join(t.outside, '.git')),
      symlinkSync(join(t.outside, '.git'), join(t.repo.path, '.git'))
    ),
    { save: 'linked' },
  ],
  [
    'a link in the place of a folder',
    (t) => (rmSync(join(t.repo.path, 'src'), { recursive: true }), symlinkSync(t.outside, join(t.repo.path, 'src'))),
    { restore: 'dirty' },
  ],
  [
    'a work tree that is elsewhere',
    (t) => t.config(`[core]\nworktree = ${t.outside}`),
    { save: 'not_a_work_tree', restore: 'not_a_work_tree' },
  ],
  [
    'a work tree that is the folder above',
    (t) => t.config('[core]\nworktree = ../..'),
    { save: 'not_a_work_tree', restore: 'not_a_work_tree' },
  ],
  [
    'a repository of another user',
    () => vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1'),
    { save: 'git_failed', restore: 'git_failed' },
  ],
];

/**
 * Real processes. In a row where one is known to wait until its limit, all have a fifth of their time, and the limit is noted. Elsewhere they have
 * ten times as long: a busy machine is no fault.
 */
function timed(someWait: boolean): Processes & { readonly limits: number[] } {
  const limits: number[] = [];
  return {
    limits,
    async run(request) {
      const timeoutMs = someWait ? request.timeoutMs / 5 : request.timeoutMs * 10;
      const outcome = await processes.run({ ...request, timeoutMs });
      if (outcome.ended === 'timed_out') limits.push(request.timeoutMs);
      return outcome;
    },
  };
}

/** The contents of a folder of someone else. */
const contents = (path: string) => readdirSync(path).filter((name) => name !== '.git' && name !== 'objects');

const named = ([name, set, ends]: Row) => ({ name, set, ends, waits: ends?.save === 'too_slow' });
const ROWS = [...WORKS, ...REFUSED].map(named);

async function check({ set, ends, waits }: ReturnType<typeof named>): Promise<void> {
  const t = trap();
  const { repo } = t;
  const change = (text: string) => {
    if (lstatSync(join(repo.path, 'a.txt')).isFile()) repo.write('a.txt', text);
  };
  change('saved before\n');
  const before = ends ? good(await repo.save()).ref : 'refs/unstuck/none';
  change('one\n');
  set(t);
  const elsewhere = contents(t.outside);
  const watch = timed(waits);

  change('two\n');
  repo.write('new.txt', 'new\r\n');
  const saved = await repo.save({ processes: watch });
  expect([code(saved), existsSync(t.pwned)]).toEqual([ends?.save, false]);

  change('one\n');
  for (const added of ['new.txt', 'huge.bin', 'stolen']) rmSync(join(repo.path, added), { force: true });
  const restored = await repo.restore(saved.ok ? saved.value.ref : before, { processes: watch });
  expect([code(restored), existsSync(t.pwned)]).toEqual([ends?.restore, false]);
  if (restored.ok && saved.ok) expect([repo.read('a.txt'), repo.read('new.txt')]).toEqual(['two\n', 'new\r\n']);
  expect(contents(t.outside)).toEqual(elsewhere);
  expect(watch.limits.every((limit) => limit <= 10_000)).toBe(true);
}

afterAll(removeFolders);

describe('a checkpoint of a repository that someone else made', () => {
  afterEach(() => vi.unstubAllEnvs());

  const title = 'starts no program, waits for nothing, and writes nothing elsewhere: $name';
  it.each(ROWS.filter(({ waits }) => !waits))(title, check);
  // Each waits until a limit, so they wait side by side.
  it.concurrent.each(ROWS.filter(({ waits }) => waits))(title, check);
});
