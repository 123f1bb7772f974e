import type { LoopRun } from '../../core/model';

/** Place of a session among those that one prompt began. */
export interface RunPlace extends LoopRun {
  /** Equal for all runs of one loop. */
  readonly loop: string;
}
