import type { AgentId } from './agent-id';

/**
 * Place in a transcript from which an event came, precise enough to open it.
 *
 * One object is shared by all events of one record.
 */
export interface Source {
  /** Absolute path of the transcript. */
  readonly file: string;
  /**
   * 1-based line of the file; for a whole-file JSON transcript the 1-based index of the message or step; for a database the 1-based index of the part
   * within its session. 0 while the preceding lines have not been counted.
   */
  readonly line: number;
  /** Byte offset of the record's first byte; for documents and databases the 0-based index of the record. */
  readonly offset: number;
}

interface EventBase {
  readonly agent: AgentId;
  /** Id of the session to which the event belongs; a sub-agent has its own session. */
  readonly session: string;
  /** Milliseconds since the epoch, according to the transcript; the time of the previous record where it gives none. */
  readonly at: number;
  readonly source: Source;
}

/** Effect of a call on the world, as far as its name and arguments show. Heights of the timeline: looked, ran, changed. */
export type ToolKind = 'looked' | 'ran' | 'changed' | 'plan' | 'delegated' | 'asked' | 'waited' | 'other';

/**
 * Calls for which the agent asks its user's permission. `all`: edits and commands. `commands`: edits are allowed. `edits`: commands run in a sandbox
 * that may only read. `escalation`: only some, such as a call that requests to leave its sandbox. `nothing`: everything is allowed, or anything that
 * is not is refused without a question.
 */
export type PermissionMode = 'all' | 'commands' | 'edits' | 'escalation' | 'nothing';

/**
 * Modes of a session. `interactive` sessions outlive a turn; a `panel` of an editor does too, and only a prompt begins its next turn; `print`
 * sessions end with their turn.
 */
export const SESSION_MODES = ['interactive', 'panel', 'print'] as const;
export type SessionMode = (typeof SESSION_MODES)[number];

/** Facts about the session that have become known or changed; absent fields keep their value. */
export interface SessionInfoEvent extends EventBase {
  readonly type: 'session_info';
  readonly agentName?: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly model?: string;
  readonly role?: string;
  readonly version?: string;
  /** Size of the context window in tokens. */
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
  /** Written by a program (hook feedback, scheduler, Unstuck), not typed by a person. */
  readonly automated: boolean;
  /**
   * Present for a hook of the person's own that sent the agent back: its command or file, and the number of blocks after which the agent's program
   * ends the turn.
   */
  readonly hook?: { readonly name: string; readonly cap?: number };
  /** True if a schedule that the person set up opened this turn (a loop command, cron). */
  readonly scheduled?: true;
}

export interface AssistantEvent extends EventBase {
  readonly type: 'assistant';
  readonly text: string;
  /** True for one piece of a message that continues in the next event. */
  readonly chunk: boolean;
  /** True if the record says that the turn ends with this message; false if it says that the turn continues. Absent where it does not say. */
  readonly isLast?: boolean;
}

export interface ToolCallEvent extends EventBase {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** Parsed arguments; a string where they could not be parsed (`malformed` then holds the reason). */
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
  /** File or folder that the call reads or changes, as given in the arguments. */
  readonly target?: string;
}

/** Reason why a call was refused before the tool did anything. */
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
  /** True if the call failed, even where the record reports success but an exit code or an error form shows otherwise. */
  readonly isError: boolean;
  readonly exitCode?: number;
  /** True if the same text of this command was reported before its exit code was known: both results mean the same. */
  readonly exitCodeLate?: true;
  readonly durationMs?: number;
  /** Characters of the full output, where `output` is shorter. */
  readonly size?: number;
  /** The agent's own file that holds the full output. */
  readonly spilledTo?: string;
  /** True if the source kept one answer for all calls of a batch; `output` holds all of it. */
  readonly merged?: boolean;
  /** Present if the call was malformed, so that the tool never ran. */
  readonly validation?: {
    readonly kind: ValidationKind;
    readonly expected?: string;
    readonly received?: string;
    readonly error: string;
  };
  /** Present if the call was refused: by a person, a hook, or a rule of the agent's configuration. */
  readonly denied?: 'user' | 'hook' | 'policy';
  /** True if the tool was stopped before it ended. */
  readonly interrupted?: boolean;
  /** True if the result came from a process that is still running in the background. */
  readonly running?: boolean;
  /**
   * With `running`: the names under which the agent refers to the running processes, and the file into which each writes. `wakes`: its end makes an
   * agent whose turn is over continue.
   */
  readonly jobs?: readonly { readonly key: string; readonly output?: string; readonly wakes?: true }[];
  /**
   * For agents that record the outcome of a call after later calls. `unknown`: the agent has continued and the outcome of the call is not known
   * (yet), so that the step equals no other. `late`: the outcome of such a call, whose step was counted already.
   */
  readonly outcome?: 'unknown' | 'late';
}

export type ErrorKind = 'api' | 'rate_limit' | 'validation' | 'timeout' | 'other';

export interface ErrorEvent extends EventBase {
  readonly type: 'error';
  readonly kind: ErrorKind;
  readonly message: string;
  /** Milliseconds after which the agent retries on its own. */
  readonly retryInMs?: number;
}

/** Token counts. `context*` describe the current window; the others are what this one request added, counted once. */
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

/** The agent's own plan, complete each time. */
export interface PlanEvent extends EventBase {
  readonly type: 'plan';
  readonly items: readonly PlanItem[];
}

/** A request to the model that has begun and is not yet answered. */
export interface RequestEvent extends EventBase {
  readonly type: 'request';
}

export interface TurnStartEvent extends EventBase {
  readonly type: 'turn_start';
}

/**
 * Whether an agent's turns end with a separate record, according to its format. `some`: only some files have such records, so the session has to show
 * it.
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

/** The agent's statement that it is done. */
export interface CompletionEvent extends EventBase {
  readonly type: 'completion';
  readonly claim: string;
}

/** Sent when the agent has taken a message from its inbox, or the text of the message appears in the transcript. */
export interface MessageTakenEvent extends EventBase {
  readonly type: 'message_taken';
  /** Id of the inbox message. */
  readonly message: string;
}

/** Sent when something that a call left running in the background has ended. */
export interface JobEndEvent extends EventBase {
  readonly type: 'job_end';
  /** Id of the call. */
  readonly id: string;
  /** For a sub-agent: its name in the result of the call. */
  readonly key?: string;
  readonly exitCode?: number;
  readonly lastLine?: string;
}

/** Sent when time has passed and nothing happened. */
export interface ClockEvent extends EventBase {
  readonly type: 'clock';
}

export type SessionEndReason = 'clean' | 'interrupted' | 'died' | 'error';

export interface SessionEndEvent extends EventBase {
  readonly type: 'session_end';
  readonly reason: SessionEndReason;
}

/** A mark left by the agent's own loop check. */
export interface VendorLoopEvent extends EventBase {
  readonly type: 'vendor_loop';
  readonly message: string;
}

/** A known record that holds nothing the other events carry. */
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
