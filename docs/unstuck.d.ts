/**
 * What the extension `unstuck.unstuck` returns from `activate`. Copy this file into your extension:
 *
 *   const unstuck = vscode.extensions.getExtension<UnstuckApi>('unstuck.unstuck');
 *   const api = await unstuck?.activate();
 *
 * Members are only ever added. docs/api.md says more.
 */
export interface UnstuckApi {
  /** Version of the extension. */
  readonly version: string;
  /** Your listeners hear of this session again. Each extension has its own choice: what you stop, others still hear. */
  monitor(session: string): void;
  /** Your listeners no longer hear of this session. Without any call they hear of all. */
  stopMonitoring(session: string): void;
  /** The state of one session now. One that nobody knows is not stuck. */
  isStuck(session: string): StuckStatus;
  /** Called once when an incident reaches `stuck`; not for muted ones, nor for those of the history. */
  onStuck(listener: (session: string, status: StuckStatus) => void): Disposable;
  /** Called when a recovery attempt changes its state or outcome, or the incident recovers. */
  onRecovery(listener: (session: string, recovery: RecoveryEvent) => void): Disposable;
  /** A guard for an agent loop of your own. */
  createTaskLoop(options?: TaskLoopOptions): TaskLoop;
  /** Is this a well-formed call of one of the tools? Never throws. */
  validateToolCall(raw: unknown, tools: readonly ToolDescription[]): ValidationResult;
  /** Is this text JSON, and does it fit the JSON Schema? Never throws. */
  validateJsonResponse(raw: string, schema?: unknown): ValidationResult;
}

export interface Disposable {
  dispose(): void;
}

export interface StuckStatus {
  /** True at level `stuck` only. */
  readonly stuck: boolean;
  /** Null: no open incident. */
  readonly level: 'warn' | 'stuck' | null;
  /** Id of the rule (docs/detectors.md). */
  readonly detector?: string;
  /** Reason code (docs/detectors.md). */
  readonly reason?: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** The oldest first. */
  readonly evidence: readonly Evidence[];
  /** One sentence, '' where there is none. */
  readonly suggestion: string;
}

export interface Evidence {
  readonly source: Source;
  /** The last record of the same step. */
  readonly end?: Source;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly role: 'first' | 'repeat' | 'between';
  /** The call or message in one line, at most 200 characters. */
  readonly subject: string;
  /** What it gave, in one line. */
  readonly text: string;
}

export interface Source {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Bytes. */
  readonly offset: number;
}

export interface RecoveryEvent {
  /** Id of the incident. */
  readonly incident: string;
  /** Kind of the message (docs/inbox.md). */
  readonly kind: string;
  /** From 1. */
  readonly attempt: number;
  /** State of the message (docs/inbox.md). */
  readonly state: string;
  readonly outcome?: 'changed' | 'same';
  readonly recovered: boolean;
}

export interface TaskLoopOptions {
  /** Milliseconds after which a task counts as stalled, above 0. Default 30,000. */
  readonly timeoutMs?: number;
  /** Equal calls in a row that count as a loop, 2 or more. Default 2. */
  readonly repetitionThreshold?: number;
}

export interface TaskLoop {
  /** An outcome that is no text is shown as JSON. */
  recordToolCall(name: string, args: unknown, outcome: unknown): void;
  /** Null while the task continues. */
  checkStuck(): StuckReason | null;
  /** A message for the model that says what was seen. */
  buildRecoveryPrompt(reason: StuckReason): string;
  /** Starts over, for the next try of the same task. */
  reset(): void;
}

export type StuckReason =
  | { readonly kind: 'timeout'; readonly elapsedMs: number; readonly tool?: string; readonly outcome?: string }
  | { readonly kind: 'repetition'; readonly count: number; readonly tool: string; readonly outcome: string };

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
