import { spawn } from 'node:child_process';
import { programPath } from '../../../base/files';

export interface Ran {
  /** Null: the process could not be started, or was stopped. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** Processes that Connect needs, passed in so that tests need neither git nor a clock. */
export interface BridgeProcesses {
  /** Runs `git` with these arguments in a folder, but never a `git` from one of the workspace's folders. */
  readonly git: (args: readonly string[], cwd: string, workspace: readonly string[]) => Promise<Ran>;
  /** Runs a command line of Unstuck with `sh -c`, as the agent does with its hooks. */
  readonly shell: (command: string, options: ShellOptions) => Promise<Ran>;
}

interface ShellOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  /** Milliseconds after which the process is stopped. */
  readonly timeout: number;
}

const LONGEST_OUTPUT = 64 * 1024;
const GIT_TIMEOUT = 5_000;

export const systemBridgeProcesses: BridgeProcesses = {
  // A repository may name its own program in this setting; we only query.
  git: (args, cwd, workspace) =>
    run(programPath('git', [...workspace, cwd]), ['-c', 'core.fsmonitor=false', ...args], {
      cwd,
      env: environment(),
      input: '',
      timeout: GIT_TIMEOUT,
    }),
  shell: (command, options) => run(programPath('sh', [options.cwd]), ['-c', command], options),
};

function environment(): Record<string, string> {
  const given = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(given), GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}

function run(program: string | null, args: readonly string[], options: ShellOptions): Promise<Ran> {
  if (program === null) return Promise.resolve({ code: null, stdout: '', stderr: '', milliseconds: 0 });
  const began = performance.now();
  return new Promise((settle) => {
    const child = spawn(program, [...args], { cwd: options.cwd, env: { ...options.env }, windowsHide: true });
    let [stdout, stderr] = ['', ''];
    const end = (code: number | null): void => {
      clearTimeout(late);
      settle({ code, stdout, stderr, milliseconds: performance.now() - began });
    };
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      // A program that it started may hold its output open for as long as it likes.
      end(null);
    }, options.timeout);
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      if (stdout.length < LONGEST_OUTPUT) stdout += part;
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      if (stderr.length < LONGEST_OUTPUT) stderr += part;
    });
    child.on('error', () => end(null));
    child.on('close', end);
    // A program that does not read its input is not an error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
  });
}
