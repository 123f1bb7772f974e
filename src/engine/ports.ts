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
  /** Look for `*.agent.jsonl` by walking the folders. Off if an editor reports such files (`consider`). */
  readonly walksFolders: boolean;
  /** Sessions without a line for this long and without a live process are history. Milliseconds. */
  readonly maxAgeMs: number;
  /** Files not written to for this long are not opened at all: no history is kept of them. Milliseconds; absent: no limit. */
  readonly historyMs?: number;
  readonly disabled: ReadonlySet<string>;
  readonly detectors: (agent: AgentId) => Readonly<Record<DetectorId, DetectorOptions>>;
  /** Limits that a person raised (*Not Stuck*). Absent: none. */
  readonly raised?: readonly RaisedLimit[];
}

/** The inboxes of agents, as the engine needs them. */
export interface Mail {
  /** Returns the messages of a session and their states, oldest first; none if it has no inbox. */
  read(session: string, cwd: string | undefined): Promise<readonly Delivery[]>;
  /** Writes a receipt of what the transcript shows. */
  write(session: string, cwd: string | undefined, receipt: Receipt): Promise<void>;
  /**
   * Reports to the inbox, while a message waits, since when the person has interrupted the agent: milliseconds since the epoch, or null if the person
   * has written to it since. Until then none of its messages expires.
   */
  interrupted(session: string, cwd: string | undefined, since: number | null): Promise<void>;
  /** Calls an agent that watches its inbox once more, because a message was there before its turn ended. */
  call(session: string, cwd: string | undefined, message: string): Promise<void>;
  /** Moves the texts that wait for one session to another session of the same folder; each arrives at most once. True if there were any. */
  passOn(from: string, to: string, cwd: string | undefined): Promise<boolean>;
  /** Moves away the messages that were not taken in time. */
  expire(session: string, cwd: string | undefined): Promise<void>;
  /** Deletes old messages and the inboxes of silent sessions in a workspace folder, where that is allowed. */
  clean(folder: string): Promise<void>;
}

export interface EngineParts {
  readonly adapters: readonly AgentAdapter[];
  readonly environment: LocateEnvironment;
  readonly probe: LivenessProbe;
  readonly tail: Tail;
  readonly clock: Clock;
  /** Timers for mere checks whether something changed. Absent: those of the clock. */
  readonly beat?: Timers;
  readonly log: Log;
  readonly mail: Mail;
  /** Returns the stored incident, if any: a reload must not forget that it was muted or notified. */
  readonly stored: (id: string) => Incident | undefined;
  /** Returns the stored incidents of a session. Absent: nothing is stored. */
  readonly storedOf?: (session: string) => readonly Incident[];
  /** Saves oversized results for a day. Absent: nothing may be written. */
  readonly spills?: Spills;
  /** Keeps what is known of transcripts from one window to the next. Absent: each window reads them whole. */
  readonly cache?: Pick<FileCache, 'read' | 'write'> | undefined;
  /** Returns the text of a small file, at most 64 KB. */
  readonly readSmall: (path: string) => string | undefined;
  /** Returns the process of a session whose agent leaves no trace of it; null if it is not certain. Absent: processes cannot be listed. */
  readonly processOf?: (session: SoughtSession) => Promise<number | null>;
  /** Returns those of some files that a process has open. Absent: that cannot be seen. */
  readonly openFiles?: (files: ReadonlySet<string>) => Promise<ReadonlySet<string>>;
  /** Reads databases. Absent: none can be read. */
  readonly sqlite?: SqlReader;
}
