import { type DetectContext, type PastStep, REMEMBERED_STEPS } from './detector';

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

/** The newest counted steps, oldest first, at most `most`, none from before step `from`. */
export function countedSteps(context: DetectContext, most: number, from = 0): PastStep[] {
  const found: PastStep[] = [];
  for (let back = 0; back < context.steps.length && found.length < most; back++) {
    const step = context.steps.last(back);
    if (!step || step.index < from) break;
    if (step.counted) found.push(step);
  }
  return found.reverse();
}
