import { putNewest } from '../../base/util/newest';

/** Long answers of editing tools that are remembered. */
const REMEMBERED = 16;
/** Different calls that got the same long answer before it counts as a refusal. */
const REFUSAL_AT = 3;

/**
 * The same long answer of an editing tool to different arguments, three times, is a refusal (docs/detectors.md, "What weighs less").
 */
export class Refusals {
  /** Calls that got an answer, by the answer. */
  private readonly answers = new Map<number, readonly number[]>();

  /** @param effect the answer without the arguments @param signature the call */
  isRefusal(effect: number, signature: number): boolean {
    if (effect === 0) return false;
    const before = this.answers.get(effect) ?? [];
    // A new list: one that grows makes room for sixteen more.
    const calls = before.length >= REFUSAL_AT || before.includes(signature) ? before : before.concat(signature);
    putNewest(this.answers, effect, calls, REMEMBERED);
    return calls.length >= REFUSAL_AT;
  }
}
