import type { RecordPlace, ReadResult, ToolResult } from '../shared/conversation';
import { hashOf } from '../../base/util/hash';
import { asRecord, asText, malformed, Recent } from '../shared/decode';
import type { Terminal } from './outcome';
import { readResult } from './outcome';

/** Number of calls remembered per session: facts about older ones come too late to matter. */
const REMEMBERED = 20_000;
/** Number of calls that may wait for their outcome at a time. A desktop that saves its log once a minute has a few dozen. */
const MOST_OPEN = 500;

/** One call, with everything that any of the files says about it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly session: string;
  readonly batch: string | undefined;
  /** Place of the call, later of its end. */
  place: RecordPlace;
  /** True once the agent has continued after it, or the tool has reported its end. */
  isOver: boolean;
  /** True if the tool threw. */
  threw: boolean;
}

/** Facts about the end of a call. */
export interface KnownEnd {
  /** Text that the model received. */
  text?: string;
  terminal?: Terminal;
  /** Time by which the end was known, in milliseconds since the epoch. */
  at?: number | undefined;
  /** True if no part of the terminal will follow. */
  isPassed?: boolean;
  asked?: boolean;
}

/**
 * The calls of a session in their order, with their results from the first source that has them. Results are reported in the order of the calls: once
 * a later call's outcome is known, a call without one is reported as unknown, and its own result comes late.
 */
export class CallBook {
  readonly all = new Recent<string, Call>(REMEMBERED);
  private readonly known = new Recent<string, KnownEnd>(REMEMBERED);
  private open: Call[] = [];
  /** True if facts may have come since late outcomes were last looked for. */
  private isNew = false;
  /** Exit codes by command and text: a hook receives only the text, and the same text of the same command is taken to have ended as before. */
  private readonly exits = new Recent<string, number>(500);
  /**
   * Texts of commands that were reported without their exit code, which comes with the log, seconds later. The same text, reported first as a success
   * and then as a failure, would be two outcomes, and a loop would be counted from the start again at each save of the log.
   */
  private readonly withoutExit = new Recent<string, true>(500);
  /** Calls reported as unknown, whose results have not been reported yet. */
  private readonly unknown = new Recent<string, Call>(REMEMBERED);

  /** @param answered receives a result */
  constructor(private readonly answered: (call: Call, result: ToolResult, added: string) => void) {}

  add(call: Call): void {
    this.all.set(call.id, call);
    this.open.push(call);
    // The result of the oldest stays unknown: coverage shows it.
    if (this.open.length > MOST_OPEN) this.open.shift();
  }

  knownOf(id: string): KnownEnd {
    this.isNew = true;
    let known = this.known.get(id);
    if (!known) {
      known = {};
      this.known.set(id, known);
    }
    return known;
  }

  /** Takes the log's facts about a command, even if its result was already reported without its exit code. */
  learn(terminal: Terminal): void {
    const { command, output, exitCode } = terminal;
    if (command === undefined || output === undefined || exitCode === undefined || exitCode < 0) return;
    this.exits.set(exitKey(command, readResult(output).result.output), exitCode);
  }

  get openCalls(): readonly Call[] {
    return this.open;
  }

  /** Marks the calls of a session as over: the model continued, or its turn ended. */
  over(session: string | null): void {
    for (const call of this.open) if (session === null || call.session === session) call.isOver = true;
  }

  /** Reports the known results of calls that are over. `all`: also those of calls that are not yet marked as over. */
  settle(all: boolean): void {
    for (const session of new Set(this.open.map((call) => call.session))) this.settleOf(session, all);
    if (!this.isNew) return;
    this.isNew = false;
    for (const call of this.unknown.values()) {
      const full = this.resultOf(call);
      if (!full) continue;
      this.unknown.delete(call.id);
      this.known.delete(call.id);
      this.answered(call, { ...full.result, outcome: 'late' }, full.added);
    }
  }

  /** Ends a session at this time: unknown results of its calls stay unknown. `interrupted`: a person stopped it. */
  close(session: string | null, interrupted: boolean, at?: number): void {
    for (const call of this.open) {
      if (at !== undefined && !call.isOver && at > call.place.at) call.place = { ...call.place, at };
    }
    this.over(session);
    this.settle(true);
    for (const call of this.open.filter((one) => session === null || one.session === session)) {
      this.remove(call);
      const { asked } = this.known.get(call.id) ?? {};
      // No more facts will come; a call that was requested but never ran is not a step.
      this.answered(
        call,
        {
          ...NOTHING,
          isError: call.threw,
          outcome: 'unknown',
          ...(interrupted && asked !== undefined && { interrupted }),
        },
        '',
      );
      this.unknown.set(call.id, call);
    }
  }

  private settleOf(session: string, all: boolean): void {
    for (;;) {
      const own = this.open.filter((call) => call.session === session && (all || call.isOver));
      const [first] = own;
      if (!first) return;
      // Calls of one answer may be answered in any order.
      const now = own.filter((call) => call === first || (call.batch !== undefined && call.batch === first.batch));
      const ready = now.filter((call) => this.resultOf(call));
      for (const call of ready) {
        const full = this.resultOf(call);
        this.remove(call);
        const { at = 0 } = this.known.get(call.id) ?? {};
        if (!call.isOver && at > call.place.at) call.place = { ...call.place, at };
        if (full) {
          const key = exitKeyOf(call, full.result.output);
          if (key !== undefined && full.result.exitCode === undefined) this.withoutExit.set(key, true);
          this.answered(call, full.result, full.added);
        }
        this.known.delete(call.id);
      }
      if (ready.length > 0) continue;
      if (!own.some((call) => !now.includes(call) && this.resultOf(call))) return;
      this.remove(first);
      this.unknown.set(first.id, first);
      this.answered(first, { ...NOTHING, isError: first.threw, outcome: 'unknown' }, '');
    }
  }

  /** Returns a result with its exit code, from any source that has it. */
  private withExit(call: Call, text: string, exitCode?: number): ReadResult {
    const key = exitKeyOf(call, readResult(text).result.output);
    const code = exitCode ?? (key === undefined ? undefined : this.exits.get(key));
    const { added, result } = readResult(text, code);
    const isLate = code !== undefined && key !== undefined && this.withoutExit.has(key);
    return { added, result: isLate ? { ...result, exitCodeLate: true } : result };
  }

  private remove(call: Call): void {
    this.open = this.open.filter((one) => one !== call);
  }

  /** Returns the complete outcome of a call; undefined while part of it is unknown. */
  private resultOf(call: Call): { readonly result: ToolResult; readonly added: string } | undefined {
    const known = this.known.get(call.id);
    if (!known) return undefined;
    const { terminal, text } = known;
    const printed = terminal?.output ?? (known.isPassed && terminal?.exitCode !== undefined ? '' : undefined);
    // A command that ended on its own is reported with the terminal's text, which is there at once; any other with the text that the model received.
    if (terminal?.exitCode !== undefined && terminal.exitCode >= 0 && printed !== undefined) {
      const said = text === undefined ? undefined : readResult(text);
      const { result } = this.withExit(call, printed, terminal.exitCode);
      const { durationMs } = terminal;
      return { result: { ...result, ...(durationMs !== undefined && { durationMs }) }, added: said?.added ?? '' };
    }
    // Without shell integration the terminal does not know how the command ended: the outcome is that it did, and what it printed.
    const words =
      text ?? (terminal?.exitCode === undefined && terminal?.durationMs !== undefined ? printed : undefined);
    if (words === undefined) return undefined;
    const { result, added } = this.withExit(call, words);
    const empty = Object.keys(Object(call.args)).length === 0;
    // Arguments that are not JSON arrive as empty ones.
    if (empty && call.threw && result.isError && !result.validation) {
      return { result: { ...result, ...malformed('unparsable', result.output, 'arguments in JSON') }, added };
    }
    return { result: { ...result, isError: result.isError || call.threw }, added };
  }
}

const NOTHING = { output: '' };

function exitKeyOf(call: Call, output: string): string | undefined {
  const command = asText(asRecord(call.args)?.['command']);
  return call.name === 'run_in_terminal' && command !== undefined ? exitKey(command, output) : undefined;
}

function exitKey(command: string, output: string): string {
  return `${hashOf(command)} ${hashOf(output)}`;
}
