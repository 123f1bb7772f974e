import { quotedLine } from '../quote';
import type { Processes, ProcessOutcome } from '../../base/processes/process';
import { type Result, fail, ok } from '../../base/util/result';
import type { CheckpointFailure } from './failure';
import { type Bytes, pathText } from './files';

/** The index of half a million files would fit. Bytes. */
export const MOST_OUTPUT = 128 * 1024 * 1024;

/** Variables that an outer git (a hook that runs Unstuck) may have set. */
const OUTER = [
  'GIT_DIR',
  'GIT_COMMON_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_LITERAL_PATHSPECS',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_TEMPLATE_DIR',
  'GIT_DEFAULT_HASH',
  'GIT_DEFAULT_REF_FORMAT',
];

const ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(OUTER.map((name) => [name, undefined])),
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  // A partial clone fetches missing objects with programs that its configuration names.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

/** Folder and environment in which git runs. */
export interface GitPlace {
  readonly processes: Processes;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Settings that override those of the repository, as `name=value`. */
  readonly settings: readonly string[];
  /** Time limit of each command, milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface GitOptions {
  readonly input?: Bytes;
  readonly env?: Readonly<Record<string, string>>;
}

/** Git in one folder. Every answer is complete or a failure. */
export class Git {
  constructor(readonly place: GitPlace) {}

  /** Runs git and returns its standard output, without the last line break. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<Result<Bytes, CheckpointFailure>> {
    const outcome = await this.outcome(args, options);
    if (outcome.ended === 'exited' && outcome.code === 0) {
      return outcome.dropped > 0
        ? fail({
            code: 'too_large',
            message: 'There are too many files: the output of git is too long to read.',
          })
        : ok(outcome.stdout.endsWith('\n') ? outcome.stdout.slice(0, -1) : outcome.stdout);
    }
    return fail(this.failureOf(args, outcome));
  }

  /** Runs a query that may have no answer: null if git exits with an error. */
  async query(args: readonly string[]): Promise<Result<Bytes | null, CheckpointFailure>> {
    const outcome = await this.outcome(args, {});
    if (outcome.ended !== 'exited') return fail(this.failureOf(args, outcome));
    return ok(outcome.code === 0 ? outcome.stdout.trimEnd() : null);
  }

  private outcome(args: readonly string[], { input, env }: GitOptions): Promise<ProcessOutcome> {
    const { processes, cwd, settings, timeoutMs, signal } = this.place;
    return processes.run({
      command: 'git',
      args: [...settings.flatMap((setting) => ['-c', setting]), ...args],
      cwd,
      env: { ...ENVIRONMENT, ...this.place.env, ...env },
      timeoutMs,
      maxBytes: MOST_OUTPUT,
      bytes: true,
      ...(signal && { signal }),
      ...(input !== undefined && { input }),
    });
  }

  private failureOf(args: readonly string[], { ended, stderr, code }: ProcessOutcome): CheckpointFailure {
    const { timeoutMs, signal } = this.place;
    const [command = ''] = args;
    switch (ended) {
      case 'not_started':
        return { code: 'no_git', message: 'Git was not found on this machine.' };
      case 'cancelled':
        return stopped(signal);
      case 'timed_out': {
        const limit = `git ${command} was stopped after ${timeoutMs / 1000} s.`;
        return {
          code: 'too_slow',
          message: `${limit} It may be waiting for something that is not a regular file: check .git, .gitignore and the files that git’s settings name.`,
        };
      }
      case 'exited':
      case 'killed': {
        const said = pathText(stderr)
          .split('\n')
          .map((line) => line.trim())
          .find((line) => line !== '' && !line.startsWith('warning:') && !line.startsWith('hint:'));
        const why = said === undefined ? `exit code ${code ?? 'none'}` : quotedLine(said);
        return { code: 'git_failed', message: `git ${command} failed: ${why}` };
      }
    }
  }
}

/** Returns the failure of work that its signal ended. */
export function stopped(signal: AbortSignal | undefined): CheckpointFailure {
  const isLate = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError';
  return isLate
    ? {
        code: 'too_slow',
        message: 'The files could not all be compared in time. Close the programs that write them, or save with git.',
      }
    : { code: 'cancelled', message: 'Cancelled. No file was changed.' };
}
