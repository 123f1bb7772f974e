import { Recent } from '../decode/recent';

export interface PairLimits {
  /** Largest number of calls that run at the same time. */
  readonly open: number;
  /** Number of answered calls whose ids are remembered, to recognise repeated lines. */
  readonly done: number;
  /** Largest number of results that wait for their call. */
  readonly early: number;
}

const LIMITS: PairLimits = { open: 2000, done: 2000, early: 50 };

/**
 * Pairs the calls of a transcript with their results. Lines of parallel calls are not strictly ordered, and a resumed or forked transcript repeats
 * lines: a result may come before its call, and each call and result counts once.
 *
 * Some providers use ids again: llama.cpp has given all calls the same one, and Kimi K3 counts them from 0 in each answer. Both were reported in 2026.
 * A repeated line has its old time, so a call that is later than the last one with its id and that one's result is a new call.
 */
export class PairedCalls<Call, Result> {
  private readonly open: Recent<string, Call>;
  /** The latest time of each call and its result, in milliseconds since the epoch. A result may come before its call. */
  private readonly times: Recent<string, number>;
  private readonly early: Recent<string, Result>;

  constructor({ open, done, early }: PairLimits = LIMITS) {
    this.open = new Recent(open);
    this.times = new Recent(done);
    this.early = new Recent(early);
  }

  /** Returns the calls without a result, oldest first. */
  get running(): IterableIterator<Call> {
    return this.open.values();
  }

  /** Returns whether this call was seen, answered or not. `at`: its time, in milliseconds since the epoch; 0 if it is not known. */
  has(id: string, at: number): boolean {
    return this.open.has(id) || at <= (this.times.get(id) ?? -1);
  }

  isDone(id: string): boolean {
    return this.times.has(id) && !this.open.has(id);
  }

  get(id: string): Call | undefined {
    return this.open.get(id);
  }

  /** @param at the call's time, in milliseconds since the epoch */
  start(id: string, call: Call, at: number): void {
    this.open.set(id, call);
    this.times.set(id, at);
  }

  /** Returns the open call that a result of this time answers, and marks it as answered; undefined if none is open. */
  finish(id: string, at: number): Call | undefined {
    const call = this.open.get(id);
    if (call === undefined) return undefined;
    this.open.delete(id);
    this.times.set(id, Math.max(at, this.times.get(id) ?? at));
    return call;
  }

  /** Marks an id as answered at this time although no call was seen for it. */
  skip(id: string, at: number): void {
    this.times.set(id, at);
  }

  /** Remembers a result whose call comes later. Returns the result that was dropped because too many wait. */
  hold(id: string, result: Result): Result | undefined {
    return this.early.set(id, result);
  }

  /** Returns the result that came before this call, once. */
  heldFor(id: string): Result | undefined {
    const result = this.early.get(id);
    if (result !== undefined) this.early.delete(id);
    return result;
  }
}
