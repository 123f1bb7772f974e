import { putNewest } from '../../base/util/newest';

/** Number of long answers of editing tools that are remembered. */
const REMEMBERED = 16;
/** Number of different calls that must have the same long answer before it counts as a refusal. */
const REFUSAL_AT = 3;

/** Recognises refusals: the same long answer of an editing tool to different arguments, three times (docs/detectors.md, "What weighs less"). */
export class Refusals {
  /** Calls with the same answer, by the answer. */
  private readonly answers = new Map<number, readonly number[]>();

  /** @param effect the answer without the arguments @param signature the call */
  isRefusal(effect: number, signature: number): boolean {
    if (effect === 0) return false;
    const before = this.answers.get(effect) ?? [];
    // A new list: one that grows by push reserves room for sixteen more.
    const calls = before.length >= REFUSAL_AT || before.includes(signature) ? before : before.concat(signature);
    putNewest(this.answers, effect, calls, REMEMBERED);
    return calls.length >= REFUSAL_AT;
  }
}
