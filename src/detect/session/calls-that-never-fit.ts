import type { Evidence } from '../../core/model';
import { NOT_BACK_STEPS } from '../../core/rules/common';
import { EvidenceRows } from './alert';
import type { Step } from '../steps/step';

/** The kept facts of the newest one. */
interface Newest extends Pick<Step, 'message' | 'misused' | 'tool' | 'signature'> {
  readonly program: string | number;
}

export type Row = Parameters<EvidenceRows['add']>[0];

/** Collects malformed calls of one tool or program, whatever else was called in between. */
export class CallsThatNeverFit {
  readonly rows = new EvidenceRows();
  private newest: Newest | null = null;
  private firstMessage = -1;
  /** True if all of them are the very same call. */
  private isOne = true;

  /** Adds a malformed call, and returns the first of them. Those of the first message count once. */
  add(step: Step, program: string | number, row: Row): Evidence {
    if (program !== this.newest?.program || isOver(this.newest, step)) this.rows.clear();
    const { message, misused, tool, signature } = step;
    this.isOne = this.rows.total === 0 || (this.isOne && signature === this.newest?.signature);
    this.newest = { message, misused, tool, signature, program };
    if (this.rows.total === 0) this.firstMessage = step.message;
    else if (step.message === this.firstMessage && this.rows.first) return this.rows.first;
    return this.rows.add(row);
  }

  /**
   * Returns whether a well-formed call ends them: it is a call of the same tool or program, it changes something that existed before, or it is a
   * check that passes. An agent that makes progress without the tool is not stuck with it. A new file or an unrelated command does not show that, nor
   * does a good call of the same tool if the very same malformed one keeps coming back.
   */
  isEndedBy(step: Step, program: string | number): boolean {
    const { newest } = this;
    if (!newest || isOver(newest, step)) return true;
    const isSame = newest.misused ? program === newest.program : step.tool === newest.tool;
    if (isSame && !this.isOne) return true;
    return !step.failed && (step.check || (step.changes && step.edit?.before !== 0));
  }
}

function isOver(newest: Newest, { message }: Step): boolean {
  return message - newest.message > NOT_BACK_STEPS;
}
