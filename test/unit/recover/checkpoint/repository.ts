import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { systemCheckpointFiles as files } from '../../../../src/recover/checkpoint/system-files';
import { systemProcesses } from '../../../../src/base/processes/system';
import { listCheckpoints, restoreCheckpoint, saveCheckpoint } from '../../../../src/recover/checkpoint';
import type { RestoreRequest } from '../../../../src/recover/checkpoint/restore';
import type { SaveRequest } from '../../../../src/recover/checkpoint/save';
import type { Processes } from '../../../../src/base/processes/process';

const NOW = Date.UTC(2026, 10, 20, 18, 53, 50);
let ids = 0;

export const processes: Processes = systemProcesses(() => []);

/** A real repository in its own folder, with the helpers that the stories need. */
export class Repository {
  constructor(readonly path: string) {}

  git(...args: readonly string[]): string {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', [...identity, ...args], {
      cwd: this.path,
      env,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  write(path: string, text: string): this {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), text);
    return this;
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), 'utf8');
  }

  commit(message: string): this {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
    return this;
  }

  save(more: Partial<SaveRequest> = {}) {
    return saveCheckpoint({
      processes,
      files,
      cwd: this.path,
      session: 'session-1',
      id: `01JD0000000000000000000${String(++ids).padStart(3, '0')}`,
      message: 'Unstuck checkpoint: fix the calculator\n\nDone:\n- read the test',
      now: NOW + ids * 1000,
      ...more,
    });
  }

  list() {
    return listCheckpoints({ processes, files, cwd: this.path });
  }

  restore(ref: string, more: Partial<Pick<RestoreRequest, 'processes' | 'files' | 'signal'>> = {}) {
    return restoreCheckpoint({ processes, files, cwd: this.path, ref, ...more });
  }

  /** Names with content, links and modes of all files outside of `.git`. */
  files(): Record<string, string> {
    const found: Record<string, string> = {};
    const walk = (folder: string) => {
      for (const entry of readdirSync(join(this.path, folder), { withFileTypes: true })) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.name === '.git') continue;
        const full = join(this.path, path);
        if (entry.isDirectory()) walk(path);
        else if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(full)}`;
        else if (entry.isFile())
          found[path] = `${(lstatSync(full).mode & 0o111) === 0 ? '' : 'x '}${readFileSync(full, 'utf8')}`;
      }
    };
    walk('');
    return found;
  }

  /** All that a checkpoint must not change: the files, the bytes of the index, HEAD, branches, stash, reflog. */
  untouchable(): unknown {
    const [index = '', head = ''] = this.git('rev-parse', '--git-path', 'index', '--git-path', 'HEAD').split('\n');
    const bytes = (path: string) => {
      try {
        return createHash('sha256')
          .update(readFileSync(resolve(this.path, path)))
          .digest('hex');
      } catch {
        return 'none';
      }
    };
    return {
      files: this.files(),
      index: bytes(index),
      head: bytes(head),
      refs: this.git('for-each-ref')
        .split('\n')
        .filter((line) => !line.includes('refs/unstuck/')),
    };
  }
}

const folders: string[] = [];

/** An empty folder, which exists until `removeFolders` is called. */
export function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck checkpoint ')));
  folders.push(path);
  return path;
}

/** Repositories that were made once, by their content. */
const templates = new Map<string, string>();

/** Called at the end of a file: tests that run side by side have no other end in common. */
export function removeFolders(): void {
  templates.clear();
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
}

/** A copy of a repository that is made once. */
export function copied(name: string, make: (repo: Repository) => unknown): Repository {
  let template = templates.get(name);
  if (template === undefined) {
    template = folder();
    const made = new Repository(template);
    made.git('init', '-q', '-b', 'main', '--template=');
    make(made);
    templates.set(name, template);
  }
  const path = join(folder(), 'repository');
  cpSync(template, path, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  mkdirSync(join(path, '.git/info'), { recursive: true });
  mkdirSync(join(path, '.git/hooks'), { recursive: true });
  return new Repository(path);
}

export function repository(): Repository {
  return copied('empty', () => undefined);
}

export function good<T>(result: { ok: true; value: T } | { ok: false; error: { code: string; message: string } }): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

export const code = (result: { ok: boolean; error?: { code: string } }): string | undefined => result.error?.code;
