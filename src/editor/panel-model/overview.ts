import type { AgentState, Machine, Standing } from '../../core/model';
import type { Sentence, StateLook } from '../../core/words';

/** Newest steps that a row's strip shows. */
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
  /** Where it works, as far as that tells it from the others; empty where all work in one place. */
  readonly place: string;
  /** Name of its folder, for groups; empty where it is not known. */
  readonly folder: string;
  /** The machine it runs on; absent for this one. */
  readonly machine?: Machine;
  /** Its doing, or the reason for its place in the list. */
  readonly doing: Sentence;
  /** Since when it does that. */
  readonly since: number;
  /** The last step whose result was new; absent where there was none. */
  readonly lastNewAt?: number;
  /** The newest steps, at most `STRIP_STEPS`: the flags of the timeline with the letters of its patterns. */
  readonly steps: Uint8Array;
  /** When the last line was written, while a turn is open. */
  readonly silentSince?: number;
  /** `run 7`; absent for a session that is of no loop. */
  readonly run?: string;
  /** It was started by another agent. */
  readonly isSubAgent: boolean;
  readonly act: RowAct | null;
}

/**
 * Messages of the host to the overview. `rows` are those that changed since the message before, `whole` all of them: a page that is shown
 * again gets them all, because a hidden one gets nothing.
 */
export interface OverviewMessage {
  readonly type: 'rows';
  readonly whole: boolean;
  readonly rows: readonly OverviewRow[];
  /** The sessions of all rows, in order. */
  readonly order: readonly string[];
  /** The host's clock when this was made. */
  readonly now: number;
  /** The folder is not trusted: reading only. */
  readonly restricted: boolean;
  readonly paused: boolean;
}
