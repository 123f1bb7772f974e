import type { PlanItem, Source, TurnEndReason } from '../../core/model';
import { type EventBody, KnownFacts, PairedCalls } from '../shared/conversation';
import { type JsonRecord, Recent } from '../shared/decode';
import { type ContextWindow, createContextWindow } from './context-window';
import { createPlanKeeper, type PlanKeeper } from './plan';

/** One record of the file: parsed, with its place and time. */
export interface ClaudeRecord {
  readonly row: JsonRecord;
  readonly source: Source;
  readonly at: number;
}

export interface PendingCall {
  readonly name: string;
  readonly input: JsonRecord | undefined;
}

/** A result that comes before its call (seen in 2.1.121: lines of parallel calls are not strictly ordered). */
export interface EarlyResult {
  readonly record: ClaudeRecord;
  readonly block: JsonRecord;
}

/** A line whose event is held until the next line shows what it was. */
export interface HeldLine {
  readonly record: ClaudeRecord;
  readonly body: EventBody;
}

/**
 * One chain of conversation: a session. A file has a main chain, and one for each sub-agent whose lines are in the same file (versions before 2.0
 * wrote them there).
 */
export interface Chain {
  readonly session: string;
  readonly parent: string | undefined;
  /** True for a sub-agent: its answer ends it. */
  readonly sub: boolean;
  readonly facts: KnownFacts;
  /** The session from which this one was forked, and whether an event reported it. */
  fork: { readonly from: string; emitted: boolean } | null;
  /** State of the search for a sub-agent's title and role: lines at which they were looked for, and whether the search is over. */
  readonly naming: { attempts: number; done: boolean };
  turn: 'none' | 'open' | 'closed';
  lastEnd: TurnEndReason | null;
  /** The end of the session was emitted, and nothing came after it. */
  ended: boolean;
  /** The message whose end closed the turn: its further blocks do not open a new one. */
  closedBy: string | undefined;
  /** The answer that was reported as cut off. */
  cutOff: string | undefined;
  prompted: boolean;
  /** The newest answer: the id of its message, its request, and how many requests in a row were answered with this id. */
  answer: { readonly id: string; readonly request: string; readonly nth: number } | null;
  readonly calls: PairedCalls<PendingCall, EarlyResult>;
  /** Output tokens already emitted, by message id: each block of an answer repeats or completes the counts of the whole answer. */
  readonly counted: Recent<string, number>;
  readonly window: ContextWindow;
  readonly plan: PlanKeeper;
  /** A compaction boundary whose summary comes a few lines later. */
  compaction: HeldLine | null;
  /** A slash command that the CLI itself may answer. */
  command: HeldLine | null;
  /** Calls without an id, oldest first (trimmed files): the next result without one answers them. */
  readonly nameless: string[];
}

/** Limits for calls that run at the same time, and for results that wait for their call: real files have a handful. */
const LIMITS = { open: 500, done: 500, early: 20 };
const COUNTED = 100;

export function createChain(
  session: string,
  parent: string | undefined,
  sub: boolean,
  plan?: readonly PlanItem[],
): Chain {
  return {
    session,
    parent,
    sub,
    facts: new KnownFacts(),
    fork: null,
    naming: { attempts: 0, done: false },
    turn: 'none',
    lastEnd: null,
    ended: false,
    closedBy: undefined,
    cutOff: undefined,
    prompted: false,
    answer: null,
    calls: new PairedCalls(LIMITS),
    counted: new Recent(COUNTED),
    window: createContextWindow(),
    plan: createPlanKeeper(plan),
    compaction: null,
    command: null,
    nameless: [],
  };
}

/** Services for the readers of individual line types: the receivers of events and problems, and the chain of a line. */
export interface ChainEmitter {
  emit(chain: Chain, record: ClaudeRecord, body: EventBody): void;
  problem(record: ClaudeRecord, why: string): void;
  /** Reports a block of an unknown type, or a line with an unknown `subtype`. */
  unread(record: ClaudeRecord, part: JsonRecord, what?: 'block' | 'subtype'): void;
  /** Emits once for each of Unstuck's messages marked in this text that the message was taken. */
  marks(chain: Chain, record: ClaudeRecord, text: string): void;
  readonly side: SideCalls;
}

/** The calls that started sub-agents, so that a sub-agent's lines in the same file get its title, and end with the call's result. */
export interface SideCalls {
  started(id: string, input: JsonRecord | undefined): void;
  ended(id: string, record: ClaudeRecord): void;
}

/** Opens the turn when activity shows that it continues (a hook sent the agent on without writing a line of its own). */
export function continueTurn(emitter: ChainEmitter, chain: Chain, record: ClaudeRecord, message?: string): void {
  if (chain.turn === 'open' || (message !== undefined && message === chain.closedBy)) return;
  if (chain.turn === 'closed') emitter.emit(chain, record, { type: 'turn_start' });
  chain.turn = 'open';
}

export function endTurn(
  emitter: ChainEmitter,
  chain: Chain,
  record: ClaudeRecord,
  reason: TurnEndReason,
  message?: string,
): void {
  if (chain.turn === 'closed') return;
  chain.turn = 'closed';
  chain.lastEnd = reason;
  chain.closedBy = message;
  emitter.emit(chain, record, { type: 'turn_end', reason });
  if (chain.sub && reason !== 'interrupted') {
    emitter.emit(chain, record, { type: 'session_end', reason: reason === 'error' ? 'error' : 'clean' });
  }
}

/** Emits the held events, as the next line did not cancel them. */
export function flushHeld(emitter: ChainEmitter, chain: Chain): void {
  const { compaction, command } = chain;
  chain.compaction = null;
  chain.command = null;
  if (compaction) emitter.emit(chain, compaction.record, compaction.body);
  if (command) {
    emitter.emit(chain, command.record, command.body);
    chain.turn = 'open';
    chain.prompted = true;
  }
}
