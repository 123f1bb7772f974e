import type { Source } from '../../core/model';

/** Results of the quality gates for one claim of completion, as needed by the detectors. */
export interface GateRun {
  /** The judged claim, in case its words are not a `completion` event. */
  readonly claim?: { readonly at: number; readonly source: Source; readonly text: string };
  /** When the last gate ended, in milliseconds since the epoch. */
  readonly at: number;
  /** True if no gate failed. */
  readonly passed: boolean;
  /** Name of the first gate that failed, for example `tests`. */
  readonly blockedBy?: string;
  /** One line, for example `2 of 41 tests failed`. */
  readonly summary?: string;
}
