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
  /** They run on their own when an agent claims completion, in folders where the person agreed. */
  readonly onCompletion: boolean;
  /** Number of gates that run at once, at least 1. */
  readonly parallel: number;
  /** Time for which a hook at the end of a print mode run may wait, milliseconds; 0: it does not wait. */
  readonly waitMs: number;
}

/** Gates that may run in a folder. */
export interface FolderGates {
  readonly gates: readonly Gate[];
  /** The person agreed that exactly these commands run on their own. */
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

/** A right that only one window has. */
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
  /** Called when an agent is done and there is no consent to the gates of its folder. */
  readonly notAgreed: (folder: string) => void;
  /** True if a hook of this agent waits for a verdict when its turn ends. */
  readonly holds: (view: AgentView) => boolean;
  /** Claims the gates: of two windows on one folder, one runs them. Null: another one does, or did. */
  readonly claim: (view: AgentView, what: string) => Promise<OneWindow | null>;
  /** Returns how many claims of one streak are refused at most (`gate_blocked`, stuck). */
  readonly mostRefused: (agent: AgentId) => number;
  /** Called when feedback was written for an agent. */
  readonly sent: (view: AgentView, report: GateReport, message: string, automated: boolean) => void;
  /** Id of this process, by which a hook knows that a window delivers the verdict. */
  readonly pid: number;
}
