import type { AgentId, Clearing, Finding } from '../../core/model';
import type { AcrossNote } from './across-note';

/** A session as the rules across sessions know it. */
export interface AcrossSession {
  readonly agent: AgentId;
  /** Id of the session. */
  readonly session: string;
  readonly agentName: string;
  /** Working directory, null when unknown. */
  readonly cwd: string | null;
  /** Its place in a loop that starts agents: equal texts are one loop. */
  readonly run?: { readonly loop: string; readonly number: number };
}

/** Receiver of the reports of the rules across sessions. A finding belongs to the session it names, and so does its source. */
export interface AcrossSink {
  finding(session: string, finding: Finding): void;
  clearing(session: string, clearing: Clearing): void;
}

/** One rule across sessions. */
export interface AcrossRule {
  take(from: AcrossSession, note: AcrossNote): void;
}
