import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type Attack, attacksOn } from './attacks';
import type { Pattern } from './sources';

/** A pattern that does not end in this time never does. */
const GUARD_MS = 60_000;

/** The worst time of a pattern, and the text that causes it. */
export interface Worst {
  readonly milliseconds: number;
  /** The time as a multiple of that for a quarter of the text. */
  readonly growth: number;
  readonly attack: Attack | null;
}

/** Times patterns in a process that can be stopped while one runs. */
export class Stopwatch {
  private child: ChildProcess | null = null;

  /** The worst time of a pattern on texts of this length, infinite if it does not end. */
  time({ source, flags }: Pattern, length: number): Promise<Worst> {
    const child = (this.child ??= fork(join(import.meta.dirname, 'worker.mjs'), { execArgv: [] }));
    return new Promise((resolve, reject) => {
      const died = (): void => reject(new Error(`the process that times patterns ended at /${source}/`));
      const end = (worst: Worst): void => {
        clearTimeout(guard);
        child.off('message', end);
        child.off('exit', died);
        resolve(worst);
      };
      const guard = setTimeout(() => {
        end({ milliseconds: Number.POSITIVE_INFINITY, growth: Number.POSITIVE_INFINITY, attack: null });
        this.stop();
      }, GUARD_MS);
      child.once('message', end);
      child.once('exit', died);
      child.send({ source, flags, attacks: attacksOn(source, flags), length });
    });
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }
}
