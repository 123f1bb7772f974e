import type { Certainty, DetectorId, RuleId } from '../model';
import { counted, short, times } from './format';
import { type Sentence, code, say } from './parts';

/** Names of the rules (design/UI.md 8.1). A rule within a detector has the name of its own where it counts something else. */
const NAMES: Readonly<Record<DetectorId, string>> = {
  repeating_action: 'Same call again',
  repeating_outcome: 'Same result, interleaved',
  action_error_alternation: 'Two results in turn',
  cycle: 'Results in turn',
  monologue: 'Talk without action',
  text_loop: 'Same text again',
  condensation_loop: 'Compacted again',
  token_exhaustion: 'Context nearly full',
  stall: 'Silence',
  max_runtime: 'Long run',
  consecutive_failures: 'Failures in a row',
  validation_failure: 'Malformed calls',
  oversized_response: 'Large result',
  gate_blocked: 'Gate failed again',
  premature_action: 'Edited unread file',
  over_helpfulness: 'Went on without data',
  context_pollution: 'Failed approach again',
  rate_limited: 'Refused requests',
};

const RULE_NAMES: Readonly<Record<RuleId, string>> = {
  known_outcomes: 'Only known results',
  few_distinct: 'Two results of one call',
  argument_churn: 'Same result, other arguments',
  same_error: 'Same error again',
  peers: 'Edits undone in turn',
  outage: 'Refused requests',
};

export function ruleName(detector: DetectorId, rule: RuleId | null): string {
  return rule ? RULE_NAMES[rule] : NAMES[detector];
}

/** What a guess rests on: the text of messages and edits, else the time. */
const GUESSED_FROM: Partial<Readonly<Record<DetectorId, 'time' | 'text'>>> = {
  stall: 'time',
  max_runtime: 'time',
  monologue: 'text',
  text_loop: 'text',
  premature_action: 'text',
  over_helpfulness: 'text',
};

export function certaintyWords(detector: DetectorId, certainty: Certainty): string {
  if (certainty === 'counted') return 'Counted, not guessed';
  return `Guessed from ${GUESSED_FROM[detector] ?? 'text'}`;
}

/** `Confidence 0.94`. */
export function confidenceWords(confidence: number): string {
  return `Confidence ${confidence.toFixed(2)}`;
}

/** The label line under the sentence: name, how it is known, confidence. */
export function ruleLabels(
  detector: DetectorId,
  rule: RuleId | null,
  certainty: Certainty,
  confidence: number,
): readonly string[] {
  return [ruleName(detector, rule), certaintyWords(detector, certainty), confidenceWords(confidence)];
}

/** What equal tiles have in common, for brackets and evidence rows: `×6 same result`. */
export function patternWords(detector: DetectorId, rule: RuleId | null): string {
  if (rule === 'same_error') return 'same error';
  if (rule === 'known_outcomes') return 'known results';
  switch (detector) {
    case 'consecutive_failures':
      return 'failed';
    case 'validation_failure':
      return 'malformed';
    case 'gate_blocked':
      return 'blocked';
    case 'condensation_loop':
      return 'without progress';
    case 'rate_limited':
      return 'refused';
    case 'monologue':
    case 'text_loop':
      return 'same text';
    case 'context_pollution':
      return 'failed before';
    case 'premature_action':
      return 'not read before';
    case 'repeating_action':
    case 'repeating_outcome':
    case 'action_error_alternation':
    case 'cycle':
    case 'token_exhaustion':
    case 'stall':
    case 'max_runtime':
    case 'oversized_response':
    case 'over_helpfulness':
      return 'same result';
  }
}

/** The subject of an incident in which the context was condensed again and again, and not of a call that failed again after it. */
const COMPACTIONS = 'context compacted';

/**
 * The rule in short with its count, for rows: `same result 6 times`. `time` is the age of a silence or a run, already written; `subject`
 * tells kinds of one rule apart, where it is known.
 */
export function ruleInShort(detector: DetectorId, rule: RuleId | null, count: number, time = '', subject = ''): string {
  if (rule === 'known_outcomes') return `${counted(count, 'step')} with known results`;
  switch (detector) {
    case 'repeating_action':
    case 'repeating_outcome':
      return `same result ${times(count)}`;
    case 'action_error_alternation':
      return `two results in turn, ${counted(count, 'round')}`;
    case 'cycle':
      return `results in turn, ${counted(count, 'round')}`;
    case 'monologue':
      return `${counted(count, 'message')} without a call`;
    case 'text_loop':
      return `same text ${times(count)}`;
    case 'condensation_loop':
      if (subject === '') return `no progress after compaction ${times(count)}`;
      return subject === COMPACTIONS
        ? `compacted again ${times(count)}`
        : `failed again after compaction ${times(count)}`;
    case 'token_exhaustion':
      return `${Math.floor(count)} % of the context used`;
    case 'stall':
      return time ? `silent ${time}` : 'silent';
    case 'max_runtime':
      return time ? `runs for ${time}` : 'runs for long';
    case 'consecutive_failures':
      return rule === 'same_error' ? `same error ${times(count)}` : `${counted(count, 'call')} in a row failed`;
    case 'validation_failure':
      return `${counted(count, 'malformed call')} in a row`;
    case 'oversized_response':
      return `${short(count)} characters`;
    case 'gate_blocked':
      return `gate failed ${times(count)}`;
    case 'premature_action':
      return 'edits unread files';
    case 'over_helpfulness':
      return 'went on without data';
    case 'context_pollution':
      return 'tries again what failed';
    case 'rate_limited':
      return `${counted(count, 'request')} refused`;
  }
}

/** Label of an incident in lists (design/UI.md 7.2): `pytest -q: same result ×6`, `Two results in turn ×5`, `cargo build: silent 12 min`. */
export function incidentLabel(
  detector: DetectorId,
  rule: RuleId | null,
  subject: string,
  count: number,
  time = '',
): string {
  const many = `×${count}`;
  switch (detector) {
    case 'repeating_action':
    case 'repeating_outcome':
    case 'consecutive_failures':
    case 'validation_failure':
    case 'gate_blocked':
    case 'context_pollution':
      return `${subject}: ${patternWords(detector, rule)} ${many}`;
    case 'action_error_alternation':
    case 'cycle':
    case 'monologue':
    case 'text_loop':
      return `${ruleName(detector, rule)} ${many}`;
    case 'condensation_loop':
      return subject === COMPACTIONS ? `Compacted again ${many}` : `${subject}: failed again after compaction ${many}`;
    case 'rate_limited':
      return `Requests refused ${many}`;
    case 'token_exhaustion':
      return `Context ${Math.floor(count)} % used`;
    case 'oversized_response':
      return `${subject}: ${short(count)} characters`;
    case 'stall':
    case 'max_runtime':
    case 'premature_action':
    case 'over_helpfulness':
      return `${subject}: ${ruleInShort(detector, rule, count, time)}`;
  }
}

/** The fifth vital of a stuck agent: the rule's own figure. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

/**
 * `span` is over how many steps the repeats lie, from the first to the last, both counted; 0 where it is not known. `time` is the age
 * that a rule about time counts, already written.
 */
export function ruleFigure(
  detector: DetectorId,
  rule: RuleId | null,
  count: number,
  span: number,
  time = '',
  subject = '',
): Figure {
  const within = span > count ? `in the last ${counted(span, 'step')}` : 'in a row';
  if (rule === 'known_outcomes') return { label: 'Known results', value: counted(count, 'step'), note: 'in a row' };
  if (rule === 'few_distinct') return { label: 'Two results', value: times(count), note: 'of one call, in turn' };
  switch (detector) {
    case 'repeating_action':
    case 'repeating_outcome':
      return { label: 'Same result', value: times(count), note: within };
    case 'action_error_alternation':
    case 'cycle':
      return { label: 'Results in turn', value: counted(count, 'round'), note: 'with the same results' };
    case 'monologue':
      return { label: 'Messages', value: counted(count, 'message'), note: 'without a tool call' };
    case 'text_loop':
      return { label: 'Same text', value: times(count), note: 'in this turn' };
    case 'condensation_loop':
      return subject === COMPACTIONS
        ? { label: 'Compacted again', value: times(count), note: 'without progress' }
        : { label: 'Failed again', value: times(count), note: 'after compaction' };
    case 'token_exhaustion':
      return { label: 'Context used', value: `${Math.floor(count)} %`, note: 'without progress' };
    case 'stall':
      return { label: 'Silent for', value: time, note: 'nothing was written' };
    case 'max_runtime':
      return { label: 'Active for', value: time, note: 'in this session' };
    case 'consecutive_failures':
      return rule === 'same_error'
        ? { label: 'Same error', value: times(count), note: within }
        : { label: 'Failures', value: counted(count, 'call'), note: 'in a row' };
    case 'validation_failure':
      return { label: 'Malformed', value: counted(count, 'call'), note: 'in a row' };
    case 'oversized_response':
      return { label: 'Large result', value: short(count), note: 'characters' };
    case 'gate_blocked':
      return { label: 'Gate failed', value: times(count), note: 'when it said it was done' };
    case 'premature_action':
      return { label: 'Unread files', value: counted(count, 'edit'), note: 'without reading first' };
    case 'over_helpfulness':
      return { label: 'Without data', value: counted(count, 'step'), note: 'after nothing was found' };
    case 'context_pollution':
      return { label: 'Failed approach', value: times(count), note: 'after the restart' };
    case 'rate_limited':
      return { label: 'Refused', value: counted(count, 'request'), note: 'in a row' };
  }
}

/** What repeats, in the sentence of an agent that recovers: "Before it, `pytest -q` gave the same result 6 times." */
export function beforeRecovery(detector: DetectorId, rule: RuleId | null, subject: string, count: number): Sentence {
  switch (detector) {
    case 'repeating_action':
    case 'repeating_outcome':
      if (rule !== 'known_outcomes') return say`Before it, ${code(subject)} gave the same result ${times(count)}.`;
      break;
    case 'condensation_loop':
      if (subject === COMPACTIONS) return say`Before it, the context was condensed again ${times(count)}.`;
      return say`Before it, ${code(subject)} failed again after compaction ${times(count)}.`;
    case 'consecutive_failures':
      if (rule !== 'same_error') return say`Before it, ${counted(count, 'call')} in a row failed.`;
      break;
    default:
  }
  return say`Before it: ${ruleInShort(detector, rule, count)}.`;
}
