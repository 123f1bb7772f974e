import { type PastStep, REMEMBERED_STEPS } from '../session/detector';

/** The newest 128 steps of a session. */
export class PastSteps {
  private readonly ring: PastStep[] = [];
  /** Steps so far, those that are forgotten too. */
  total = 0;

  /** Steps that are remembered. */
  get length(): number {
    return Math.min(this.total, REMEMBERED_STEPS);
  }

  add(step: PastStep): void {
    this.ring[this.total % REMEMBERED_STEPS] = step;
    this.total++;
  }

  /** `last(0)` is the newest. */
  last(back: number): PastStep | undefined {
    return back < this.length ? this.ring[(this.total - 1 - back) % REMEMBERED_STEPS] : undefined;
  }

  /** By index of the step in its session; undefined once it is forgotten. */
  step(index: number): PastStep | undefined {
    return index < this.total ? this.last(this.total - 1 - index) : undefined;
  }
}
