import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { type Attack, attacksOn } from './attacks';
import { BOUNDED, type Bounded, KNOWN_SLOW } from './bounded';
import { type Pattern, patternsOfSource } from './sources';

/** Characters: as many as the head of a file has bytes, and more than any text that is looked at whole. */
const LENGTH = 65_536;
/** A pattern that takes longer is not linear, or as good as not: those of the project take below 20 ms. Wide, because machines are busy. */
const LIMIT_MS = 250;
/** A pattern that does not end in this time never does. */
const GUARD_MS = 60_000;

interface Worst {
  readonly milliseconds: number;
  readonly attack: Attack | null;
}

interface Timed extends Worst {
  readonly pattern: Pattern;
  readonly length: number;
}

class Stopwatch {
  private worker: Worker | null = null;

  /** The worst time of a pattern, infinite where it does not end. */
  time({ source, flags }: Pattern, length: number, isSticky: boolean): Promise<Worst> {
    const worker = (this.worker ??= new Worker(join(import.meta.dirname, 'worker.mjs')));
    return new Promise((resolve, reject) => {
      const end = (worst: Worst): void => {
        clearTimeout(guard);
        worker.off('message', end);
        worker.off('error', reject);
        resolve(worst);
      };
      const guard = setTimeout(() => {
        void worker.terminate();
        this.worker = null;
        end({ milliseconds: Number.POSITIVE_INFINITY, attack: null });
      }, GUARD_MS);
      worker.once('message', end);
      worker.once('error', reject);
      worker.postMessage({
        source,
        flags: isSticky && !flags.includes('y') ? `${flags}y` : flags,
        attacks: attacksOn(source, flags),
        length,
      });
    });
  }

  async stop(): Promise<void> {
    await this.worker?.terminate();
  }
}

type Listed = Pick<Bounded, 'file' | 'begins'>;

function listedIn<One extends Listed>(list: readonly One[], { place, source }: Pattern): One | undefined {
  const file = place.slice(0, place.lastIndexOf(':'));
  return list.find((one) => file.startsWith(one.file) && source.startsWith(one.begins));
}

describe('regular expressions', () => {
  const { literals } = patternsOfSource();

  it('take time that grows with the length of the text only', async () => {
    const watch = new Stopwatch();
    const timed: Timed[] = [];
    try {
      for (const pattern of literals) {
        if (listedIn(KNOWN_SLOW, pattern)) continue;
        const bound = listedIn(BOUNDED, pattern);
        const length = bound?.characters ?? LENGTH;
        timed.push({ pattern, length, ...(await watch.time(pattern, length, bound?.isSticky === true)) });
      }
    } finally {
      await watch.stop();
    }
    timed.sort((one, other) => other.milliseconds - one.milliseconds);
    const shown = ({ pattern, length, milliseconds, attack }: Timed): string => {
      const text = attack && JSON.stringify([attack.before.slice(0, 30), attack.pump.slice(0, 30), attack.after]);
      return `${milliseconds.toFixed(1)} ms at ${length}: ${pattern.place} /${pattern.source.slice(0, 100)}/${pattern.flags} on ${text}`;
    };
    console.log(
      `${literals.length} patterns; the worst:\n${timed
        .slice(0, Number(process.env['UNSTUCK_WORST'] ?? 10))
        .map(shown)
        .join('\n')}`,
    );
    expect(timed.filter(({ milliseconds }) => milliseconds > LIMIT_MS).map(shown)).toEqual([]);
  }, 1_800_000);

  it('that see bounded text only are still there', () => {
    expect(BOUNDED.filter((one) => !literals.some((pattern) => listedIn(BOUNDED, pattern) === one))).toEqual([]);
  });
});
