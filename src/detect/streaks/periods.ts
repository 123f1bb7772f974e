import type { DetectContext } from '../session/detector';
import type { PastStep } from '../steps/step';

/** Longest period that is searched for. */
const LONGEST_PERIOD = 12;
/** Number of entries that are remembered. */
const RING = 128;

/** A period that the newest entries repeat. */
export interface RepeatPeriod {
  /** Number of entries of one lap, 2 or more. */
  readonly period: number;
  /** Number of whole laps, including the first. */
  readonly laps: number;
}

/** Follows, for each distance, how long a sequence of outcomes has been repeating itself: one comparison per distance and entry, never a rescan. */
export class Periods {
  /** The newest tokens: none is compared with one further back. */
  private readonly tokens = new Float64Array(LONGEST_PERIOD);
  /** Steps by their index; an entry that is not a step, itself. */
  private readonly entries: (PastStep | number)[] = [];
  /** Number of entries in a row that equal the one this far before them, by distance. */
  private readonly runs = new Int32Array(LONGEST_PERIOD + 1);
  private count = 0;

  /** Adds an entry: equal tokens mean equal entries. @param entry a step by its index, or an entry among the steps that is not one */
  add(token: number, entry: PastStep | number): void {
    const { tokens, runs, count } = this;
    for (let distance = 1; distance <= LONGEST_PERIOD && distance <= count; distance++) {
      const equal = tokens[(count - distance) % LONGEST_PERIOD] === token;
      runs[distance] = equal ? (runs[distance] ?? 0) + 1 : 0;
    }
    tokens[count % LONGEST_PERIOD] = token;
    this.entries[count % RING] = entry;
    this.count++;
  }

  /** Returns the shortest period of at least 2 entries that has at least 2 laps; null where there is none. */
  find(): RepeatPeriod | null {
    const { runs } = this;
    for (let period = 2; period <= LONGEST_PERIOD; period++) {
      const run = runs[period] ?? 0;
      // one thing in a row has every period; it belongs to another rule
      if (run < period || (runs[1] ?? 0) >= period - 1) continue;
      return { period, laps: Math.floor(run / period) + 1 };
    }
    return null;
  }

  /** Returns the newest `most` entries, oldest first, as far as they are remembered. */
  newest(most: number, { steps }: DetectContext): PastStep[] {
    const found: PastStep[] = [];
    for (let back = Math.min(most, this.count, RING); back > 0; back--) {
      const entry = this.entries[(this.count - back) % RING];
      const step = typeof entry === 'number' ? steps.step(entry) : entry;
      if (step) found.push(step);
    }
    return found;
  }

  reset(): void {
    this.count = 0;
    this.runs.fill(0);
    this.entries.length = 0;
  }
}
