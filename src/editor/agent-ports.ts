import type { RecoverySettings } from '../recover/act/ports';
import type { FixtureResult } from '../engine/report/fixture';
import type { ScannedFile, ScanOptions } from '../engine/scan';
import type { FleetBundle } from '../fleet';
import type { AgentId, AgentView, DetectorId, DetectorOptions, Incident } from '../core/model';
import type { ElsewherePort } from './connect/connect';
import type { VersionPort } from './nudges/untested';
import type { FindProcess } from './recovery/agent-terminals';
import type { PlanResume } from './recovery/recovery-ui';
import type { ReadExcerpt } from './transcripts/evidence';
import type { CountLines, SessionText } from './transcripts/transcripts';

/** Reads a transcript to its end with all detectors. A transcript that is unchanged since the last reading costs next to nothing. */
export type ScanTranscript = (
  file: string,
  options: Pick<ScanOptions, 'adapter' | 'detectors' | 'only'>,
) => Promise<ScannedFile>;

/** Facts about agents, detectors and files, for parts of the editor that may not import the wings behind them. */
export interface AgentPorts {
  readonly detectors: (agent: AgentId) => Readonly<Record<DetectorId, DetectorOptions>>;
  /** File name endings of transcripts in the workspace. */
  readonly endings: readonly string[];
  readonly readSmall: (path: string) => string | undefined;
  /** Returns true if the head of the file shows that an agent wrote it. */
  readonly isTranscript: (path: string) => Promise<boolean>;
  readonly scan: ScanTranscript;
  readonly countLines: CountLines;
  readonly sessionText: SessionText;
  readonly readExcerpt: ReadExcerpt;
  readonly versions: VersionPort;
  readonly elsewhere: ElsewherePort;
  readonly processOf: FindProcess;
  /** Returns where the hook of this name is in the agent's own settings; null if it is not found. */
  readonly hookPlace: (view: AgentView, name: string) => { readonly file: string; readonly line: number } | null;
  /** Returns a transcript that raises an incident again. */
  readonly fixture: (incident: Incident) => Promise<FixtureResult>;
  /** Returns true if a hook of this agent waits for the verdict of the quality gates when its turn ends. */
  readonly holdsForGates: (view: AgentView) => boolean;
  /** Loads the code that opens sockets to other machines; called only if a server is set. */
  readonly loadFleet: () => Promise<FleetBundle>;
  readonly planResume: (
    settings: RecoverySettings['launch'],
    ...args: Parameters<PlanResume>
  ) => ReturnType<PlanResume>;
}
