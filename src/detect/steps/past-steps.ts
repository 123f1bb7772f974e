import { REMEMBERED_STEPS } from '../session/detector';
import type { PastStep } from './step';

/** The newest 512 steps of a session, in a ring. */
export class PastSteps {
  /** Number of steps so far, including forgotten ones. */
  total = 0;
  private readonly ring: PastStep[] = [];

  /** Number of steps that are remembered. */
  get length(): number {
    return this.ring.length;
  }

  add(step: PastStep): void {
    this.ring[this.total % REMEMBERED_STEPS] = step;
    this.total++;
  }

  /** Returns an earlier step: `last(0)` is the newest. */
  last(back: number): PastStep | undefined {
    return this.step(this.total - 1 - back);
  }

  /** Returns a step by its index in the session; undefined once it is forgotten. */
  step(index: number): PastStep | undefined {
    const isKept = index >= 0 && index < this.total && index >= this.total - REMEMBERED_STEPS;
    return isKept ? this.ring[index % REMEMBERED_STEPS] : undefined;
  }
}
