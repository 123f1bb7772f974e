/** Number of runs of equal values that are named: the first and the newest. */
const SHOWN = 8;

interface Run {
  readonly value: string;
  count: number;
}

/**
 * Follows the value in the messages of a failing check that changes while the same places fail, over a whole streak; if there are several, the one
 * that changed first. Keeps the first run and the newest ones, however long the streak is.
 */
export class MovedValues {
  private first: readonly string[] | undefined;
  /** Number of values that all steps have. */
  private common = Number.POSITIVE_INFINITY;
  /** Number of steps until a value changed. */
  private still = 0;
  private column = -1;
  private readonly runs: Run[] = [];
  private isCut = false;

  add(values: readonly string[]): void {
    this.first ??= values;
    this.common = Math.min(this.common, values.length);
    if (this.column < 0) {
      this.column = this.first.slice(0, this.common).findIndex((value, at) => value !== values[at]);
      if (this.column < 0) {
        this.still++;
        return;
      }
      this.runs.push({ value: this.first[this.column] ?? '', count: this.still });
    }
    this.append(values[this.column] ?? '');
  }

  private append(value: string): void {
    const last = this.runs.at(-1);
    if (last?.value === value) {
      last.count++;
      return;
    }
    this.runs.push({ value, count: 1 });
    if (this.runs.length <= SHOWN) return;
    this.runs.splice(1, 1);
    this.isCut = true;
  }

  /** Returns the runs, oldest first: `-6`, `3 ×15`; empty where no value changed. */
  shown(): readonly string[] {
    if (this.column < 0 || this.column >= this.common) return [];
    const shown = this.runs.map(({ value, count }) => (count === 1 ? value : `${value} ×${count}`));
    return this.isCut ? [...shown.slice(0, 1), '…', ...shown.slice(1)] : shown;
  }
}
