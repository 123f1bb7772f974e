import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** A hang ends here and fails the test. Long, because a busy machine is no failure. */
const GUARD_MS = 60_000;

/**
 * Peak memory of a process, megabytes, as code for the child. Linux passes `maxRSS` of the parent on to the child, so a large test run would be
 * counted: there the high-water mark of the child's own address space is read.
 */
const PEAK_MEGABYTES = String.raw`(process.platform === 'linux'
  ? Number(/VmHWM:\s+(\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'))[1])
  : process.resourceUsage().maxRSS) / 1024`;

export interface Child {
  /** The result of the code, as JSON. */
  readonly value: unknown;
  /** Peak memory of the process, megabytes. */
  readonly megabytes: number;
}

export interface ChildModule {
  /** Runs an expression over the exports of the module (`m`) and `argument` (`a`). Rejects if it hangs. */
  run(expression: string, argument?: unknown): Promise<Child>;
  dispose(): void;
}

/** Bundles modules of src for child processes: a hang in a thread of the test runner could not be ended. */
export async function inChild(contents: string): Promise<ChildModule> {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-child-'));
  const file = join(folder, 'module.cjs');
  const root = join(import.meta.dirname, '../../../..');
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  return {
    run: (expression, argument = null) =>
      new Promise((resolve, reject) => {
        const code = `const m = require(process.argv[1]); const a = JSON.parse(process.argv[2]);
          (async () => (${expression}))().then((value) => process.stdout.write(
            JSON.stringify({ value: value ?? null, megabytes: ${PEAK_MEGABYTES} })));`;
        const child = spawn(process.execPath, ['-e', code, file, JSON.stringify(argument)]);
        let output = '';
        let errors = '';
        child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
        child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
        const guard = setTimeout(() => child.kill('SIGKILL'), GUARD_MS);
        child.on('close', (exit, signal) => {
          clearTimeout(guard);
          if (signal === 'SIGKILL') reject(new Error(`it hangs: ${expression}`));
          else if (exit !== 0) reject(new Error(errors));
          else resolve(JSON.parse(output) as Child);
        });
      }),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
