import type { KnownOutcome } from './outcomes';

/** Calls of one turn that are remembered at most. */
const REMEMBERED = 256;

/** Remembers which calls came in the turn that a schedule opened: the same call of an earlier turn is no repeat of the agent's own. */
export class ScheduledCalls {
  private turn: number | null = null;
  private readonly calls = new Set<number>();

  /**
   * Takes a call, and returns whether it is the first of its kind in a scheduled turn and known from before.
   *
   * @param turn steps that existed before this turn; null where no schedule opened it
   */
  isFirst({ signature, failedBefore }: KnownOutcome, turn: number | null): boolean {
    if (turn !== this.turn) this.calls.clear();
    this.turn = turn;
    if (turn === null || this.calls.has(signature)) return false;
    if (this.calls.size < REMEMBERED) this.calls.add(signature);
    return failedBefore !== null;
  }
}
