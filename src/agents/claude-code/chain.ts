import type { Source, TurnEndReason } from '../../model';
import { type EventBody, type JsonRecord, Recent } from '../shared/decode';
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

/** A result that stands before its call (seen in 2.1.121: lines of parallel calls are not strictly ordered). */
export interface EarlyResult {
  readonly record: ClaudeRecord;
  readonly block: JsonRecord;
}

/** A line that is told only when the next one says what it was. */
export interface HeldLine {
  readonly record: ClaudeRecord;
  readonly body: EventBody;
}

/**
 * One chain of conversation: a session. The main chain of a file, and one for each sub-agent whose lines stand in the same file
 * (versions before 2.0 wrote them there).
 */
export interface Chain {
  readonly session: string;
  readonly parent: string | undefined;
  /** A sub-agent: its answer ends it. */
  readonly sub: boolean;
  /** The facts that were told last; only changes are told again. */
  readonly told: {
    cwd?: string;
    branch?: string;
    version?: string;
    model?: string;
    mode?: 'interactive' | 'print';
    forkedFrom?: string;
    forkTold?: boolean;
    attempts?: number;
    named?: boolean;
  };
  turn: 'none' | 'open' | 'closed';
  lastEnd: TurnEndReason | null;
  /** Its end was told and nothing came after it. */
  ended: boolean;
  /** The message whose end closed the turn: its further blocks do not open a new one. */
  closedBy: string | undefined;
  /** The answer whose cut was told. */
  cutOff: string | undefined;
  prompted: boolean;
  readonly calls: Recent<string, PendingCall>;
  readonly answered: Recent<string, true>;
  readonly early: Recent<string, EarlyResult>;
  /** Output tokens already told, by message id: each block of an answer repeats or completes the counts of the whole. */
  readonly counted: Recent<string, number>;
  readonly window: ContextWindow;
  readonly plan: PlanKeeper;
  /** A boundary whose summary comes a few lines later. */
  compaction: HeldLine | null;
  /** A slash command that may be answered by the CLI itself. */
  command: HeldLine | null;
  /** Calls without an id of their own, oldest first (trimmed files): the next result without one answers them. */
  readonly nameless: string[];
}

/** Calls that run at the same time, results that wait for their call: real files have a handful. */
const CALLS = 500;
const EARLY = 20;
const COUNTED = 100;

export function createChain(session: string, parent: string | undefined, sub: boolean): Chain {
  return {
    session,
    parent,
    sub,
    told: {},
    turn: 'none',
    lastEnd: null,
    ended: false,
    closedBy: undefined,
    cutOff: undefined,
    prompted: false,
    calls: new Recent(CALLS),
    answered: new Recent(CALLS),
    early: new Recent(EARLY),
    counted: new Recent(COUNTED),
    window: createContextWindow(),
    plan: createPlanKeeper(),
    compaction: null,
    command: null,
    nameless: [],
  };
}

/** What the readers of single line types need: telling events and problems, and whose line it is. */
export interface Teller {
  tell(chain: Chain, record: ClaudeRecord, body: EventBody): void;
  problem(record: ClaudeRecord, why: string): void;
  /** Tells of messages of ours that this text carries, each once. */
  marks(chain: Chain, record: ClaudeRecord, text: string): void;
  readonly side: SideCalls;
}

/** The calls that started sub-agents, so that a sub-agent's lines in the same file get its title, and end with the call's result. */
export interface SideCalls {
  started(id: string, input: JsonRecord | undefined): void;
  ended(id: string, record: ClaudeRecord): void;
}

/** Opens the turn where activity shows that it goes on (a hook sent the agent on without a line of its own). */
export function goOn(teller: Teller, chain: Chain, record: ClaudeRecord, message?: string): void {
  if (chain.turn === 'open' || (message !== undefined && message === chain.closedBy)) return;
  if (chain.turn === 'closed') teller.tell(chain, record, { type: 'turn_start' });
  chain.turn = 'open';
}

export function endTurn(
  teller: Teller,
  chain: Chain,
  record: ClaudeRecord,
  reason: TurnEndReason,
  message?: string,
): void {
  if (chain.turn === 'closed') return;
  chain.turn = 'closed';
  chain.lastEnd = reason;
  chain.closedBy = message;
  teller.tell(chain, record, { type: 'turn_end', reason });
  if (chain.sub && reason !== 'interrupted') {
    teller.tell(chain, record, { type: 'session_end', reason: reason === 'error' ? 'error' : 'clean' });
  }
}

/** What was held back is told now: the line after it was not what would have explained it away. */
export function flushHeld(teller: Teller, chain: Chain): void {
  const { compaction, command } = chain;
  chain.compaction = null;
  chain.command = null;
  if (compaction) teller.tell(chain, compaction.record, compaction.body);
  if (command) {
    teller.tell(chain, command.record, command.body);
    chain.turn = 'open';
    chain.prompted = true;
  }
}
