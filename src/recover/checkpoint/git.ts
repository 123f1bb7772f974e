import { isAbsolute, join } from 'node:path';
import { oneLine } from '../quote';
import type { Processes, ProcessOutcome } from '../process';
import { type Result, fail, ok } from '../../util/result';
import type { CheckpointFailure } from './failure';

/** One git command may take so long; a large work tree on a slow disk has to be hashed once. Milliseconds. */
const TIMEOUT_MS = 120_000;
/** Lists of changed paths: 20,000 of them with 1,000 characters each would fit. Bytes. */
const MOST_OUTPUT = 32 * 1024 * 1024;

/** Nothing of the repository's settings may run a program or ask a person: no hooks, no monitor, no signing, no prompt; filters: below. */
const CONFIG: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.quotePath=false',
  'core.safecrlf=false',
  'advice.addEmbeddedRepo=false',
  'commit.gpgSign=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((entry) => ['-c', entry]);

/** What an outer git (a hook that runs us) would leave behind. */
const ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
  GIT_NAMESPACE: undefined,
  GIT_PREFIX: undefined,
  GIT_LITERAL_PATHSPECS: undefined,
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  // A partial clone fetches what is missing with programs that its configuration names.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

export interface GitOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Git in one folder. Every answer is complete or a failure. */
export class Git {
  private constructor(
    private readonly processes: Processes,
    readonly cwd: string,
    private readonly noFilters: readonly string[],
  ) {}

  /**
   * Git in a folder, with every filter of the configuration switched off: `filter.<name>.clean`, `smudge` and `process` name programs, and
   * `.gitattributes` of the repository decides for which files they run. A file is saved and restored as it lies on the disk.
   */
  static async in(processes: Processes, cwd: string): Promise<Result<Git, CheckpointFailure>> {
    const listed = await new Git(processes, cwd, []).outcome(
      ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'],
      {},
    );
    if (listed.ended === 'exited' && (listed.code === 0 || listed.code === 1) && listed.dropped === 0) {
      const names = filterNames(listed.stdout);
      // `-c` ends a name at its first equals sign, so such a filter could not be switched off.
      const odd = names.some((name) => /[=\n]/.test(name));
      if (!odd) return ok(new Git(processes, cwd, filtersOff(names)));
      const message =
        'Git is configured with a filter that cannot be switched off: its name has an equals sign or a line break.';
      return fail({ code: 'git_failed', message });
    }
    return fail(failureOf('config', listed));
  }

  /** The same in another folder of the work tree. */
  at(folder: string): Git {
    return new Git(this.processes, folder, this.noFilters);
  }

  /** What it says on standard output, without the last line break. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<Result<string, CheckpointFailure>> {
    const outcome = await this.outcome(args, options);
    if (outcome.ended === 'exited' && outcome.code === 0) {
      return outcome.dropped > 0
        ? fail({
            code: 'too_large',
            message: 'Git said more than can be read; there are too many changed files.',
          })
        : ok(outcome.stdout.endsWith('\n') ? outcome.stdout.slice(0, -1) : outcome.stdout);
    }
    return fail(failureOf(args[0] ?? '', outcome));
  }

  /** The answer of a question that may have none (exit code 1 of `rev-parse --verify -q`). */
  async ask(args: readonly string[], options: GitOptions = {}): Promise<string | null> {
    const outcome = await this.outcome(args, options);
    return outcome.ended === 'exited' && outcome.code === 0 ? outcome.stdout.trimEnd() : null;
  }

  private outcome(args: readonly string[], { input, env }: GitOptions): Promise<ProcessOutcome> {
    return this.processes.run({
      command: 'git',
      args: [...CONFIG, ...this.noFilters, ...args],
      cwd: this.cwd,
      env: { ...ENVIRONMENT, ...env },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_OUTPUT,
      ...(input !== undefined && { input }),
    });
  }
}

export interface WorkTree {
  /** In the top folder of the work tree. */
  readonly git: Git;
  /** The real index file, absolute; it need not exist. */
  readonly index: string;
  /** The commit that is checked out; null before the first one. */
  readonly head: string | null;
  /** Its tree, or the empty one. */
  readonly headTree: string;
}

/** The work tree that a folder lies in. */
export async function workTreeOf(processes: Processes, cwd: string): Promise<Result<WorkTree, CheckpointFailure>> {
  const made = await Git.in(processes, cwd);
  if (!made.ok) return made;
  const here = made.value;
  const top = await here.run(['rev-parse', '--show-toplevel']);
  if (!top.ok) {
    if (top.error.code === 'no_git') return top;
    return fail({
      code: 'not_a_work_tree',
      message: 'This folder is in no git work tree, so its work cannot be saved or restored.',
    });
  }
  const git = here.at(top.value);
  const index = await git.run(['rev-parse', '--git-path', 'index']);
  if (!index.ok) return index;
  const head = await git.ask(['rev-parse', '--verify', '-q', 'HEAD^{commit}']);
  const headTree =
    head === null ? await git.run(['mktree'], { input: '' }) : await git.run(['rev-parse', `${head}^{tree}`]);
  if (!headTree.ok) return headTree;
  const path = isAbsolute(index.value) ? index.value : join(top.value, index.value);
  return ok({ git, index: path, head, headTree: headTree.value });
}

/** `filter.<name>` of all keys, each once. */
function filterNames(listed: string): readonly string[] {
  const keys = listed.split('\0').filter((key) => key.lastIndexOf('.') > 'filter.'.length);
  return [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf('.'))))];
}

/** Options that give each filter an empty program: git then takes the file as it is. `required` would make that an error. */
function filtersOff(names: readonly string[]): readonly string[] {
  const off = ['clean=', 'smudge=', 'process=', 'required=false'];
  return names.flatMap((name) => off.flatMap((setting) => ['-c', `${name}.${setting}`]));
}

function failureOf(command: string, { ended, stderr, code }: ProcessOutcome): CheckpointFailure {
  if (ended === 'not_started') return { code: 'no_git', message: 'Git was not found on this machine.' };
  if (ended === 'timed_out') return { code: 'git_failed', message: `git ${command} took longer than 2 minutes.` };
  const said = stderr
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('warning:') && !line.startsWith('hint:'));
  const why = said === undefined ? `exit code ${code ?? 'none'}` : oneLine(said);
  return { code: 'git_failed', message: `git ${command} failed: ${why}` };
}
