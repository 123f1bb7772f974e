import type { AgentId } from './agent-id';

/**
 * The place in a transcript that an event came from, precise enough to open it.
 *
 * One object is shared by all events of one record.
 */
export interface Source {
  /** Absolute path of the transcript. */
  readonly file: string;
  /**
   * 1-based line of the file; for a whole-file JSON transcript the 1-based index of the message or step; for a database the
   * 1-based index of the part within its session. 0 while the lines before it have not been counted.
   */
  readonly line: number;
  /** Byte offset of the record's first byte; for documents and databases the 0-based index of the record. */
  readonly offset: number;
}

interface EventBase {
  readonly agent: AgentId;
  /** Id of the session that the event belongs to; a sub-agent has a session of its own. */
  readonly session: string;
  /** Milliseconds since the epoch, as the transcript says; the time of the record before where it says nothing. */
  readonly at: number;
  readonly source: Source;
}

/** Effect of a call on the world, as far as its name and arguments show. Heights of the timeline: looked, ran, changed. */
export type ToolKind = 'looked' | 'ran' | 'changed' | 'plan' | 'delegated' | 'asked' | 'waited' | 'other';

/**
 * Calls for which the agent asks its user's permission. `all`: edits and commands. `commands`: edits are allowed. `edits`:
 * commands run in a sandbox that may only read. `escalation`: only for a call that requests to leave its sandbox. `nothing`:
 * all is allowed, or anything else is refused without a question.
 */
export type PermissionMode = 'all' | 'commands' | 'edits' | 'escalation' | 'nothing';

/** Facts about the session that became known or changed; fields that are absent keep their value. */
/**
 * `interactive` sessions outlive a turn; a `panel` of an editor does too, and nothing but a prompt begins its next turn; `print` sessions end with
 * their turn.
 */
export const SESSION_MODES = ['interactive', 'panel', 'print'] as const;
export type SessionMode = (typeof SESSION_MODES)[number];

export interface SessionInfoEvent extends EventBase {
  readonly type: 'session_info';
  readonly agentName?: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly model?: string;
  readonly role?: string;
  readonly version?: string;
  /** Tokens that fit the context window. */
  readonly contextWindow?: number;
  readonly pid?: number;
  /** Session id of the agent that started this one. */
  readonly parent?: string;
  /** Session id whose lines were copied into this one (fork, resume into a new file). */
  readonly forkedFrom?: string;
  readonly mode?: SessionMode;
  readonly permissionMode?: PermissionMode;
  readonly tools?: readonly { readonly name: string; readonly schema?: unknown }[];
}

export interface UserEvent extends EventBase {
  readonly type: 'user';
  readonly text: string;
  /** Written by a program (hook feedback, scheduler, ourselves), not typed by a person. */
  readonly automated: boolean;
  /** Of a hook of the person's own that sent the agent back: its command or its file, and after how many blocks the agent's program ends the turn. */
  readonly hook?: { readonly name: string; readonly cap?: number };
  /** A schedule that the person set up opened this turn (a loop command, cron). */
  readonly scheduled?: true;
}

export interface AssistantEvent extends EventBase {
  readonly type: 'assistant';
  readonly text: string;
  /** One piece of a message that continues in the next event. */
  readonly chunk: boolean;
  /** The record says that the turn goes on behind this message (false), or is over with it (true). Absent: it does not say. */
  readonly isLast?: boolean;
}

export interface ToolCallEvent extends EventBase {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** Parsed arguments; a string where they could not be parsed (then `malformed` says why). */
  readonly args: unknown;
  /** The parser's message if the arguments do not fit the call. */
  readonly malformed?: string;
  /** Same value for calls issued in parallel. */
  readonly batch?: string;
  readonly kind: ToolKind;
  /** Name of the call for a person: `pytest -q`, `Edit src/calc.py`. At most 200 characters, one line. */
  readonly subject: string;
  /** Shell command, where the call is one. */
  readonly command?: string;
  /** File or folder that the call reads or changes, as the arguments say it. */
  readonly target?: string;
}

/** Why a call was refused before the tool did anything. */
export type ValidationKind =
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'unparsable'
  | 'invalid_completion'
  | 'truncated'
  | 'format';

export interface ToolResultEvent extends EventBase {
  readonly type: 'tool_result';
  /** Id of the call. */
  readonly id: string;
  /** Result as the agent received it, possibly cut (see util/cut). */
  readonly output: string;
  /** The call failed, also where the record says success but an exit code or an error form shows otherwise. */
  readonly isError: boolean;
  readonly exitCode?: number;
  /** The same text of this command was reported before its exit code was known: both mean the same. */
  readonly exitCodeLate?: true;
  readonly durationMs?: number;
  /** Characters of the full output, where `output` is shorter. */
  readonly size?: number;
  /** The agent's own file that holds the full output. */
  readonly spilledTo?: string;
  /** The source kept one answer for all calls of a batch; `output` holds the whole of it. */
  readonly merged?: boolean;
  /** The call was malformed: the tool never ran. */
  readonly validation?: {
    readonly kind: ValidationKind;
    readonly expected?: string;
    readonly received?: string;
    readonly error: string;
  };
  /** The call was refused: by a person, a hook, or a rule of the agent's configuration. */
  readonly denied?: 'user' | 'hook' | 'policy';
  /** The tool was stopped before it ended. */
  readonly interrupted?: boolean;
  /** The result came from a process that is still running in the background. */
  readonly running?: boolean;
  /**
   * With `running`: the names by which the agent calls what runs, and the file into which it writes. `wakes`: its end sends an agent on whose
   * turn is over.
   */
  readonly jobs?: readonly { readonly key: string; readonly output?: string; readonly wakes?: true }[];
  /**
   * For agents that write what came of a call later than the calls behind it. `unknown`: the agent went on, and what came of the call is not
   * known (yet), so that the step is equal to nothing. `late`: what came of such a call; its step was counted already.
   */
  readonly outcome?: 'unknown' | 'late';
}

export type ErrorKind = 'api' | 'rate_limit' | 'validation' | 'timeout' | 'other';

export interface ErrorEvent extends EventBase {
  readonly type: 'error';
  readonly kind: ErrorKind;
  readonly message: string;
  /** Milliseconds after which the agent tries again by itself. */
  readonly retryInMs?: number;
}

/** Token counts. `context*` describe the window now; the others are what this one request added, counted once. */
export interface UsageEvent extends EventBase {
  readonly type: 'usage';
  readonly contextTokens?: number;
  readonly contextWindow?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Running total of the session. */
  readonly totalTokens?: number;
  readonly tokenLimit?: number;
  /** US dollars of this request. */
  readonly cost?: number;
}

export interface CompactionEvent extends EventBase {
  readonly type: 'compaction';
  readonly trigger?: string;
  readonly summary?: string;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
}

export type PlanStatus = 'pending' | 'in_progress' | 'completed' | 'blocked';

export interface PlanItem {
  readonly id: string;
  readonly title: string;
  readonly status: PlanStatus;
  readonly blockedBy?: readonly string[];
}

/** The agent's own plan, whole each time. */
export interface PlanEvent extends EventBase {
  readonly type: 'plan';
  readonly items: readonly PlanItem[];
}

/** A request to the model has begun and is not answered yet. */
export interface RequestEvent extends EventBase {
  readonly type: 'request';
}

export interface TurnStartEvent extends EventBase {
  readonly type: 'turn_start';
}

/**
 * Whether an agent's turns end with a record of their own: known of its format. `some`: some files have such records and others do not, so
 * the session shows it.
 */
export type TurnEnds = 'yes' | 'no' | 'some';

export type TurnEndReason = 'done' | 'waiting' | 'interrupted' | 'error';

export interface TurnEndEvent extends EventBase {
  readonly type: 'turn_end';
  readonly reason: TurnEndReason;
}

export interface WaitingEvent extends EventBase {
  readonly type: 'waiting';
  readonly for: 'input' | 'permission' | 'plan';
  readonly question?: string;
}

/** The agent says that it is done. */
export interface CompletionEvent extends EventBase {
  readonly type: 'completion';
  readonly claim: string;
}

/** The agent has taken up a message of its inbox, or its text shows in the transcript. */
export interface MessageTakenEvent extends EventBase {
  readonly type: 'message_taken';
  /** Id of the inbox message. */
  readonly message: string;
}

/** What a call left running in the background has ended. */
export interface JobEndEvent extends EventBase {
  readonly type: 'job_end';
  /** Id of the call. */
  readonly id: string;
  /** Of a sub-agent, its name in the result of the call. */
  readonly key?: string;
  readonly exitCode?: number;
  readonly lastLine?: string;
}

/** Time has passed and nothing happened. */
export interface ClockEvent extends EventBase {
  readonly type: 'clock';
}

export type SessionEndReason = 'clean' | 'interrupted' | 'died' | 'error';

export interface SessionEndEvent extends EventBase {
  readonly type: 'session_end';
  readonly reason: SessionEndReason;
}

/** The agent's own loop check left a mark. */
export interface VendorLoopEvent extends EventBase {
  readonly type: 'vendor_loop';
  readonly message: string;
}

/** A known record without anything that the other events carry. */
export interface OtherEvent extends EventBase {
  readonly type: 'other';
  readonly name: string;
}

/** One normalised event of any agent. */
export type AgentEvent =
  | SessionInfoEvent
  | UserEvent
  | AssistantEvent
  | ToolCallEvent
  | ToolResultEvent
  | ErrorEvent
  | UsageEvent
  | CompactionEvent
  | PlanEvent
  | RequestEvent
  | TurnStartEvent
  | TurnEndEvent
  | WaitingEvent
  | CompletionEvent
  | MessageTakenEvent
  | JobEndEvent
  | ClockEvent
  | SessionEndEvent
  | VendorLoopEvent
  | OtherEvent;
