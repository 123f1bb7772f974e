import type { AgentEvent, ClearingReason, DetectorOptions, Evidence, Sample, UserEvent } from '../../core/model';
import { monologue as card } from '../../core/rules/cards/monologue';
import { limitsOf } from '../../core/rules/limits';
import { FIRST, Alert } from '../session/alert';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import { addsSomething, asksFor } from '../session/prompts';
import { ignoredRanges, maskedFingerprint } from '../sayings/mask';
import { type Message, createMessageAssembler } from '../session/messages';
import { NearMissLog } from '../session/near-misses';
import { createSentBack } from './sent-back';
import { pieceOf } from '../../base/util/piece';
import { copied } from '../../base/util/text';
import { LINE_LENGTH, snippetLine } from '../sayings/snippet';
import { isSpoken } from '../sayings/spoken';
import { isFromPerson } from '../steps/step-builder';
import { OWN_MARK } from '../steps/weight';

/** Number of characters of a message that are kept for the comparison of first and last. */
const SAMPLE = 2048;
/** A shorter message of one word, such as `Done.`, may be equal by chance. */
const TELLING = 12;
/** Fingerprint and name of an empty answer. */
const EMPTY = 1;
const NOTHING = 'an empty answer';
/** Number of harness texts that are remembered within one run of messages. */
const NEWS = 16;

/**
 * Detects messages of the agent in a row without a tool call (docs/detectors.md#monologue). Equal messages with nothing in between are counted.
 * Messages that differ are only a guess, and so a hint, and only in a turn without any call, in a format that records calls.
 *
 * A message that was meant as a call but could not be read belongs to `validation_failure`. A call that only prints a sentence counts as a message
 * too. A message of the harness that brings news, such as the end of a task, ends the run; one that only urges the agent to continue does not.
 */
export const monologue: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const near = new NearMissLog(card.id, null, sink);
  const sentBack = createSentBack(options, sink);
  const assemble = createMessageAssembler();
  /** The first and the newest messages of the run. Most runs have one message: nothing is computed until there are more. */
  let first: Message[] = [];
  let newest: Message[] = [];
  let count = 0;
  /** The largest number that were equal in a row: it stays valid when something else is said afterwards. */
  let same = 0;
  let sameInARow = 0;
  /** Fingerprint of the newest message, masked; null if not computed yet. */
  let newestText: number | null = null;
  let tokensAtFirst = 0;
  let turns = 1;
  let turnEnded = false;
  /** Messages since the newest prompt of a person: answering each of several questions is not a monologue. */
  let unasked = 0;
  /** True if a call was made since a person last said more than to continue. */
  let acted = false;
  /** Number of calls of the run that only printed a sentence. */
  let spoken = 0;
  /** Texts of harnesses during the run, masked. */
  const heard: number[] = [];

  const end = (reason: ClearingReason, event: AgentEvent, context: DetectContext): void => {
    const last = newest.at(-1);
    if (count > 1 && last) {
      const held = reason === 'tool_call' ? 'A tool call followed' : undefined;
      near.reached(context, snippetLine(last.text), count, options.stuck, event.at, event.source, held);
    }
    alert.clear(reason, event.at, event.source, context);
    first = [];
    newest = [];
    count = unasked = same = sameInARow = 0;
    newestText = null;
    turns = 1;
    turnEnded = false;
    spoken = 0;
  };

  const said = (message: Message, context: DetectContext): void => {
    if (turnEnded) {
      turns++;
      turnEnded = false;
    }
    if (count === 0) tokensAtFirst = context.totalTokens;
    const before = newest.at(-1);
    count++;
    unasked++;
    if (first.length < FIRST) first.push(message);
    newest.push(message);
    if (newest.length > options.window) newest.shift();
    if (before) {
      const text = textOf(message);
      newestText ??= textOf(before);
      sameInARow = text !== 0 && text === newestText ? sameInARow + 1 : 1;
      newestText = text;
    } else sameInARow = 1;
    same = Math.max(same, sameInARow);
    if (count > 1) near.reached(context, snippetLine(message.text), same, options.stuck, message.at, message.source);
    if (sentBack.isOpen() || isFromHook()) return;
    const differs = context.holdsCalls && !acted && unasked >= limitsOf(card.shapes.differing, options).warn;
    if (same >= options.warn || differs) report(message, context);
  };

  /** Returns whether the agent repeats itself because a hook sends it back each time: the streak is then the hook's, which a person can fix. */
  const isFromHook = (): boolean => sameInARow > 1 && sameInARow <= sentBack.blocks() + 1;

  /** Returns whether a message that was not written by a person brings something new. */
  const isNews = (event: UserEvent): boolean => {
    if (event.text.includes(OWN_MARK)) return false;
    const text = maskedFingerprint(event.text, true);
    if (heard.includes(text)) return false;
    heard.push(text);
    if (heard.length > NEWS) heard.shift();
    return true;
  };

  const report = (message: Message, context: DetectContext): void => {
    const [start] = first;
    if (!start) return;
    const isCounted = same >= options.warn;
    const where = turns > 1 ? `in ${turns} turns that only told it to continue` : 'within one turn';
    const alike = same === count ? 'All of them' : `${same} of them`;
    const calls = spoken === 0 ? 'a tool call' : 'a tool call that does more than print a sentence';
    alert.raise(
      {
        level: same >= options.stuck && !asksFor(context.prompt, message.text) ? 'stuck' : 'warn',
        certainty: isCounted ? 'counted' : 'guessed',
        count,
        limit: options.stuck,
        at: message.at,
        source: message.source,
        firstAt: start.at,
        first: start.source,
        evidence: rows(first, newest, count, spoken > 0 ? 'no action' : 'no tool call'),
        subject: message.text.trim() || NOTHING,
        why: `${count} messages in a row without ${calls}, ${where}.${isCounted ? ` ${alike} say the same.` : ''}`,
        suggestion: 'Ask for one concrete action: a tool call that advances the task, or a question to you.',
        clears: ['a tool call', 'a message from you that says more than to continue', 'the end of the turn or session'],
        tokensAtFirst,
        ...(isCounted && { firstSample: sample(start), lastSample: sample(message) }),
      },
      context,
    );
  };

  return {
    onEvent(event, context) {
      sentBack.take(event, context, alert.isOpen && same >= options.warn);
      // The hook takes it over: the same incident stays open.
      if (sentBack.isOpen() && sentBack.blocks() > 0) alert.clear('turn_end', event.at, event.source, context);
      const message = assemble(event);
      if (message) said(message, context);
      if (event.type === 'user' && isFromPerson(event) && asksMore(event.text)) unasked = 0;
      if (event.type === 'tool_call' && !isSpoken(event)) acted = true;
      else if (addsSomething(event, context)) acted = false;
      if (count === 0) {
        // what a harness says before the first message of a run counts as known afterwards
        if (event.type === 'user' && event.automated) isNews(event);
        return;
      }
      switch (event.type) {
        case 'tool_call':
          if (isSpoken(event)) spoken++;
          else end('tool_call', event, context);
          break;
        case 'plan':
        case 'completion':
          end('tool_call', event, context);
          break;
        case 'user':
          if (addsSomething(event, context) || (event.automated && isNews(event))) end('user_message', event, context);
          else turnEnded = true;
          break;
        case 'error':
          // the message before it was meant as a call
          if (event.kind === 'validation') end('tool_call', event, context);
          break;
        case 'turn_end':
          turnEnded = true;
          // across turns it is the turns that repeat, and their end changes nothing
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

/** Characters of scripts without spaces between words; two of them make about one word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Returns whether a prompt requests an answer: it does if it has more than three words, or a question. A shorter one urges the agent to continue. */
function asksMore(text: string): boolean {
  const words = text.trim().split(/\s+/, 4).length;
  if (words > 3 || /[?？]/.test(text)) return true;
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  return words + Math.floor(unspaced / 2) > 3;
}

/** Returns the fingerprint of a message; 0 where it is too short to compare. All empty answers are equal. */
function textOf({ text }: Message): number {
  if (text.trim() === '') return EMPTY;
  return isTelling(text) ? maskedFingerprint(text, true) || 1 : 0;
}

/** True for at least twelve characters or two words. */
function isTelling(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length >= TELLING || /\S\s+\S/.test(trimmed);
}

/** Returns the first and the newest of `count` messages, none of them twice. */
function rows(first: readonly Message[], newest: readonly Message[], count: number, text: string): Evidence[] {
  const shown = [...first, ...newest.slice(Math.max(0, newest.length - (count - first.length)))];
  return shown.map((message, index) => ({
    source: message.source,
    at: message.at,
    role: index === 0 ? 'first' : 'repeat',
    subject: snippetLine(message.text, LINE_LENGTH) || NOTHING,
    text,
  }));
}

function sample({ text, at, source }: Message): Sample {
  const kept = text.length <= SAMPLE ? text : `${pieceOf(text, 0, SAMPLE)}…`;
  const copy = copied(kept);
  return { source, at, text: copy, ignored: ignoredRanges(copy, true) };
}
