import type { AgentView, Incident } from '../../core/model';
import type { Reach, Surface, MachineReport } from '../../core/words';
import type { PanelFlags, PanelSnapshot } from './snapshot';
import type { PanelMarker, StepSubjects } from './timeline';

/** The steps of the engine's timeline, copied for this one message because the flags are changed. */
export interface StepArrays {
  readonly from: number;
  readonly at: Float64Array;
  readonly flags: Uint8Array;
  readonly outcomes: Uint32Array;
  readonly lines: Uint32Array;
}

/** Facts for one snapshot. Everything that needs I/O or a decision has been decided already. */
export interface SnapshotInput {
  readonly view: AgentView;
  readonly steps: StepArrays;
  readonly subjects: StepSubjects;
  readonly markers: readonly PanelMarker[];
  /** Reports of its machine if it runs on another one, oldest first. */
  readonly reports?: readonly MachineReport[];
  /** Past incidents of the session, newest first. */
  readonly past: readonly Incident[];
  /** Id of the incident that the reader chose; without it the gravest active one is shown. */
  readonly chosen?: string;
  readonly flags: PanelFlags;
  /** The part of this window in which it runs; null for none. */
  readonly surface?: Surface | null;
  /** True if a restart was clicked and waits until a person has closed the agent. */
  readonly closing?: boolean;
  /** The draft for the shown incident; empty for none. */
  readonly draft: string;
  /** Null if no message can reach this kind of agent. */
  readonly reach: Reach | null;
  readonly connected: boolean;
  readonly notTested?: string | null;
  readonly recovery?: PanelSnapshot['recovery'];
  readonly helpedBefore?: PanelSnapshot['helpedBefore'];
  readonly now: number;
}
