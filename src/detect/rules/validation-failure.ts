import type {
  AgentEvent,
  ClearingReason,
  DetectorOptions,
  Evidence,
  Level,
  Limits,
  Source,
  ToolCallEvent,
  ValidationKind,
} from '../../core/model';
import { validationFailure as card } from '../../core/rules/cards/validation-failure';
import { limitsOf } from '../../core/rules/limits';
import { PERSON } from '../../core/rules/common';
import { EvidenceRows, Alert } from '../session/alert';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { Step } from '../steps/step';
import { NearMissLog } from '../session/near-misses';
import { copied } from '../../base/util/text';
import { snippetLine } from '../sayings/snippet';
import { readable } from '../../base/util/cut';
import { parseJson } from '../../base/util/json';
import { pieceOf } from '../../base/util/piece';
import { addsSomething } from '../session/prompts';
import { errorLine } from '../../base/checks/error-line';
import type { ToolDescription } from '../../base/schema/tool-forms';
import { callProblem } from '../../base/schema/validate';
import { CallsThatNeverFit, type Row } from '../session/calls-that-never-fit';

/** Limit of the tools in a catalogue against which calls are checked. */
const TOOLS = 500;

/** Number of characters that are quoted of an error, and of the expected and the received form. */
const LONGEST_SAMPLE = 1_000;

/** Readable names of the kinds of malformed output. */
const KINDS: Readonly<Record<ValidationKind, string>> = {
  unknown_tool: 'unknown tool',
  invalid_arguments: 'arguments that do not fit',
  unparsable: 'arguments that are not valid JSON',
  invalid_completion: 'a completion signal that is not valid',
  truncated: 'a response that was cut off',
  format: 'a response in the wrong format',
};

interface Malformed {
  readonly kind: ValidationKind;
  readonly error: string;
  readonly expected?: string;
  readonly received?: string;
}

/** The newest malformed output of a row, with the evidence of the first one. */
interface Newest {
  readonly what: Malformed;
  readonly place: Place;
  readonly first: Evidence;
}

/** Position of a malformed output. */
interface Place {
  readonly at: number;
  readonly source: Source;
  readonly end: Source;
  readonly step?: number;
  readonly subject: string;
}

/**
 * Detects malformed outputs in a row: unknown tools, arguments that cannot be read or do not fit, responses in the wrong format. A call that ran and
 * failed is not malformed, and any well-formed call ends the row. Malformed calls of the first message count once. Calls of one tool that never fit
 * are also counted across other calls, with their own limits.
 */
export const validationFailure: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const near = new NearMissLog(card.id, null, sink);
  const rows = new EvidenceRows();
  const apart = new CallsThatNeverFit();
  /** True if the open alert is about calls with others in between. */
  let isOpenApart = false;
  let kinds: ValidationKind[] = [];
  let tools: readonly ToolDescription[] = [];
  let firstMessage = -1;
  /** Program or tool of the newest malformed call. */
  let program: string | number = '';
  /** True if that program ran, but rejected how it was called. */
  let newestMisused = false;
  let newest: Newest | null = null;
  let tokensAtFirst = 0;
  /** The newest message, to which an error about the format refers. */
  let said: { readonly at: number; readonly source: Source; readonly text: string } | null = null;
  /** The newest malformed call while it has no result. */
  let unanswered: ToolCallEvent | null = null;
  /** True if the newest count came from a call: an error right after it refers to the same call. */
  let fromCall = false;

  const end = (reason: ClearingReason, at: number, source: Source, context: DetectContext, held?: string): void => {
    apart.rows.clear();
    isOpenApart = false;
    endRow(at, source, context, held);
    alert.clear(reason, at, source, context);
  };

  const endRow = (at: number, source: Source, context: DetectContext, held?: string): void => {
    if (rows.total === 0) return;
    near.reached(context, rows.last?.subject ?? '', rows.total, limits().stuck, at, source, held);
    rows.clear();
    kinds = [];
    firstMessage = -1;
    newest = null;
    fromCall = false;
  };

  /**
   * Returns the limits of the row. A row of texts in the wrong format has its own: harnesses require formats that models get wrong more often than
   * calls.
   */
  const limits = (): Limits =>
    kinds.every((kind) => kind === 'format') ? limitsOf(card.shapes.text, options) : options;

  const between = (): Limits => limitsOf(card.shapes.between, options);

  const count = (what: Malformed, place: Place, context: DetectContext): Row => {
    if (rows.total === 0) tokensAtFirst = context.totalTokens;
    const row = {
      source: place.source,
      end: place.end,
      at: place.at,
      ...(place.step !== undefined && { step: place.step }),
      subject: place.subject,
      text: snippetLine(`${what.error}${detail(what)}`),
    };
    const first = rows.add(row);
    if (!kinds.includes(what.kind)) kinds.push(what.kind);
    const { stuck } = limits();
    near.reached(context, place.subject, rows.total, stuck, place.at, place.end);
    newest = { what, place, first };
    raise(newest, rows.total >= stuck ? 'stuck' : 'warn', context);
    return row;
  };

  const raise = ({ what, place, first }: Newest, level: Level, context: DetectContext, isApart = false): void => {
    const { warn, stuck } = isApart ? between() : limits();
    const counted = isApart ? apart.rows : rows;
    const found = isApart ? [what.kind] : kinds;
    if (counted.total < warn) return;
    isOpenApart = isApart;
    alert.raise(
      {
        level,
        count: counted.total,
        limit: stuck,
        at: place.at,
        source: place.end,
        firstAt: first.at,
        first: first.source,
        evidence: counted.rows(),
        subject: place.subject,
        why: `${counted.total} malformed calls${isApart ? ' with others between' : ' in a row'}: ${found.map((kind) => KINDS[kind]).join(', ')}. The last: ${snippetLine(what.error, 160)}${what.error.endsWith('.') ? '' : '.'}`,
        suggestion: 'Send one well-formed call: the exact tool name, all required fields, arguments as valid JSON.',
        clears: [isApart ? 'a well-formed call of the same tool' : 'a well-formed call', PERSON],
        // The words for a wrong format of a text are used only while nothing else was wrong.
        situations: what.kind === 'format' && found.length > 1 ? [] : [what.kind],
        lastSample: { source: place.end, at: place.at, text: sampleOf(what), ignored: [] },
        tokensAtFirst,
      },
      context,
    );
  };

  const answerless = (context: DetectContext): void => {
    if (!unanswered) return;
    const { at, source, subject, malformed = '' } = unanswered;
    unanswered = null;
    fromCall = true;
    count({ kind: 'unparsable', error: malformed }, { at, source, end: source, subject }, context);
  };

  const onEvent = (event: AgentEvent, context: DetectContext): void => {
    switch (event.type) {
      case 'session_info':
        if (event.tools) tools = event.tools.slice(0, TOOLS);
        break;
      case 'assistant':
        answerless(context);
        fromCall = false;
        said = { at: event.at, source: event.source, text: event.text.slice(0, 400) };
        break;
      case 'tool_call':
        // The calls of one message are written before their results.
        if (event.batch === undefined || event.batch !== unanswered?.batch) answerless(context);
        fromCall = false;
        if (event.malformed !== undefined) unanswered = event;
        break;
      case 'tool_result':
        if (unanswered?.id === event.id) unanswered = null;
        break;
      case 'error': {
        if (event.kind !== 'validation') break;
        answerless(context);
        if (fromCall) {
          fromCall = false;
          break;
        }
        const { at, source } = said ?? event;
        const subject = said ? snippetLine(said.text, 80) : 'a response';
        count({ kind: 'format', error: event.message }, { at, source, end: event.source, subject }, context);
        said = null;
        break;
      }
      case 'completion': {
        const error = completionError(event.claim);
        if (error === null) break;
        const place = { at: event.at, source: event.source, end: event.source, subject: snippetLine(event.claim, 80) };
        count({ kind: 'invalid_completion', error }, place, context);
        break;
      }
      case 'user':
        if (addsSomething(event, context)) end('user_message', event.at, event.source, context);
        break;
      case 'turn_end':
        answerless(context);
        // The turn ends after a text that could not be read, and the model received no further request: its harness gave up.
        if (!said && newest && kinds.includes('format')) raise(newest, 'stuck', context);
        // a turn that ends with an answer ends well-formed
        if (said) end('turn_end', event.at, event.source, context);
        said = null;
        break;
      case 'session_end':
        answerless(context);
        end('session_end', event.at, event.source, context);
        break;
      default:
    }
  };

  const onStep = (step: Step, context: DetectContext): void => {
    const what = malformedStep(step, tools);
    if (!what) {
      // A look at something else says nothing about a program that rejects how it is called. A model that makes a good call of any tool has found the
      // form again, though: in a real run, a model that twice called a tool it did not have made good calls in between.
      if (newestMisused && step.weight === 'look' && programOf(step) !== program) return;
      const held = `${step.subject} was well-formed`;
      if (apart.isEndedBy(step, programOf(step))) end('well_formed', step.at, step.end, context, held);
      else endRow(step.at, step.end, context, held);
      if (!isOpenApart) alert.clear('well_formed', step.at, step.end, context);
      return;
    }
    said = null;
    fromCall = true;
    // Usage errors of different programs are ordinary failures.
    if (step.misused && newestMisused && rows.total > 0 && programOf(step) !== program)
      end('well_formed', step.at, step.end, context);
    program = programOf(step);
    newestMisused = step.misused;
    // Of the first message with malformed calls only one counts: it is one mistake. From the second message on each call does.
    if (step.message === firstMessage) return;
    if (rows.total === 0) firstMessage = step.message;
    const place = { at: step.at, source: step.source, end: step.end, step: step.index, subject: step.subject };
    const first = apart.add(step, program, count(what, place, context));
    if (rows.total < limits().warn)
      raise({ what, place, first }, apart.rows.total >= between().stuck ? 'stuck' : 'warn', context, true);
  };

  return { onEvent, onStep };
}

/** Returns the program of a command line, or the tool where that is the program. */
function programOf({ call, tool, program }: Step): string | number {
  return call.command === undefined || call.command.startsWith(tool) ? tool : program;
}

function malformedStep(step: Step, tools: readonly ToolDescription[]): Malformed | null {
  const { call, result } = step;
  if (result.validation) return result.validation;
  if (call.malformed !== undefined) return { kind: 'unparsable', error: call.malformed };
  if (step.misused) {
    return { kind: 'invalid_arguments', error: errorLine(result.output) ?? snippetLine(result.output) };
  }
  // a catalogue may be incomplete, so only a call that failed is checked against it
  if (!step.failed || tools.length === 0) return null;
  const found = callProblem(call.name, call.args, tools);
  if (!found) return null;
  const kind = tools.some((tool) => tool.name === call.name) ? 'invalid_arguments' : 'unknown_tool';
  return {
    kind,
    error: found.error ?? '',
    ...(found.expected !== undefined && { expected: found.expected }),
    ...(found.received !== undefined && { received: found.received }),
  };
}

/** Returns the answer to a malformed output, with the expected and the received form. */
function sampleOf({ error, expected, received }: Malformed): string {
  const lines = [error, ...(expected ? [`expected: ${expected}`] : []), ...(received ? [`received: ${received}`] : [])];
  return copied(lines.map((line) => headOf(readable(line))).join('\n'));
}

const headOf = (text: string): string => pieceOf(text, 0, Math.min(text.length, LONGEST_SAMPLE));

function detail({ expected, received }: Malformed): string {
  if (expected === undefined) return '';
  return received === undefined ? ` (expected ${expected})` : ` (expected ${expected}, received ${received})`;
}

/** Returns an error for a claim with JSON that cannot be read: `TASK_COMPLETE {"summary": "do`. */
function completionError(claim: string): string | null {
  const start = claim.search(/[[{]/);
  if (start < 0 || !/^\s*(?:[A-Z][A-Z_]*:?\s*)?$/.test(claim.slice(0, start)) || claim.length > 20_000) return null;
  return parseJson(claim.slice(start)) === undefined ? 'the completion signal is not valid JSON' : null;
}
