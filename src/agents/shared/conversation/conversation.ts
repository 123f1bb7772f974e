import type { AgentId, PlanItem, TurnEndReason } from '../../../core/model';
import { type CallDescription, describeCall } from '../decode/tools';
import type { ToolTable } from '../decode/tool-names';
import { KnownFacts, type RepeatedFacts } from './known-facts';
import { createMarkFinder, isOwnMessage } from '../decode/message-mark';
import { PairedCalls } from './paired-calls';
import { type RecordPlace, RecordEmitter } from './record-emitter';
import type { ToolResult } from './tool-result';
import { type AnswerUsage, usageOf } from './usage';

/** A call as it was written. */
export interface NewCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  /** Calls of one answer share a batch. */
  readonly batch?: string | undefined;
  readonly malformed?: string | undefined;
  /** Session of a sub-agent whose lines are in the same file; else the session of the emitter. */
  readonly session?: string;
}

export interface RunningCall extends NewCall {
  readonly session: string;
}

export interface ConversationFormat {
  readonly agent: AgentId;
  readonly file: string;
  readonly session: string;
  /** Roles of the agent's tools for which the common one does not fit. */
  readonly tools?: ToolTable;
  /** Returns the name and arguments that describe a call, if they differ from the written ones. */
  readonly shown?: (call: NewCall) => { readonly name: string; readonly args: unknown };
  /** True if each call is reported once, however often its record is read: where its id comes again, it is another call. */
  readonly isReadOnce?: boolean;
  /** True if a call opens the turn when none is open. */
  readonly callOpensTurn?: boolean;
  /** True if a result that comes before its call, or a second time, becomes an `other` event. */
  readonly namesStrayResults?: boolean;
  /** Returns the plan that a call which did not fail has set; null if it set none. */
  readonly plan?: (call: RunningCall, result: ToolResult) => readonly PlanItem[] | null;
  /** Emits other consequences of a result: a claim to be done, a message from Unstuck. `added`: a hook's addition to the result. */
  readonly answered?: (call: RunningCall, result: ToolResult, added: string, place: RecordPlace | undefined) => void;
}

interface HeldResult {
  readonly result: ToolResult;
  readonly added: string;
  readonly place: RecordPlace;
}

/**
 * Common part of all decoders of conversations: it pairs calls with their results in any order, emits facts of the session once, keeps the turn,
 * finds Unstuck's messages by their mark, and counts tokens. Decoders read records and report their meaning.
 */
export class Conversation extends RecordEmitter {
  readonly facts = new KnownFacts();
  readonly calls = new PairedCalls<RunningCall, HeldResult>();
  turnOpen = false;
  private readonly marksFound = createMarkFinder();

  constructor(private readonly format: ConversationFormat) {
    super(format.agent, format.file, format.session);
  }

  /** Emits the facts that are new, together with `more`. Returns false if none is. */
  learn(facts: RepeatedFacts, more: { readonly contextWindow?: number } = {}): boolean {
    const changed = this.facts.update(facts);
    if (changed) this.emit({ type: 'session_info', ...changed, ...more });
    return changed !== undefined;
  }

  /** Reports a prompt. `whole`: its text with all additions, which is searched for messages from Unstuck. */
  prompt(text: string, automated = false, place?: RecordPlace, whole = text): void {
    if (text.trim() === '') return this.emit({ type: 'other', name: 'empty message' }, place);
    this.turnOpen = true;
    this.emit({ type: 'user', text, automated: automated || isOwnMessage(text) }, place);
    this.marks(whole);
  }

  /** Emits once for each of Unstuck's messages marked in this text that the message was taken. */
  marks(text: string): void {
    for (const message of this.marksFound.find(text)) this.emit({ type: 'message_taken', message });
  }

  startTurn(): void {
    if (!this.turnOpen) this.emit({ type: 'turn_start' });
    this.turnOpen = true;
  }

  /** Returns false if no turn is open. */
  endTurn(reason: TurnEndReason): boolean {
    if (!this.turnOpen) return false;
    this.turnOpen = false;
    this.emit({ type: 'turn_end', reason });
    return true;
  }

  /** Returns false if nothing was counted. */
  usage(counts: AnswerUsage): boolean {
    const usage = usageOf(counts);
    if (usage) this.emit(usage);
    return usage !== undefined;
  }

  /** Returns false if the call is a repetition. */
  call(call: NewCall): boolean {
    const { id, name, args, batch, malformed, session = this.session } = call;
    if (this.calls.has(id, this.format.isReadOnce ? Number.POSITIVE_INFINITY : this.place.at)) {
      this.emit({ type: 'other', name: 'repeated call' });
      return false;
    }
    this.calls.start(id, { ...call, session }, this.place.at);
    if (this.format.callOpensTurn) this.startTurn();
    this.emitFor(session, {
      type: 'tool_call',
      id,
      name,
      args,
      ...(batch !== undefined && { batch }),
      ...(malformed !== undefined && { malformed }),
      ...this.describe(call),
    });
    const held = this.calls.heldFor(id);
    if (held) this.answer(id, held.result, held.added, held.place);
    return true;
  }

  /** Reports a result, now or when its call comes. Returns false if it answers no open call. */
  result(id: string, result: ToolResult, added = '', place?: RecordPlace): boolean {
    if (this.answer(id, result, added, place)) return true;
    const repeated = this.calls.isDone(id);
    if (!repeated) this.calls.hold(id, { result, added, place: place ?? this.place });
    if (this.format.namesStrayResults)
      this.emit({ type: 'other', name: repeated ? 'repeated result' : 'result before its call' });
    return false;
  }

  private answer(id: string, result: ToolResult, added: string, place: RecordPlace | undefined): boolean {
    const call = this.calls.finish(id, (place ?? this.place).at);
    if (!call) return false;
    this.emitFor(call.session, { type: 'tool_result', id, ...result }, place);
    this.format.answered?.(call, result, added, place);
    const items = result.isError ? null : this.format.plan?.(call, result);
    if (items) this.emitFor(call.session, { type: 'plan', items }, place);
    return true;
  }

  private describe(call: NewCall): CallDescription {
    const { name, args } = this.format.shown?.(call) ?? call;
    return describeCall(name, args, {
      ...(this.format.tools && { table: this.format.tools }),
      cwd: this.facts.cwd,
    });
  }
}
