// A home and a small project for one agent and everything it starts. Whatever happens, nothing of it is left behind.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PATIENCE } from './wait.mjs';

const GRACE = 3_000;

/** A shop whose total ignores the quantity, with a test that shows it. */
const PROJECT = {
  'package.json': `${JSON.stringify({ name: 'shop', version: '1.0.0', type: 'module', scripts: { test: 'node test.js' } }, null, 2)}\n`,
  'src/price.js':
    'export function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item.price;\n  return sum;\n}\n',
  'test.js': `import { total } from './src/price.js';

const sum = total([{ price: 2, quantity: 2 }, { price: 3, quantity: 1 }]);
if (sum !== 7) {
  console.error('FAIL total: expected 7, got ' + sum);
  process.exit(1);
}
console.log('1 passed, 0 failed');
`,
  'README.md': '# Shop\n\nA small project for an agent to work on.\n',
};

/** The command that repairs the project. */
export const REPAIR = "sed -i 's/sum += item.price;/sum += item.price * item.quantity;/' src/price.js";

export class Sandbox {
  #running = new Set();

  constructor(name) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), `unstuck-agents-${name}-`)));
    this.home = join(this.root, 'home');
    this.workspace = join(this.root, 'shop');
    /** The folder that the window has open. */
    this.opened = this.workspace;
    /** Folders that the user trusts. */
    this.folders = [this.workspace];
    mkdirSync(this.home);
    for (const [path, text] of Object.entries(PROJECT)) this.write(join(this.workspace, path), text);
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'A shop');
    // Nothing of the user's environment. Whatever does not go to the loopback interface meets a closed door.
    this.env = {
      PATH: `${dirname(process.execPath)}:${process.env.PATH ?? '/usr/bin:/bin'}`,
      HOME: this.home,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1,localhost',
      npm_config_update_notifier: 'false',
      GIT_AUTHOR_NAME: 'Agent',
      GIT_AUTHOR_EMAIL: 'agent@example.invalid',
      GIT_COMMITTER_NAME: 'Agent',
      GIT_COMMITTER_EMAIL: 'agent@example.invalid',
    };
  }

  write(path, text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  git(...args) {
    const made = spawnSync('git', ['-c', 'user.name=Shop', '-c', 'user.email=shop@example.invalid', ...args], {
      cwd: this.workspace,
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`git ${args[0]}: ${made.stderr}`);
    return made.stdout;
  }

  /**
   * Starts a program in the project, in a process group of its own.
   *
   * @param {readonly string[]} argv
   * @param {{ env?: object, input?: 'pipe' | 'ignore' }} [options]
   */
  start(argv, { env = {}, input = 'ignore' } = {}) {
    const child = spawn(argv[0], argv.slice(1), {
      cwd: this.workspace,
      env: { ...this.env, ...env },
      detached: true,
      stdio: [input, 'pipe', 'pipe'],
    });
    const running = { child, stdout: '', stderr: '', exited: undefined, ended: undefined };
    child.stdout.setEncoding('utf8').on('data', (text) => (running.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (running.stderr += text));
    child.stdin?.on('error', () => undefined);
    running.ended = new Promise((done) => {
      child.on('error', (error) => done({ code: null, signal: null, error }));
      child.on('close', (code, signal) => {
        running.exited = { code, signal };
        done(running.exited);
      });
    });
    this.#running.add(running);
    void running.ended.then(() => this.#running.delete(running));
    return running;
  }

  /** Waits for the end of a program, or throws an error with its last output. */
  async end(running) {
    let timer;
    const late = new Promise((_, fail) => {
      timer = setTimeout(() => fail(new Error(`the agent did not end within ${PATIENCE / 1000} s`)), PATIENCE);
    });
    try {
      return await Promise.race([running.ended, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Command lines of the processes that run with this home. */
  programs() {
    return programsAt(this.home).map(commandOf);
  }

  /** Kills whatever an agent runs here, except the shells of its terminals. @returns when, milliseconds since the epoch */
  kill() {
    const agents = programsAt(this.home).filter((pid) => !/^bash --norc|unstuck-agents-build/.test(commandOf(pid)));
    for (const pid of agents) process.kill(Number(pid), 'SIGKILL');
    return Date.now();
  }

  #endLeftovers() {
    for (const pid of programsAt(this.home)) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // Already gone.
      }
    }
  }

  async dispose() {
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      if (this.#running.size === 0) break;
      for (const { child } of this.#running) kill(child.pid, signal);
      await Promise.race([
        Promise.all([...this.#running].map((running) => running.ended)),
        new Promise((done) => setTimeout(done, GRACE).unref()),
      ]);
    }
    this.#endLeftovers();
    for (let tries = 0; tries < 5; tries++) {
      try {
        rmSync(this.root, { recursive: true, force: true });
        return;
      } catch {
        // A program of an agent that was just ending was still writing into it.
        await new Promise((done) => setTimeout(done, 300));
      }
    }
  }
}

/** Programs that an agent left behind, in a group of their own: every process with this home belongs to this test. */
function programsAt(home) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      return false;
    }
  });
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function kill(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}
