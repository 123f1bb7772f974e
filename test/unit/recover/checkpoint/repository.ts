import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
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
import { afterEach } from 'vitest';
import { systemCheckpointFiles } from '../../../../src/engine/checkpoint-files';
import { systemProcesses } from '../../../../src/engine/follow/processes';
import { listCheckpoints, restoreCheckpoint, saveCheckpoint } from '../../../../src/recover/checkpoint';
import type { CheckpointLimits } from '../../../../src/recover/checkpoint/save';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const NOW = Date.UTC(2026, 10, 20, 18, 53, 50);
let ids = 0;

/** A real repository in a folder of its own, with the helpers that the stories need. */
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

  save(more: { limits?: CheckpointLimits; cwd?: string; session?: string; message?: string } = {}) {
    return saveCheckpoint({
      processes: systemProcesses,
      files: systemCheckpointFiles,
      cwd: this.path,
      session: 'session-1',
      id: `01JD0000000000000000000${String(++ids).padStart(3, '0')}`,
      message: 'Unstuck checkpoint: fix the calculator\n\nDone:\n- read the test',
      now: NOW + ids * 1000,
      ...more,
    });
  }

  list(session?: string) {
    return listCheckpoints(systemProcesses, this.path, session);
  }

  restore(ref: string) {
    return restoreCheckpoint({ processes: systemProcesses, files: systemCheckpointFiles, cwd: this.path, ref });
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
        else found[path] = `${(lstatSync(full).mode & 0o111) === 0 ? '' : 'x '}${readFileSync(full, 'utf8')}`;
      }
    };
    walk('');
    return found;
  }

  /** All that a checkpoint must not change: the files, the bytes of the index, HEAD, branches, stash, reflog. */
  untouchable(): unknown {
    const index = this.git('rev-parse', '--git-path', 'index').trim();
    const bytes = (() => {
      try {
        return createHash('sha256')
          .update(readFileSync(resolve(this.path, index)))
          .digest('hex');
      } catch {
        return 'none';
      }
    })();
    return {
      files: this.files(),
      index: bytes,
      head: readFileSync(resolve(this.path, this.git('rev-parse', '--git-path', 'HEAD').trim()), 'utf8'),
      refs: this.git('for-each-ref')
        .split('\n')
        .filter((line) => !line.includes('refs/unstuck/')),
      status: this.git('--no-optional-locks', 'status', '--porcelain'),
    };
  }
}

export function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck checkpoint ')));
  folders.push(path);
  return path;
}

export function repository(): Repository {
  const made = new Repository(folder());
  made.git('init', '-q', '-b', 'main');
  return made;
}

export function good<T>(result: { ok: true; value: T } | { ok: false; error: { code: string; message: string } }): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

export const code = (result: { ok: boolean; error?: { code: string } }): string | undefined => result.error?.code;
