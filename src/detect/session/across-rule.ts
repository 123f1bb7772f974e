import type { AgentId, Clearing, Finding } from '../../core/model';
import type { AcrossNote } from './across-note';

/** The facts about a session that the rules across sessions know. */
export interface AcrossSession {
  readonly agent: AgentId;
  /** Id of the session. */
  readonly session: string;
  readonly agentName: string;
  /** Working directory; null if unknown. */
  readonly cwd: string | null;
  /** Its place in a loop that starts agents: equal texts mean the same loop. */
  readonly run?: { readonly loop: string; readonly number: number };
}

/** Receiver of the reports of the rules across sessions. A finding belongs to the session that is named, and so does its source. */
export interface AcrossSink {
  finding(session: string, finding: Finding): void;
  clearing(session: string, clearing: Clearing): void;
}

/** One rule across sessions. */
export interface AcrossRule {
  take(from: AcrossSession, note: AcrossNote): void;
}
