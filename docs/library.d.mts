/** The types of the package `unstuck`, for programs that run an agent loop of their own. docs/api.md says more. */

/** Finds a task that repeats a call or takes too long. */
export declare class TaskLoop {
  constructor(options?: TaskLoopOptions);
  /** Call it after each tool call. An outcome that is no text is shown as JSON. */
  recordToolCall(name: string, args: unknown, outcome: unknown): void;
  /** Null while the task continues. */
  checkStuck(): StuckReason | null;
  /** A message for the model that says what was seen. */
  buildRecoveryPrompt(reason: StuckReason): string;
  /** Starts over, for the next try of the same task. */
  reset(): void;
}

export interface TaskLoopOptions {
  /** Milliseconds after which a task counts as stalled, above 0. Default 30,000. */
  readonly timeoutMs?: number;
  /** Equal calls in a row that count as a loop, 2 or more. Default 2. */
  readonly repetitionThreshold?: number;
  /** Milliseconds of a clock. Default `Date.now`. */
  readonly now?: () => number;
}

export type StuckReason =
  | { readonly kind: 'timeout'; readonly elapsedMs: number; readonly tool?: string; readonly outcome?: string }
  | { readonly kind: 'repetition'; readonly count: number; readonly tool: string; readonly outcome: string };

/** All rules of Unstuck over agents whose records you push. There is no timer: time passes with each record and each question. */
export declare class StuckDetector {
  /** Throws a TypeError that names what is wrong with `detectors`. */
  constructor(options?: StuckDetectorOptions);
  /** Starts to watch an agent; one that is watched stays as it is. */
  monitor(agentId: string): void;
  /** Forgets an agent and all that was seen of it. */
  stopMonitoring(agentId: string): void;
  /** Takes what an agent did; without `t` it happened now. Returns what is wrong with the record; null where it counts. */
  push(agentId: string, record: AgentRecord): string | null;
  /** Whether an agent repeats itself now. One that is not monitored is not stuck, nor one whose turn is over. */
  isStuck(agentId: string): StuckStatus;
  /** Calls back once for each streak that became stuck. Returns what ends it. */
  onStuck(callback: (agentId: string, heuristic: StuckHeuristic, context: StuckContext) => void): () => void;
}

export interface StuckDetectorOptions {
  /** How soon the rules speak. Default `balanced`. */
  readonly preset?: 'eager' | 'balanced' | 'patient';
  /** Limits of single rules, in the form of the setting `unstuck.detectors` (docs/detectors.md). */
  readonly detectors?: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. Default `Date.now`; for recorded runs the time of the records. */
  readonly now?: () => number;
}

/** What repeats. All texts are on one line and without secrets. */
interface Seen {
  /** 0 to 1. */
  readonly confidence: number;
  /** `record 3: pytest -q → 1 failed`, the oldest first; records count from 1. */
  readonly evidence: readonly string[];
  /** What to do, one sentence; '' where there is nothing. */
  readonly suggestion: string;
}

export interface StuckStatus extends Seen {
  /** True at level `stuck` only. */
  readonly stuck: boolean;
  /** Null: nothing repeats. */
  readonly level: 'warn' | 'stuck' | null;
  readonly heuristic?: StuckHeuristic;
}

export interface StuckContext extends Seen {
  /** Reason code (docs/detectors.md). */
  readonly reason: string;
  /** Rule within the heuristic, where it has several. */
  readonly rule: string | null;
  /** In the unit of the heuristic: calls, messages, minutes, percent. */
  readonly count: number;
  /** What was counted, for a person. */
  readonly why: string;
}

/** docs/detectors.md describes each. */
export type StuckHeuristic =
  | 'repeating_action'
  | 'repeating_outcome'
  | 'action_error_alternation'
  | 'cycle'
  | 'monologue'
  | 'text_loop'
  | 'condensation_loop'
  | 'token_exhaustion'
  | 'stall'
  | 'max_runtime'
  | 'consecutive_failures'
  | 'validation_failure'
  | 'oversized_response'
  | 'gate_blocked'
  | 'premature_action'
  | 'over_helpfulness'
  | 'context_pollution'
  | 'rate_limited';

/** A record of the generic transcript (docs/transcript.md) without `v` and `session`. */
export type AgentRecord = {
  /** When: ISO 8601, or milliseconds since the epoch. Default: now. */
  readonly t?: string | number;
  /** The name that a person reads. */
  readonly agent?: string;
} & (
  | {
      readonly type: 'session_start';
      readonly cwd?: string;
      readonly model?: string;
      readonly role?: string;
      readonly contextWindow?: number;
      readonly pid?: number;
      readonly parent?: string;
      readonly tools?: readonly { readonly name: string; readonly schema?: unknown }[];
    }
  | { readonly type: 'user'; readonly text: string; readonly automated?: boolean; readonly scheduled?: boolean }
  | { readonly type: 'assistant'; readonly text: string; readonly chunk?: boolean }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      /** An object; a string is taken as unparsed JSON. */
      readonly args: object | string;
      readonly batch?: string;
    }
  | {
      readonly type: 'tool_result';
      /** Of the call. */
      readonly id: string;
      readonly output: unknown;
      readonly isError?: boolean;
      readonly exitCode?: number;
      readonly durationMs?: number;
      readonly size?: number;
      readonly merged?: boolean;
    }
  | {
      readonly type: 'error';
      readonly message: string;
      readonly kind?: 'api' | 'rate_limit' | 'validation' | 'timeout' | 'other';
    }
  | {
      readonly type: 'usage';
      readonly contextTokens?: number;
      readonly contextWindow?: number;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      readonly totalTokens?: number;
      readonly tokenLimit?: number;
      readonly cost?: number;
    }
  | { readonly type: 'compaction'; readonly summary?: string; readonly trigger?: string }
  | {
      readonly type: 'plan';
      readonly items: readonly {
        readonly id: string;
        readonly title: string;
        readonly status: 'pending' | 'in_progress' | 'completed' | 'blocked';
        readonly blockedBy?: readonly string[];
      }[];
    }
  | { readonly type: 'turn_start' }
  | { readonly type: 'turn_end'; readonly reason?: 'done' | 'waiting' | 'interrupted' | 'error' }
  | { readonly type: 'waiting'; readonly for: 'input' | 'permission'; readonly question?: string }
  | { readonly type: 'completion'; readonly claim: string }
  | { readonly type: 'message_taken'; readonly message: string }
  | { readonly type: 'clock' }
  | { readonly type: 'session_end'; readonly reason?: 'clean' | 'interrupted' | 'died' | 'error' }
);

/** Is this a well-formed call of one of the tools? Never throws. */
export declare function validateToolCall(raw: unknown, tools: readonly ToolDescription[]): ValidationResult;
/** Is this text JSON, and does it fit the JSON Schema? Never throws. */
export declare function validateJsonResponse(raw: string, schema?: unknown): ValidationResult;

/** A tool in the form of Unstuck, Anthropic, MCP or VS Code, or OpenAI (chat and responses). The schema is that of its arguments. */
export type ToolDescription =
  | { readonly name: string; readonly schema?: unknown }
  | { readonly name: string; readonly input_schema?: unknown }
  | { readonly name: string; readonly inputSchema?: unknown }
  | { readonly type: 'function'; readonly name: string; readonly parameters?: unknown }
  | { readonly type: 'function'; readonly function: { readonly name: string; readonly parameters?: unknown } };

export interface ValidationResult {
  readonly valid: boolean;
  /** Who has to change something: the model its answer, or you the list of tools. Absent where it is valid. */
  readonly fault?: 'answer' | 'tools';
  /** What is wrong, one sentence. */
  readonly error?: string;
  readonly expected?: string;
  /** At most 200 characters. */
  readonly received?: string;
  readonly suggestion?: string;
  readonly parsed?: unknown;
}
