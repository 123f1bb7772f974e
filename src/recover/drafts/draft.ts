import { type Incident, repeatsIn } from '../../core/model';
import { errorLine } from '../../base/checks/error-line';
import { ruleWords } from '../../core/rules';
import { type NudgeWords, textFor } from '../../core/rules/card';
import { fill } from '../../core/words/fill';
import { age } from '../../core/words/format';
import { SENDER } from '../../core/words/messages/handed-task';
import { fenced, fencedLines } from '../quote';
import { type SeenBefore, seenBeforeText } from '../seen-before';
import { failedWaysOf, priorAttempts, retryContext } from './retry-context';

export interface DraftOptions {
  /** Sent by automatic mode, not by a person. */
  readonly automatic: boolean;
  /** Current time, milliseconds since the epoch. */
  readonly now: number;
  /** Open items of the agent's own plan that do not depend on the one it is stuck on. */
  readonly otherItems?: readonly string[];
  /** Notes about incidents like this one. */
  readonly before?: SeenBefore;
  /** The next smaller step of its plan, if the work is to be split. */
  readonly smallerStep?: string;
  /** Incidents of this session and of its forks, whose earlier attempts are listed too. Absent: this one alone. */
  readonly related?: readonly Incident[];
}

/** The stuck agent from the reader's view: the reader itself, or the agent whose work it takes over. */
export type Whose = 'own' | 'other';

const NAMES: Readonly<Record<Whose, Readonly<Record<'You' | 'you', string>>>> = {
  own: { You: 'You', you: 'you' },
  other: { You: 'It', you: 'it' },
};

const PERSON = `${SENDER}wrote this; a person sent it.`;
const AUTOMATIC = `${SENDER}wrote and sent this.`;
/** The last line of every text: it must do no harm if the rule was wrong. */
export const HARMLESS = 'If nothing is failing any more, ignore this.';

/** Limit for the quoted steps of a round, errors of a row of failures, and actions in between. */
const MOST_STEPS = 6;
const MOST_ERRORS = 5;
const MOST_BETWEEN = 4;
const MOST_ITEMS = 5;
/** A shorter time since the first repeat says nothing. */
const MINUTE = 60_000;

/** Returns the first line of every text: who wrote it, and who sent it. */
export function senderLine(automatic: boolean): string {
  return automatic ? AUTOMATIC : PERSON;
}

/**
 * Drafts a nudge from the evidence: the sender, one concrete step, the count, then the repeated call and its last result, and that it may be ignored.
 * It contains no orders that end work. Text of the transcript appears only in fences, redacted and cut: an agent would take a sentence in a message
 * for the watcher's, and text from a web page or a file could give it orders.
 */
export function draftNudge(incident: Incident, options: DraftOptions): string {
  return paragraphs(
    senderLine(options.automatic),
    options.smallerStep === undefined ? stepText(incident) : splitStep(options.smallerStep),
    countedText(incident, options.now),
    evidenceText(incident),
    seenBeforeText(options.before),
    otherItemsText(options.otherItems),
    earlier(incident, options.related ?? [incident]),
    HARMLESS,
  );
}

/** Joins texts one below the other, without the empty ones. */
export function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Words one concrete step for each rule, such that it does no harm if the rule was wrong. */
export function stepText(incident: Incident): string {
  return textFor(wordsFor(incident).step, incident.situations ?? []);
}

/** Words the count, and the time since the first repeat. */
export function countedText(incident: Incident, now: number, whose: Whose = 'own'): string {
  const since = now - incident.firstAt;
  const time = age(since);
  const within = since >= MINUTE ? ` in the last ${time}` : '';
  const text = textFor(wordsFor(incident).counted, incident.situations ?? []);
  return fill(text, { count: incident.count, time, within, ...NAMES[whose] });
}

/** Words the evidence: the repeated call, the values that moved, the steps in between, and the last result. */
export function evidenceText(incident: Incident): string {
  return paragraphs(
    callText(incident),
    movedText(incident),
    betweenText(incident),
    resultText(incident),
    spillText(incident),
  );
}

/** Returns the call in question, as it is in the transcript; for a round, all of its steps. */
export function callText(incident: Incident): string {
  const { call } = wordsFor(incident);
  const round = incident.detector === 'cycle' || incident.detector === 'action_error_alternation';
  const steps = round ? (incident.pattern ?? []).map(({ subject }) => subject) : [];
  const quoted = steps.length > 1 ? steps.slice(0, MOST_STEPS) : [incident.subject];
  return call === undefined || quoted.join('').trim() === '' ? '' : `${call}\n${fencedLines(quoted)}`;
}

/** Returns the last result, as the agent saw it, at most 12 lines around the one that names the error; or the different errors. */
export function resultText(incident: Incident): string {
  const { result, quotesErrors } = wordsFor(incident);
  if (result === undefined) return '';
  if (quotesErrors) {
    const errors = [...new Set(repeatsIn(incident.evidence).map(({ text }) => text))].filter(
      (text) => text.trim() !== '',
    );
    return errors.length === 0 ? '' : `${result}\n${fencedLines(errors.slice(-MOST_ERRORS))}`;
  }
  const text = incident.lastSample?.text ?? repeatsIn(incident.evidence).at(-1)?.text ?? '';
  return text.trim() === '' ? '' : `${result}\n${fenced(text, { around: errorLine })}`;
}

function movedText({ moved }: Incident): string {
  return moved === undefined || moved.length === 0
    ? ''
    : `The value, from the first run to the last:\n${fencedLines([moved.join(', ')])}`;
}

/** Lists the agent's actions between the repeats. */
function betweenText(incident: Incident): string {
  const { between } = wordsFor(incident);
  const distinct = [
    ...new Set(incident.evidence.filter(({ role }) => role === 'between').map(({ subject }) => subject)),
  ];
  return between === undefined || distinct.length === 0
    ? ''
    : `${between}\n${fencedLines(distinct.slice(-MOST_BETWEEN))}`;
}

/** Words the place of the full text of a result that was too large to be read. */
function spillText({ spills }: Incident): string {
  return spills === undefined || spills.length === 0
    ? ''
    : `Its full text, kept for a few hours:\n${fencedLines(spills.map(({ file }) => file))}`;
}

/** Words the plan items that can continue meanwhile. */
export function otherItemsText(items: readonly string[] | undefined): string {
  if (!items || items.length === 0) return '';
  return `Items of your plan that do not depend on this:\n${fencedLines(items.slice(0, MOST_ITEMS))}`;
}

/** Returns the retry context: every earlier attempt with its result. A first message has none, and lists nothing as failed. */
function earlier(incident: Incident, related: readonly Incident[]): string {
  const prior = priorAttempts(related);
  return prior.length === 0 ? '' : retryContext(prior, failedWaysOf([incident]), incident.session);
}

function splitStep(step: string): string {
  return `Take a smaller step of your own plan first:\n${fencedLines([step])}\nFinish it and check it before you come back to this.`;
}

function wordsFor({ detector, rule, subject }: Incident): NudgeWords {
  return ruleWords(detector, rule, subject).nudge;
}
