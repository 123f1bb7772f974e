import type { Source, ValidationKind } from './event';
import type { Certainty, Exhaustion, Level } from './detector';
import type { DetectorId, ReasonCode, RuleId } from './rule-ids';

/** One place in a transcript on which a finding is based. */
export interface Evidence {
  readonly source: Source;
  /** Last record of the same step, for example the result of a call. */
  readonly end?: Source;
  readonly at: number;
  /** 0-based index of the step in its session; absent for messages. */
  readonly step?: number;
  /** A to H in order of first appearance within the incident; absent where only one thing repeats, and for what is between the repeats. */
  readonly letter?: string;
  /** The first occurrence, a repeat of it, or an action of the agent in between. */
  readonly role: 'first' | 'repeat' | 'between';
  /** The call or the message in one line, at most 200 characters. */
  readonly subject: string;
  /** Its result in one line, at most 200 characters. */
  readonly text: string;
}

/** Returns the rows that a rule counted: the first occurrence and its repeats, without what lies between them. */
export function repeatsIn<Row extends Pick<Evidence, 'role'>>(evidence: readonly Row[]): readonly Row[] {
  return evidence.filter(({ role }) => role !== 'between');
}

/** A result in its original form, for the comparison of first and last. */
export interface Sample {
  readonly source: Source;
  readonly at: number;
  /** Head and tail of the result, at most 8 KB, copied from its record. */
  readonly text: string;
  /** Character ranges [start, end) of `text` that the comparison ignored, ascending, not overlapping. */
  readonly ignored: readonly (readonly [number, number])[];
}

/**
 * A property of a finding besides its count, which selects the words of a rule (`Texts` in rules/card.ts). The first one for which the card has words
 * is used.
 */
export type Situation =
  /** The same places failed, and only a value in the message changed. */
  | 'moved'
  /** Only the failure repeats; its texts differ. */
  | 'textsDiffer'
  /** There were edits in between, all of one file or more than one. */
  | 'edited'
  | 'editedOneFile'
  | 'editedOften'
  /** The repeated call fails. */
  | 'failing'
  /** The agent's harness added its own reminder below the repeated result, to no effect. */
  | 'reminded'
  /** The repeated call only waits or looks, so repeating it may be right. */
  | 'waitsOrLooks'
  /** Something on which the tool depends is gone. */
  | 'infrastructure'
  | ValidationKind;

/** A detector's report about a session at one moment. A later finding with the same key replaces an earlier one. */
export interface Finding {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly reason: ReasonCode;
  readonly exhaustion: Exhaustion | null;
  /** Identifies the streak within its session. The same key means the same incident, even after it cleared. */
  readonly key: string;
  readonly level: Level;
  readonly certainty: Certainty;
  /** 0..1 */
  readonly confidence: number;
  /** Count of the rule so far. */
  readonly count: number;
  /** The count at which this rule reports stuck, or warns where it never reports stuck. */
  readonly limit: number;
  /** Time and place of the event that made this finding. */
  readonly at: number;
  readonly source: Source;
  /** Time of the first of the equal results: "stuck for" is counted from here. */
  readonly firstAt: number;
  readonly first: Source;
  /** First 3 and last 8 occurrences with what happened between them, oldest first. Never empty. */
  readonly evidence: readonly Evidence[];
  /** The call or message that repeats, for example `pytest -q`. */
  readonly subject: string;
  /** The rule with its numbers, one or two sentences for a person. */
  readonly why: string;
  /** Advice, one sentence. */
  readonly suggestion: string;
  /** Conditions that would clear it, each one a short clause. */
  readonly clears: readonly string[];
  readonly situations?: readonly Situation[];
  /** The changing value in the message of a failing check while the same places failed, in runs, oldest first: `-6`, `3 ×15`. */
  readonly moved?: readonly string[];
  readonly firstSample?: Sample;
  readonly lastSample?: Sample;
  /** The steps (0-based indices) of the pattern by letter, for the timeline; at most the 200 newest for each letter. */
  readonly pattern?: readonly {
    readonly letter: string;
    readonly subject: string;
    readonly steps: readonly number[];
  }[];
  /** Tokens used since the first step of the pattern. */
  readonly tokensSinceFirst?: number;
  /** Rules of context that see the same steps (`RuleCard.ofContext`), in the order of the table. */
  readonly context?: readonly InContext[];
}

/** A rule of context that added to the incident of other rules, with the level that it has reached on its own. */
export interface InContext {
  readonly detector: DetectorId;
  readonly level: Level;
}

export type ClearingReason =
  | 'different_result'
  | 'not_back'
  | 'user_message'
  | 'session_end'
  | 'progress'
  | 'tool_call'
  | 'turn_end'
  | 'new_text'
  | 'success'
  | 'well_formed'
  | 'gates_passed'
  | 'new_line'
  | 'off';

/** End of a streak by its own clearing rule. */
export interface Clearing {
  readonly detector: DetectorId;
  readonly key: string;
  readonly reason: ClearingReason;
  readonly at: number;
  readonly source: Source | null;
}

/** How close a rule came to firing, with the reason that held it back ("Why not stuck"). */
export interface NearMiss {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  /** The nearest candidate, for example the call. */
  readonly nearest: string;
  readonly reached: number;
  readonly limit: number;
  /** Reason that held the rule back, as a sentence. Absent if the pattern was just not frequent enough. */
  readonly heldBackBy?: string;
  /** Start of a count of minutes that still grows, in milliseconds since the epoch; absent for a pattern that is over. */
  readonly lastsSince?: number;
  readonly at: number;
  readonly source: Source | null;
}

/** The kinds of progress marker (docs/transcript.md, Terms). */
export type ProgressKind = 'edit' | 'check_passed' | 'plan_item' | 'commit';

export interface ProgressMarker {
  readonly kind: ProgressKind;
  readonly at: number;
  readonly source: Source;
  /** For example `commit 4be19c2`, `pytest -q passed`. */
  readonly text: string;
}
