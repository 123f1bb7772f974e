import { counted } from '../../../base/util/counts';
import type { Certainty, DetectorId, DetectorOptions, RuleId } from '../../model';
import { cardOf, ruleWords } from '../../rules';
import type { RuleCard, RuleWords } from '../../rules/card';
import { fill, fillSentence, type Values } from '../fill';
import { short, whole } from '../format';
import type { Sentence } from '../parts';

export function ruleName(detector: DetectorId, rule: RuleId | null): string {
  return ruleWords(detector, rule).name;
}

export function certaintyWords(detector: DetectorId, certainty: Certainty): string {
  if (certainty === 'counted') return 'Counted, not guessed';
  return cardOf(detector).guessedFrom === 'time' ? 'Guessed from time' : 'Guessed from text';
}

/**
 * Returns the label line under the sentence: the name, and how it is known. The measured share of correct alerts is only for docs/evaluation.md and
 * JSON.
 */
export function ruleLabels(detector: DetectorId, rule: RuleId | null, certainty: Certainty): readonly string[] {
  return [ruleName(detector, rule), certaintyWords(detector, certainty)];
}

/** Writes the counts from which a rule reports: `warns at 3, stuck at 4`, `warns at 10 min`, `off`. */
export function thresholdWords(detector: DetectorId, { on, warn, stuck }: DetectorOptions): string {
  if (!on) return 'off';
  const at = (limit: number) => limitText(limit, cardOf(detector).unit);
  return Number.isFinite(stuck) ? `warns at ${at(warn)}, stuck at ${at(stuck)}` : `warns at ${at(warn)}`;
}

function limitText(limit: number, unit: RuleCard['unit']): string {
  switch (unit) {
    case 'percent':
      return `${whole(limit)} %`;
    case 'minutes':
      return `${whole(limit)} min`;
    case 'characters':
      return `${short(limit)} characters`;
    case 'times':
      return whole(limit);
  }
}

/** Writes how many reports a rule would have made with each preset: `Last 7 days: eager 6, balanced 3 (1 stuck), patient 0`. */
export function pastOfRule(
  days: number | null,
  presets: readonly { readonly preset: string; readonly alarms: number; readonly stuck: number }[],
): string {
  const when = days === null ? 'All history' : `Last ${days} days`;
  if (presets.every(({ alarms }) => alarms === 0)) return `${when}: no alarm with any preset`;
  const each = presets.map(({ preset, alarms, stuck }) =>
    stuck === 0 ? `${preset} ${whole(alarms)}` : `${preset} ${whole(alarms)} (${whole(stuck)} stuck)`,
  );
  return `${when}: ${each.join(', ')}`;
}

/** Describes the progress of reading the past for the page of rules. */
export function pastRead(days: number | null, past: { readonly read: number; readonly all: number } | null): string {
  const of = days === null ? 'all history' : `the last ${days} days`;
  if (past === null) return `Looking for transcripts of ${of}…`;
  const { read, all } = past;
  if (read < all) return `Reading ${of}: ${whole(read)} of ${counted(all, 'transcript')}…`;
  return `What each preset would have reported in ${of}: ${counted(all, 'transcript')} of this folder.`;
}

/** Notice above the page of rules of one agent, if the folder has settings for them too. */
export function rulesNotice(isTrusted: boolean): string {
  return isTrusted
    ? 'This folder has its own settings for rules. They override what you change here.'
    : 'This folder has its own settings for rules. They do not apply until you trust it.';
}

/** Describes the common property of equal tiles, for brackets and evidence rows: `×6 same result`. */
export function patternWords(detector: DetectorId, rule: RuleId | null): string {
  return ruleWords(detector, rule).pattern;
}

/** Returns whether it says that results are the same: the counted result then need not be shown again. */
export function saysSame(detector: DetectorId, rule: RuleId | null): boolean {
  return ruleWords(detector, rule).pattern.startsWith('same');
}

/** Returns the values of a rule's words for one incident: its numbers and texts, by the names that templates use. */
function valuesOf(words: RuleWords, count: number, subject: string, time: string): Values {
  const values = {
    count,
    size: short(count),
    call: subject,
    time,
    name: words.name,
    pattern: words.pattern,
  };
  return {
    ...values,
    short: fill(time === '' ? (words.shortWithoutTime ?? words.short) : words.short, values),
  };
}

/**
 * Names the rule in short with its count, for rows: `same result 6 times`. `time` is the age of a silence or a run, already formatted; `subject`
 * distinguishes variants of one rule.
 */
export function ruleInShort(detector: DetectorId, rule: RuleId | null, count: number, time = '', subject = ''): string {
  return String(valuesOf(ruleWords(detector, rule, subject), count, subject, time)['short']);
}

/** Label of an incident in lists: `pytest -q: same result ×6`, `Going round in a cycle ×5`, `cargo build: no output for 12 min`. */
export function incidentLabel(
  detector: DetectorId,
  rule: RuleId | null,
  subject: string,
  count: number,
  time = '',
): string {
  const words = ruleWords(detector, rule, subject);
  return fill(words.label, valuesOf(words, count, subject, time));
}

/** The fifth vital sign of a stuck agent: the rule's own figure. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

/**
 * Returns the figure. `span` is the number of steps over which the repeats extend, including the first and the last; 0 where it is not known. `time`
 * is the age counted by a rule about time, already formatted.
 */
export function ruleFigure(
  detector: DetectorId,
  rule: RuleId | null,
  count: number,
  span: number,
  time = '',
  subject = '',
): Figure {
  const words = ruleWords(detector, rule, subject);
  const within = span > count ? `in the last ${counted(span, 'step')}` : 'in a row';
  const values = { ...valuesOf(words, count, subject, time), within };
  const { label, value, note } = words.figure;
  return {
    label: fill(label, values),
    value: fill(value, values),
    note: fill(note, values),
  };
}

const BEFORE = 'Before that: {short}.';

/** Describes the repeats in the sentence of a recovering agent: "Before that, `pytest -q` gave the same result 6 times." */
export function beforeRecovery(detector: DetectorId, rule: RuleId | null, subject: string, count: number): Sentence {
  const words = ruleWords(detector, rule, subject);
  return fillSentence(words.before ?? BEFORE, valuesOf(words, count, subject, ''));
}
