import { Random } from './random';
import type { FuzzTarget, Stopwatch } from './target';

/** A step that takes longer than this is tried again, measured by its processor time: on a busy machine most such steps only had to wait. */
const SUSPICIOUS_MS = 15;
const TRIES = 4;
/** Maximum number of kept inputs that reached something new. */
const MOST_KEPT = 4_000;
/** Inputs between two checks of the coverage. */
const BATCH = 64;

export interface Found {
  readonly input: string;
  /** The error that was thrown, or the time that a step took. */
  readonly what: string;
}

/** The result of the inputs of one target. */
export interface Outcome {
  /** Lines or inputs. */
  counted: number;
  runs: number;
  readonly thrown: Found[];
  /** Steps over the limit, each confirmed by the shortest of several tries. */
  readonly blocks: Found[];
  /** The longest step, milliseconds; the shortest of several tries if it was suspicious. */
  longestMs: number;
  /** Inputs that reached something new, kept as seeds. */
  kept: number;
}

/** Reports which inputs reach something new. */
export interface Guide {
  /** Amount of code that ran since the last call for the first time ever. */
  take(): number;
  /** Makes what the last `take` found count as new again. */
  forget(): void;
}

/** Wall time. Cheap, but on a busy machine most of it is waiting. */
const wall = (): number => performance.now();

/** The processor time of this process, its helper threads included; milliseconds. */
function computed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export class Watch implements Stopwatch {
  longestMs = 0;

  constructor(private readonly clock = wall) {}

  readonly step = <T>(work: () => T): T => {
    const start = this.clock();
    try {
      return work();
    } finally {
      this.longestMs = Math.max(this.longestMs, this.clock() - start);
    }
  };
}

/** Feeds one target with mutated seeds. The same seed and number of runs produce the same inputs, unless a guide takes part. */
export class Fuzzer {
  readonly outcome: Outcome = { counted: 0, runs: 0, thrown: [], blocks: [], longestMs: 0, kept: 0 };
  private readonly random: Random;
  private readonly corpus: string[];

  constructor(
    readonly target: FuzzTarget,
    seed: number,
    private readonly limitMs: number,
  ) {
    if (target.seeds.length === 0) throw new Error(`${target.name} has no seeds`);
    this.random = new Random(seed);
    this.corpus = [...target.seeds];
  }

  /** Feeds the given number of inputs. */
  async run(inputs: number): Promise<void> {
    for (let left = inputs; left > 0; left--) await this.feed(this.next());
  }

  /** Feeds a batch of inputs; those that reach something new become seeds. */
  async runGuided(guide: Guide): Promise<void> {
    const inputs = Array.from({ length: BATCH }, () => this.next());
    for (const input of inputs) await this.feed(input);
    if (guide.take() === 0) return;
    guide.forget();
    for (const input of inputs) {
      await this.feed(input);
      if (guide.take() > 0 && this.outcome.kept < MOST_KEPT) this.keep(input);
    }
  }

  private keep(input: string): void {
    this.corpus.push(input);
    this.outcome.kept++;
  }

  private next(): string {
    const { corpus, random, target } = this;
    return target.mutate(random.pick(corpus), random.pick(target.seeds), random);
  }

  private async feed(input: string): Promise<void> {
    const { outcome, target } = this;
    const watch = new Watch();
    outcome.runs++;
    try {
      outcome.counted += await target.run(input, watch);
    } catch (error) {
      outcome.thrown.push({ input, what: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      return;
    }
    if (watch.longestMs > outcome.longestMs) await this.confirm(input, watch.longestMs);
  }

  /** Measures how long the longest step of an input really takes. */
  private async confirm(input: string, first: number): Promise<void> {
    let shortest = first;
    for (let tries = TRIES; tries > 0 && shortest > SUSPICIOUS_MS; tries--) {
      const watch = new Watch(computed);
      await this.target.run(input, watch);
      shortest = Math.min(shortest, watch.longestMs);
    }
    const { outcome } = this;
    outcome.longestMs = Math.max(outcome.longestMs, shortest);
    if (shortest > this.limitMs) outcome.blocks.push({ input, what: `${shortest.toFixed(1)} ms in one step` });
  }
}
