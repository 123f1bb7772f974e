import type { Evidence, Incident } from '../model';
import { cardOf } from '../rules';
import { fill } from '../words/fill';
import { madeAttempts } from './attempts';
import { countedSentence } from './counted';
import { fenced, fencedLines } from './quote';
import { failedWaysOf, priorAttempts, retryContext } from './retry-context';

export interface DraftOptions {
  /** Sent by automatic mode, not by a person. */
  readonly automatic: boolean;
  /** Current time, milliseconds since the epoch. */
  readonly now: number;
  /** Open items of the agent's own plan that do not depend on the one it is stuck on. */
  readonly otherItems?: readonly string[];
  /** The next smaller step of its plan, where the work is to be split. */
  readonly smallerStep?: string;
  /** Incidents of this session and of its forks, whose earlier attempts are listed too; this one alone where absent. */
  readonly related?: readonly Incident[];
}

const PERSON = 'Unstuck, an automated watcher, wrote this; a person sent it.';
const AUTOMATIC = 'Unstuck, an automated watcher, wrote and sent this.';
/** The last line of every text: it must do no harm where the rule was wrong. */
export const HARMLESS = 'If nothing is failing any more, ignore this.';

/** The first line of every text: who wrote it, and who sent it. */
export function senderLine(automatic: boolean): string {
  return automatic ? AUTOMATIC : PERSON;
}

/**
 * The text of a nudge, drafted from the evidence: who writes, what was counted, what was tried, one concrete next step, and that it may
 * be ignored. It gives no orders that end work. Text of the transcript stands in it in fences only, redacted and cut.
 */
export function draftNudge(incident: Incident, options: DraftOptions): string {
  const paragraphs = [
    senderLine(options.automatic),
    countedText(incident, options.now),
    callText(incident),
    tried(incident),
    lastResultText(incident),
    options.smallerStep === undefined ? nextStep(incident) : splitStep(options.smallerStep),
    otherItemsText(options.otherItems),
    earlier(incident, options.related ?? [incident]),
    HARMLESS,
  ];
  return paragraphs.filter((text) => text !== '').join('\n\n');
}

/** What was counted, since when, the reason code, and the number of the message. */
export function countedText(incident: Incident, now: number): string {
  const minutes = Math.floor((now - incident.firstAt) / 60_000);
  const since = minutes >= 1 ? ` The first of them was ${minutes} min ago.` : '';
  const attempt = madeAttempts(incident).length + 1;
  return `${countedSentence(incident)}${since} Reason: ${incident.reason}. This is message ${attempt} about it.`;
}

/** The call that it is about, as the transcript has it. */
export function callText(incident: Incident): string {
  return incident.subject.trim() === '' ? '' : `It is about this:\n${fencedLines([incident.subject])}`;
}

/** What the agent did between the repeats, from the evidence rows between them. */
export function tried(incident: Incident): string {
  const between = incident.evidence.filter((row) => row.role === 'between');
  if (between.length === 0) return '';
  const distinct = [...new Set(between.map((row) => row.text || row.subject))];
  const shown = distinct.slice(-4);
  const more = distinct.length > shown.length ? ` (the last ${shown.length} of ${distinct.length})` : '';
  return `In between${more}:\n${fencedLines(shown)}\nNone of it changed the result.`;
}

/** The unchanged result, as the agent saw it last. */
export function lastResultText(incident: Incident): string {
  const last: Evidence | undefined = incident.evidence.filter((row) => row.role !== 'between').at(-1);
  const text = incident.lastSample?.text ?? last?.text ?? '';
  if (text.trim() === '') return '';
  return `The last result was:\n${fenced(text)}`;
}

/** Retry context: every earlier attempt with what came of it. A first message has none, and lists nothing as failed. */
function earlier(incident: Incident, related: readonly Incident[]): string {
  const prior = priorAttempts(related);
  return prior.length === 0 ? '' : retryContext(prior, failedWaysOf([incident]), incident.session);
}

/** What can go on meanwhile. */
export function otherItemsText(items: readonly string[] | undefined): string {
  if (!items || items.length === 0) return '';
  return `Items of your plan that do not depend on this:\n${fencedLines(items.slice(0, 5))}`;
}

function splitStep(step: string): string {
  return `Take a smaller step of your own plan first:\n${fencedLines([step])}\nFinish and check it before you come back to this.`;
}

/** One concrete next step for each rule, worded so that it does no harm when the rule was wrong. */
export function nextStep(incident: Incident): string {
  // A call is text of the transcript and no part of a sentence: it stands in a fence above.
  return fill(cardOf(incident.detector).nextStep, { call: 'it' });
}
