import type { AgentEvent, ClearingReason, DetectorOptions, Sample } from '../model';
import { type Alert, EvidenceRows, countedConfidence, createAlert } from './alert';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from './detector';
import { addsSomething } from './go-on';
import { ignoredRanges, maskedFingerprint } from './mask';
import { type Message, createMessageAssembler } from './messages';
import { createNearMissLog } from './near-misses';

/** Characters of a message that are kept for the comparison of first and last. */
const SAMPLE = 2048;
/** How sure a run of messages that differ is: it may be an answer in parts. */
const GUESS = 0.4;

/**
 * Messages of the agent in a row without a tool call, in one turn or over turns whose user message adds nothing (PROTOCOLS.md section
 * 5, `monologue`; source: seed stuck-detection).
 *
 * Equal messages are counted; messages that differ are a guess and warn at most. A message that was meant as a call but could not be
 * read is `validation_failure`'s.
 */
export const monologue: DetectorDefinition = { id: 'monologue', create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = createAlert({ detector: 'monologue', reason: 'no_action' }, sink);
  const near = createNearMissLog('monologue', null, sink);
  const assemble = createMessageAssembler();
  const rows = new EvidenceRows();
  /** Fingerprints of the newest messages of the run, at most `window`. */
  const texts: number[] = [];
  let first: Sample | undefined;
  let tokensAtFirst = 0;
  let turns = 1;
  let turnEnded = false;

  const reset = (): void => {
    rows.clear();
    texts.length = 0;
    first = undefined;
    turns = 1;
    turnEnded = false;
  };

  const end = (reason: ClearingReason, event: AgentEvent, context: DetectContext): void => {
    if (rows.total > 0 && rows.last) {
      const held = reason === 'tool_call' ? 'A tool call followed' : undefined;
      near.reached(context, rows.last.subject, rows.total, options.stuck, event.at, event.source, held);
    }
    alert.clear(reason, event.at, event.source, context);
    reset();
  };

  const said = (message: Message, context: DetectContext): void => {
    if (turnEnded) {
      turns++;
      turnEnded = false;
    }
    if (rows.total === 0) tokensAtFirst = context.totalTokens;
    rows.add({ source: message.source, at: message.at, subject: message.text, text: 'no tool call' });
    texts.push(maskedFingerprint(message.text, true));
    if (texts.length > options.window) texts.shift();
    first ??= sample(message);
    const newest = texts.at(-1);
    const same = texts.filter((text) => text === newest).length;
    near.reached(context, rows.last?.subject ?? '', rows.total, options.stuck, message.at, message.source);
    if (rows.total >= options.warn) tell(alert, message, same, context);
  };

  const tell = (to: Alert, message: Message, same: number, context: DetectContext): void => {
    const { first: start } = rows;
    if (!start) return;
    const isCounted = same >= options.warn;
    const where = turns > 1 ? `in ${turns} turns that only asked it to go on` : 'while its turn goes on';
    to.raise(
      {
        level: same >= options.stuck ? 'stuck' : 'warn',
        certainty: isCounted ? 'counted' : 'guessed',
        confidence: isCounted ? countedConfidence(same, options.warn, options.stuck) : GUESS,
        count: rows.total,
        limit: options.stuck,
        at: message.at,
        source: message.source,
        firstAt: start.at,
        first: start.source,
        evidence: rows.rows(),
        subject: message.text,
        why: isCounted
          ? `${rows.total} messages in a row without a tool call, ${where}. ${same === rows.total ? 'All of them' : `${same} of them`} say the same.`
          : `${rows.total} messages in a row without a tool call, ${where}.`,
        suggestion: 'Ask it for one concrete action: a tool call that moves the task on, or a question to you.',
        clears: ['a tool call', 'a message of yours that says more than to go on', 'the end of the turn or session'],
        tokensAtFirst,
        ...(isCounted && first && { firstSample: first, lastSample: sample(message) }),
      },
      context,
    );
  };

  return {
    id: 'monologue',
    onEvent(event, context) {
      const message = assemble(event);
      if (message) said(message, context);
      switch (event.type) {
        case 'tool_call':
        case 'plan':
        case 'completion':
          if (rows.total > 0) end('tool_call', event, context);
          break;
        case 'user':
          if (rows.total > 0 && addsSomething(event)) end('user_message', event, context);
          else turnEnded = rows.total > 0;
          break;
        case 'error':
          // the message before it was meant as a call
          if (event.kind === 'validation' && rows.total > 0) end('tool_call', event, context);
          break;
        case 'turn_end':
          turnEnded = rows.total > 0;
          // over turns it is the turns that repeat, and their end changes nothing
          if (turns === 1) alert.clear('turn_end', event.at, event.source, context);
          break;
        case 'session_end':
          end('session_end', event, context);
          break;
        default:
      }
    },
  };
}

function sample({ text, at, source }: Message): Sample {
  const kept = text.length <= SAMPLE ? text : `${text.slice(0, SAMPLE)}…`;
  // joined and cut again it is a string of its own, not a slice of the transcript
  const copy = ` ${kept}`.slice(1);
  return { source, at, text: copy, ignored: ignoredRanges(copy, true) };
}
