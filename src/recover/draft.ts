import type { DetectorId, Evidence, Incident } from '../model';
import { madeAttempts } from './attempts';
import { fenced, oneLine } from './quote';
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
  /** Incidents of this session and of its forks, whose earlier attempts are told too; this one alone where absent. */
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
 * be ignored (design/UI.md 8.2). It gives no orders that end work. Transcript text in it is shortened, fenced and redacted.
 */
export function draftNudge(incident: Incident, options: DraftOptions): string {
  const paragraphs = [
    senderLine(options.automatic),
    countedText(incident, options.now),
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
  return `${oneLine(incident.why)}${since} Reason: ${incident.reason}. This is message ${attempt} about it.`;
}

/** What the agent did between the repeats, from the evidence rows between them. */
export function tried(incident: Incident): string {
  const between = incident.evidence.filter((row) => row.role === 'between');
  if (between.length === 0) return '';
  const distinct = [...new Set(between.map((row) => oneLine(row.text || row.subject)))];
  const shown = distinct.slice(-4).map((text) => `- ${text}`);
  const more = distinct.length > shown.length ? [`- and ${distinct.length - shown.length} more`] : [];
  return ['In between:', ...shown, ...more, 'None of it changed the result.'].join('\n');
}

/** The unchanged result, as the agent saw it last. */
export function lastResultText(incident: Incident): string {
  const last: Evidence | undefined = incident.evidence.filter((row) => row.role !== 'between').at(-1);
  const text = incident.lastSample?.text ?? last?.text ?? '';
  if (text.trim() === '') return '';
  return `The last result was:\n${fenced(text)}`;
}

/** Retry context: every earlier attempt with what came of it (PRODUCT.md R3). A first message has none, and lists nothing as failed. */
function earlier(incident: Incident, related: readonly Incident[]): string {
  const prior = priorAttempts(related);
  return prior.length === 0 ? '' : retryContext(prior, failedWaysOf([incident]), incident.session);
}

/** What can go on meanwhile. */
export function otherItemsText(items: readonly string[] | undefined): string {
  if (!items || items.length === 0) return '';
  return [
    'Items of your plan that do not depend on this:',
    ...items.slice(0, 5).map((item) => `- ${oneLine(item)}`),
  ].join('\n');
}

function splitStep(step: string): string {
  return `Take a smaller step first: ${oneLine(step)} (from your own plan). Finish and check it before you come back to this.`;
}

/** One concrete next step for each rule, worded so that it is harmless when the rule was wrong. */
export function nextStep(incident: Incident): string {
  const call = oneLine(incident.subject);
  const steps: Record<DetectorId, string> = {
    repeating_action: `Running ${call} again will give the same result. Read the result above line by line, name what it says is wrong, and check that one cause before the next run.`,
    repeating_outcome: `The edits so far may not touch what decides this result. Before the next edit, find out whether the code you change is run at all: print a value in the failing place, or read the file that the message names.`,
    action_error_alternation: `The two steps undo or repeat each other. Stop both, say what the error means in one sentence, and try one step that is neither of them.`,
    cycle: `These steps go round in a circle. Leave the circle at one step: choose the one whose result you do not understand, and look into that first.`,
    monologue: `Take a concrete action now: one tool call that moves the task on, or a question to your user if something is missing.`,
    text_loop: `The same text came again and again. Take one concrete action with a tool, or end your turn with a question.`,
    condensation_loop: `Your context was condensed and you went back to what had failed. Write down in one line why it failed, then take another way.`,
    token_exhaustion: `Little context is left. Write the state of the work and the next steps into a file, so that a fresh session can go on from it.`,
    stall: `Nothing was written for a long time. If a command hangs, end it and run it with a time limit.`,
    max_runtime: `This has run for long. Write down what is done and what is left, then ask your user how to go on.`,
    consecutive_failures: `These calls failed for a common reason. Name it from their messages, and fix that first.`,
    validation_failure: `Your last calls were malformed. Send one well-formed call: the exact tool name, all required fields, arguments as valid JSON.`,
    oversized_response: `The result was very large. Search in it or read a part of it instead of reading it whole.`,
    gate_blocked: `The checks above have to pass before the work is done. Fix the first failure, then run them again.`,
    premature_action: `Read the file before you change it, so that the change fits what is there.`,
    over_helpfulness: `Something you looked for was not there. Report the gap; do not fill it with invented data.`,
    context_pollution: `This way has already failed. Take one that is not in the list of failed attempts.`,
    rate_limited: `Requests are refused for now. Wait before the next one; nothing in your work is wrong.`,
  };
  return steps[incident.detector];
}
