import type { KnownOutcome } from './outcomes';

/** Limit of the calls of one turn that are remembered. */
const REMEMBERED = 256;

/** Remembers the calls of a turn that a schedule opened: repeating a call of an earlier turn is then not the agent's own repetition. */
export class ScheduledCalls {
  private turn: number | null = null;
  private readonly calls = new Set<number>();

  /**
   * Takes a call, and returns whether it is the first of its kind in a scheduled turn and known from earlier.
   *
   * @param turn number of steps before this turn; null where no schedule opened it
   */
  isFirst({ signature, failedBefore }: KnownOutcome, turn: number | null): boolean {
    if (turn !== this.turn) this.calls.clear();
    this.turn = turn;
    if (turn === null || this.calls.has(signature)) return false;
    if (this.calls.size < REMEMBERED) this.calls.add(signature);
    return failedBefore !== null;
  }
}
