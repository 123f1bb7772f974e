import type { Timers } from '../base/beat';
import type { Clock } from '../base/clock';
import type { FileCache } from '../base/files';
import type { AgentId, Delivery, DetectorId, DetectorOptions, Incident, RaisedLimit, Receipt } from '../core/model';
import type { AgentAdapter } from '../agents/adapter';
import type { SoughtSession } from '../agents/session-process';
import type { LivenessProbe, LocateEnvironment } from '../agents/transcripts';
import type { SqlReader } from '../agents/sqlite/reader';
import type { Spills } from '../history';
import type { Log } from '../base/util/log';
import type { Tail } from '../base/tail';

/** The settings that the engine reads. */
export interface EngineSettings {
  /** Open workspace folders, absolute. */
  readonly folders: readonly string[];
  /** Look for `*.agent.jsonl` in the folders by walking them. Off where an editor reports such files (`consider`). */
  readonly walksFolders: boolean;
  /** Sessions without a line for this long, whose process does not live, are history. Milliseconds. */
  readonly maxAgeMs: number;
  /** Files not written to for this long are not opened at all: no history is kept of them. Milliseconds; absent: no limit. */
  readonly historyMs?: number;
  readonly disabled: ReadonlySet<string>;
  readonly detectors: (agent: AgentId) => Readonly<Record<DetectorId, DetectorOptions>>;
  /** Limits that a person raised (*Not Stuck*); none where absent. */
  readonly raised?: readonly RaisedLimit[];
}

/** The inboxes of agents, as the engine needs them. */
export interface Mail {
  /** Messages of a session and where each stands, oldest first; empty where it has no inbox. */
  read(session: string, cwd: string | undefined): Promise<readonly Delivery[]>;
  /** A receipt of what the transcript shows. */
  write(session: string, cwd: string | undefined, receipt: Receipt): Promise<void>;
  /**
   * A message waits: tells the inbox since when the person has interrupted the agent, milliseconds since the epoch, or null where they have
   * written to it since. Till then nothing of it expires.
   */
  interrupted(session: string, cwd: string | undefined, since: number | null): Promise<void>;
  /** Calls an agent that watches its inbox once more: a message was there before its turn ended. */
  call(session: string, cwd: string | undefined, message: string): Promise<void>;
  /** Moves the texts that wait for one session to another one of the same folder; each arrives at most once. Returns whether there were any. */
  passOn(from: string, to: string, cwd: string | undefined): Promise<boolean>;
  /** Moves what nobody took in time out of the way. */
  expire(session: string, cwd: string | undefined): Promise<void>;
  /** Deletes old messages and the inboxes of silent sessions of a workspace folder, where that is allowed. */
  clean(folder: string): Promise<void>;
}

export interface EngineParts {
  readonly adapters: readonly AgentAdapter[];
  readonly environment: LocateEnvironment;
  readonly probe: LivenessProbe;
  readonly tail: Tail;
  readonly clock: Clock;
  /** Timers of what only looks whether something changed. Those of the clock where absent. */
  readonly beat?: Timers;
  readonly log: Log;
  readonly mail: Mail;
  /** Incident as it is stored, if it is: a reload must not forget that it was muted or notified. */
  readonly stored: (id: string) => Incident | undefined;
  /** Incidents of a session as they are stored; absent where nothing is. */
  readonly storedOf?: (session: string) => readonly Incident[];
  /** Saves oversized results for a day; absent where nothing may be written. */
  readonly spills?: Spills;
  /** Keeps what is known of transcripts from one window to the next; absent: each window reads them whole. */
  readonly cache?: Pick<FileCache, 'read' | 'write'> | undefined;
  /** Text of a small file, at most 64 KB. */
  readonly readSmall: (path: string) => string | undefined;
  /** The process of a session whose agent leaves no trace of it; null where it is not certain. Absent where processes cannot be listed. */
  readonly processOf?: (session: SoughtSession) => Promise<number | null>;
  /** Those of some files that a process has open. Absent where that cannot be seen. */
  readonly openFiles?: (files: ReadonlySet<string>) => Promise<ReadonlySet<string>>;
  /** Reads databases; absent where none can be read. */
  readonly sqlite?: SqlReader;
}
