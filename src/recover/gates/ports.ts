import type { GateRun } from '../../detect/session/gate-run';
import type { IncidentInput } from '../../detect/incident';
import type { AgentId, AgentView, GateReport } from '../../core/model';
import type { Gate } from './gate';
import type { Processes } from '../../base/processes/process';
import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import type { SessionGateSignal } from '../../engine/events';
import type { Session } from '../../engine/session/session';

export interface GateSettings {
  /** Do they run by themselves when an agent claims completion, in folders where the person agreed? */
  readonly onCompletion: boolean;
  /** Gates at once, at least 1. */
  readonly parallel: number;
  /** Time for which a hook at the end of a print mode run may wait, milliseconds; 0: not at all. */
  readonly waitMs: number;
}

/** Gates that may run in a folder. */
export interface FolderGates {
  readonly gates: readonly Gate[];
  /** The person agreed to exactly these commands running by themselves. */
  readonly agreed: boolean;
}

/** The engine, as far as the gates need it. */
export interface GateEngine {
  onDidSignalGates(listener: (signal: SessionGateSignal) => void): Disposable;
  agent(session: string): AgentView | undefined;
  session(session: string): Pick<Session, 'facts' | 'liveness'> | undefined;
  showGates(session: string, report: GateReport): void;
  judge(session: string, run: GateRun): void;
  turnEnds(session: string, at: number): void;
  changeIncident(id: string, input: IncidentInput): boolean;
  mailChanged(session: string): void;
}

/** A right that one window has. */
export interface OneWindow {
  done(): Promise<void>;
  release(): Promise<void>;
}

export interface GateParts {
  readonly engine: GateEngine;
  readonly processes: Processes;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  readonly settings: () => GateSettings;
  /** Open workspace folders, absolute. */
  readonly folders: () => readonly string[];
  readonly isTrusted: () => boolean;
  /** Returns the gates of a workspace folder; read again each time, since an agent may have changed them. */
  readonly gatesOf: (folder: string) => Promise<FolderGates>;
  /** An agent is done, and the gates of its folder are not agreed to. */
  readonly notAgreed: (folder: string) => void;
  /** Returns whether a hook of this agent waits for a verdict when its turn ends. */
  readonly holds: (view: AgentView) => boolean;
  /** Two windows on one folder: one of them runs the gates of a claim. Null: another one does, or did. */
  readonly claim: (view: AgentView, what: string) => Promise<OneWindow | null>;
  /** Claims of one streak that are refused at most (`gate_blocked`, stuck). */
  readonly mostRefused: (agent: AgentId) => number;
  /** Feedback was written for an agent. */
  readonly sent: (view: AgentView, report: GateReport, message: string, automated: boolean) => void;
  /** Id of this process, from which a hook knows that a window gives the verdict. */
  readonly pid: number;
}
