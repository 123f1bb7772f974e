import type { LogFact } from './log-facts';

type Ended = { readonly value: number; readonly at: number | undefined };

/** One prompt of a person, with what the log says about its turn. */
export interface Turn {
  readonly index: number;
  readonly at: number;
  readonly text: string;
  model?: string;
  permissionMode?: 'nothing';
  /** One of `TURN_STATE`, or another value of a newer log. */
  state: number;
  endedAt?: number | undefined;
  result?: Extract<LogFact, { kind: 'result' }>;
  /** Its prompt was reported, from either file. */
  isReported: boolean;
  isClosed: boolean;
}

const MOST_AHEAD = 100;
/** States of a turn in the log of the chat view. */
export const TURN_STATE = { running: 0, done: 1, cancelled: 2, failed: 3, asks: 4 } as const;

/** The turns of a session according to the log, and which of their prompts the transcript has shown. */
export class TurnLog {
  readonly turns: (Turn | undefined)[] = [];
  /** The turns that were in the place of the newest ones before. */
  private gone: (Turn | undefined)[] = [];
  /** Prompts in the transcript that the log has not shown yet. */
  private ahead: string[] = [];
  /** Prompts that were already reported from the log. */
  private fromLog: string[] = [];

  /** Adds a turn of the log; a known one changes nothing. */
  turn(fact: Extract<LogFact, { kind: 'request' }>): void {
    const known = this.turns[fact.index];
    if (known && known.at >= fact.at) return;
    // A person edited or removed an earlier prompt: a later one took its place.
    if (known) this.gone = this.turns.splice(fact.index);
    const moved = this.gone.find((turn) => turn?.at === fact.at);
    if (moved) {
      this.turns[fact.index] = { ...moved, index: fact.index };
      return;
    }
    const text = fact.text.trim();
    const at = this.ahead.indexOf(text);
    if (at >= 0) this.ahead.splice(at, 1);
    this.turns[fact.index] = {
      index: fact.index,
      at: fact.at,
      text: fact.text,
      ...(fact.model !== undefined && { model: fact.model }),
      ...(fact.permissionMode === 'nothing' && { permissionMode: fact.permissionMode }),
      state: TURN_STATE.running,
      isReported: at >= 0,
      isClosed: false,
    };
  }

  ended(index: number, { value, at }: Ended): void {
    const turn = this.turns[index];
    if (!turn) return;
    turn.state = value;
    turn.endedAt = at;
  }

  /** Takes a prompt from the transcript. Returns false if it was already reported from the log. */
  prompt(text: string): boolean {
    const wanted = text.trim();
    const reported = this.fromLog.indexOf(wanted);
    if (reported >= 0) {
      this.fromLog.splice(reported, 1);
      return false;
    }
    const turn = this.turns.find((one) => one && !one.isReported && one.text.trim() === wanted);
    if (turn) turn.isReported = true;
    else if (this.ahead.push(wanted) > MOST_AHEAD) this.ahead.shift();
    return true;
  }

  /** Notes that a prompt was reported from the log, before the transcript shows it or in its place. */
  reportedFromLog(turn: Turn): void {
    turn.isReported = true;
    if (this.fromLog.push(turn.text.trim()) > MOST_AHEAD) this.fromLog.shift();
  }

  get last(): Turn | undefined {
    return this.turns.at(-1);
  }

  /** Returns the turns that another one had followed by this time, oldest first. */
  *before(at: number): Generator<Turn> {
    for (const [index, turn] of this.turns.entries()) {
      if (!turn || turn.isClosed) continue;
      const next = this.turns.slice(index + 1).find((one) => one !== undefined);
      if (next === undefined || next.at > at) return;
      yield turn;
    }
  }

  /** Returns the turn that was under way at this time. */
  at(at: number): Turn | undefined {
    return this.turns.findLast((turn) => turn !== undefined && turn.at <= at);
  }

  isOver(turn: Turn): boolean {
    return turn.state >= TURN_STATE.done && turn.state <= TURN_STATE.failed;
  }
}
