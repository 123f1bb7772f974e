import { type PastStep, REMEMBERED_STEPS } from './detector';

/** The newest steps of a session in a ring. */
export class PastSteps {
  private readonly ring: (PastStep | undefined)[] = [];
  private count = 0;

  get length(): number {
    return Math.min(this.count, REMEMBERED_STEPS);
  }

  /** Steps that were ever added. */
  get total(): number {
    return this.count;
  }

  add(step: PastStep): void {
    this.ring[this.count % REMEMBERED_STEPS] = step;
    this.count++;
  }

  at(position: number): PastStep | undefined {
    return position < 0 || position >= this.length ? undefined : this.step(this.count - this.length + position);
  }

  last(back: number): PastStep | undefined {
    return back < 0 || back >= this.length ? undefined : this.step(this.count - 1 - back);
  }

  step(index: number): PastStep | undefined {
    if (index < 0 || index >= this.count || index < this.count - REMEMBERED_STEPS) return undefined;
    return this.ring[index % REMEMBERED_STEPS];
  }
}
