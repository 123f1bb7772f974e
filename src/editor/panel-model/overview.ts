import type { AgentState, Machine, Standing } from '../../core/model';
import type { Sentence, StateLook } from '../../core/words';

/** Number of newest steps that a row's strip shows. */
export const STRIP_STEPS = 100;

/** An action on the row of an agent. */
export type RowAct = 'nudge' | 'continue' | 'go';

/** One agent as the overview shows it, as plain data. Times are milliseconds since the epoch by the host's clock. */
export interface OverviewRow {
  readonly session: string;
  readonly title: string;
  readonly agentName: string;
  readonly state: AgentState;
  readonly standing: Standing;
  readonly look: StateLook;
  /** Where it works, as far as that distinguishes it from the others; empty if all work in one place. */
  readonly place: string;
  /** Name of its folder, for groups; empty if unknown. */
  readonly folder: string;
  /** The machine it runs on; absent for this one. */
  readonly machine?: Machine;
  /** Current activity, or the reason for its place in the list. */
  readonly doing: Sentence;
  /** Since when `doing` has been true. */
  readonly since: number;
  /** Time of the last step whose result was new; absent if there was none. */
  readonly lastNewAt?: number;
  /** The newest steps, at most `STRIP_STEPS`, as flags of the timeline with the letters of its patterns. */
  readonly steps: Uint8Array;
  /** Time of the last line, while a turn is open. */
  readonly silentSince?: number;
  /** `run 7`; absent for a session that belongs to no loop. */
  readonly run?: string;
  /** True if another agent started it. */
  readonly isSubAgent: boolean;
  readonly act: RowAct | null;
}

/**
 * A message from the host to the overview. `rows` holds the rows that changed since the previous message, or all of them if `whole` is set. A page
 * that is shown again gets all rows, because a hidden one gets nothing.
 */
export interface OverviewMessage {
  readonly whole: boolean;
  readonly rows: readonly OverviewRow[];
  /** The sessions of all rows, in order. */
  readonly order: readonly string[];
  /** The host's clock when the message was made. */
  readonly now: number;
  /** True if the folder is not trusted, so that the page can only be read. */
  readonly restricted: boolean;
  readonly paused: boolean;
}
