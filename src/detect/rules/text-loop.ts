import type { AgentEvent, ClearingReason, DetectorOptions, Limits, Source } from '../../core/model';
import { textLoop as card } from '../../core/rules/cards/text-loop';
import { limitsOf } from '../../core/rules/limits';
import { PERSON } from '../../core/rules/common';
import { Alert } from '../session/alert';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import { addsSomething, asksFor } from '../session/prompts';
import { NearMissLog } from '../session/near-misses';
import { snippetLine } from '../sayings/snippet';
import { isProse, periodAtEnd, sentencesIn } from '../sayings/text-period';

/** Number of characters at the end of the text that are inspected: the longest period, five times. */
const TAIL = 4096;
/** Length below which a period is short: rulers and lists legitimately repeat such pieces. */
const SHORT = 20;
/** Characters between two checks of a streamed message. */
const CHECK_EVERY = 200;
/** Repeats that the loop checks of Gemini CLI and Qwen Code count before they report (10 equal pieces of 50 characters). */
const VENDOR_REPEATS = 10;
/** Number of repeats from which a text counts as a near miss. */
const NEAR = 3;
/** Words for a repeated text in those checks. */
const VENDOR_TEXT = /repeat\w{0,12}\s+content|chant/i;

/** Start of a message in the run. */
interface Start {
  /** Number of characters of the run before it. */
  readonly offset: number;
  readonly at: number;
  readonly source: Source;
}

/**
 * Detects one piece of text repeated several times, within a message or across messages with no call in between.
 *
 * Code that is still being written, tables and rulers do not count, and whole messages that are equal belong to `monologue`. If the agent's own loop
 * check saw the repeats but did not write the text down, its mark counts.
 */
export const textLoop: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const near = new NearMissLog(card.id, null, sink);
  /** The newest characters of the run, at most twice `TAIL`. */
  let text = '';
  let written = 0;
  let checked = 0;
  let inMessage = false;
  let inFence = false;
  let starts: Start[] = [];
  /** The reported period, and its length in characters. */
  let period = 0;
  let length = 0;
  let tokensAtFirst = 0;

  const reset = (): void => {
    text = '';
    written = checked = period = length = 0;
    inMessage = inFence = false;
    starts = [];
  };

  const end = (reason: ClearingReason, event: AgentEvent, context: DetectContext): void => {
    alert.clear(reason, event.at, event.source, context);
    if (starts.length > 0) reset();
  };

  const limitsFor = (of: number): Limits => (of < SHORT ? limitsOf(card.shapes.short, options) : options);

  const append = (piece: string): void => {
    text = text.length + piece.length > TAIL * 2 ? `${text}${piece}`.slice(-TAIL) : text + piece;
    written += piece.length;
    for (let at = piece.indexOf('```'); at >= 0; at = piece.indexOf('```', at + 3)) inFence = !inFence;
  };

  const look = (event: AgentEvent, context: DetectContext): void => {
    const grown = written - checked;
    checked = written;
    if (inFence || grown === 0) return;
    const tail = text.slice(-TAIL).trimEnd();
    const found = periodAtEnd(tail, (of) => limitsFor(of).warn) ?? periodAtEnd(tail, () => NEAR);
    const start = starts.at(-1);
    const repeated = found ? tail.slice(-found.period) : '';
    // a repeated whole message belongs to the rule for talk without action
    if (!found || !start || !isProse(repeated) || found.period >= written - start.offset) {
      period = length = 0;
      alert.clear('new_text', event.at, event.source, context);
      return;
    }
    // the part that is no longer in the tail still counts as long as the same text continues
    const continues = found.period === period && found.length >= Math.min(tail.length, grown + found.period);
    length = continues ? Math.max(length + grown, found.length) : found.length;
    period = found.period;
    report(Math.floor(length / period), repeated, event, context);
  };

  const report = (count: number, repeated: string, event: AgentEvent, context: DetectContext): void => {
    const said = snippetLine(repeated, 120);
    const { warn, stuck } = limitsFor(period);
    near.reached(context, said, count, stuck, event.at, event.source);
    if (count < warn) return;
    const rows = starts.filter(
      ({ offset }, index) => (starts[index + 1]?.offset ?? written) > written - length && offset < written,
    );
    const [first] = rows;
    if (!first) return;
    const sentences = sentencesIn(repeated);
    alert.raise(
      {
        // A person who requested many repeats gets them.
        level: count >= stuck && !asksFor(context.prompt, repeated) ? 'stuck' : 'warn',
        count,
        limit: stuck,
        at: event.at,
        source: event.source,
        firstAt: first.at,
        first: first.source,
        evidence: rows.map(({ source, at }, index) => ({
          source,
          at,
          role: index === 0 ? 'first' : 'repeat',
          subject: said,
          text: `${count} times in ${rows.length === 1 ? 'this message' : `${rows.length} messages`}`,
        })),
        subject: said,
        why: `The same ${sentences === 1 ? 'sentence' : `${sentences} sentences`} came ${count} times: ${said}`,
        suggestion: 'Stop the message, and ask for one concrete action with a tool, or a question to you.',
        clears: ['new text or a tool call', PERSON],
        tokensAtFirst,
      },
      context,
    );
  };

  const vendor = (message: string, event: AgentEvent, context: DetectContext): void => {
    const said = snippetLine(message, 160);
    near.reached(context, said, VENDOR_REPEATS, options.stuck, event.at, event.source);
    if (VENDOR_REPEATS < options.warn) return;
    alert.raise(
      {
        level: VENDOR_REPEATS >= options.stuck && !asksFor(context.prompt, said) ? 'stuck' : 'warn',
        count: VENDOR_REPEATS,
        limit: options.stuck,
        at: event.at,
        source: event.source,
        firstAt: event.at,
        first: event.source,
        evidence: [
          { source: event.source, at: event.at, role: 'first', subject: said, text: 'reported by the agent itself' },
        ],
        subject: said,
        why: `The agent's own loop check counted the same text at least ${VENDOR_REPEATS} times: ${said}`,
        suggestion: 'Ask for one concrete action with a tool, or a question to you.',
        clears: ['new text or a tool call', PERSON],
      },
      context,
    );
    reset();
  };

  return {
    onEvent(event, context) {
      switch (event.type) {
        case 'assistant':
          if (!inMessage) {
            if (starts.length === 0) tokensAtFirst = context.totalTokens;
            else append('\n');
            starts.push({ offset: written, at: event.at, source: event.source });
            if (starts.length > options.window) starts.shift();
            // a new message begins outside any code
            inFence = false;
          }
          append(event.text);
          inMessage = event.chunk;
          if (!event.chunk || written - checked >= CHECK_EVERY) look(event, context);
          break;
        case 'usage':
        case 'turn_end':
          if (inMessage) look(event, context);
          inMessage = false;
          break;
        case 'vendor_loop':
          if (VENDOR_TEXT.test(event.message)) vendor(event.message, event, context);
          break;
        case 'tool_call':
          end('tool_call', event, context);
          break;
        case 'user':
          if (addsSomething(event, context)) end('user_message', event, context);
          break;
        case 'session_end':
          end('session_end', event, context);
          break;
        default:
      }
    },
  };
}
