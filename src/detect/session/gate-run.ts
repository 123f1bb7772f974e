import type { Source } from '../../core/model';

/** Results of the quality gates for one claim of completion, as far as detectors need them. */
export interface GateRun {
  /** The claim that was judged, for the case that its words are no `completion` event. */
  readonly claim?: { readonly at: number; readonly source: Source; readonly text: string };
  /** When the last gate ended, milliseconds since the epoch. */
  readonly at: number;
  /** No gate failed. */
  readonly passed: boolean;
  /** Name of the first gate that failed, for example `tests`. */
  readonly blockedBy?: string;
  /** One line, for example `2 of 41 tests failed`. */
  readonly summary?: string;
}
