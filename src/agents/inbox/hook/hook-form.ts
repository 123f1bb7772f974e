import type { AgentId, InboxMessage } from '../../../core/model';

/** Answer of an agent's hook. Exit code 2 is meant for the agent; for any other failure it is 0 (see hook.sh). */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

export const SILENT: HookAnswer = { stdout: '', stderr: '', exitCode: 0 };

export type Readiness = 'yes' | 'not_yet' | 'no';

/** Access to files in which an agent shows what it does; null if a file cannot be read. */
export interface Look {
  /** Returns the text of a file of at most 64 KB. */
  readonly small: (path: string) => string | null;
  /** Returns the last 64 KB of a file, which may begin in the middle of a line. */
  readonly end: (path: string) => string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Request of one hook call to the inbox. */
export interface HookRequest {
  /** Ids under which messages for this agent may be stored. */
  readonly sessions: readonly string[];
  /** Folders in which the agent works: an inbox counts if its workspace folder contains one of them. */
  readonly folders: readonly string[];
  /** Selects the waiting messages that this event may deliver, oldest first. */
  readonly choose: (waiting: readonly InboxMessage[]) => readonly InboxMessage[];
  /** True if the agent asks which files to watch. */
  readonly watches: boolean;
  /** Absent: messages may be taken at once. Otherwise called repeatedly for a short while; messages stay where they are unless it returns `yes`. */
  readonly ready?: (look: Look) => Readiness;
  /** The agent is about to end: messages are taken after the verdict of its quality gates, if a window publishes one. */
  readonly ends?: boolean;
  /** True if the transcript does not show in time that the turn ends, so that the hook reports it to the window that judges this session. */
  readonly reportsEnd?: boolean;
}

/** Protocol of the hook of one kind of agent. Pure. */
export interface HookForm {
  readonly agent: AgentId;
  /** Reads an event. Null: it delivers no messages. `caller`: the command line of the agent; null if it is unknown. */
  read(
    event: string,
    payload: unknown,
    env: Readonly<Record<string, string | undefined>>,
    caller: () => readonly string[] | null,
  ): HookRequest | null;
  /** Answers an event. `watch`: paths of the wake files, if the request asked for them. `payload`: the same as for `read`. */
  answer(event: string, messages: readonly InboxMessage[], watch: readonly string[], payload: unknown): HookAnswer;
}
