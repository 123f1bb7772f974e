import type { DetectorId, Finding, RuleId, Situation } from '../../core/model';
import { ruleWords } from '../../core/rules';
import { textFor } from '../../core/rules/card';
import { PIECES } from '../../core/rules/common';
import { fill } from '../../core/words/fill';
import type { PastStep } from '../steps/step';

/** Facts for the sentences about a streak. */
export interface LoopFacts {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly count: number;
  /** The call that repeats. */
  readonly subject: string;
  /** Result, in one line. */
  readonly result: string;
  readonly failing: boolean;
  /** Number of steps of one lap, where there are laps. */
  readonly period: number;
  /** Number of steps from the first occurrence to now. */
  readonly span: number;
  /** Number of different outcomes, and of different tools, among the counted steps. */
  readonly outcomes: number;
  readonly tools: number;
  /** The changing value in the message of a failing check while the same things failed, oldest first; empty where none changed. */
  readonly moved: readonly string[];
  /** True if texts differ and only the failure repeats. */
  readonly textsDiffer: boolean;
  /** Edits since the first occurrence. */
  readonly edits: readonly PastStep[];
  /** True if the harness added a reminder below the newest result. */
  readonly isReminded: boolean;
  /** True if the newest step only waits or looks. */
  readonly waitsOrLooks: boolean;
  /** The other calls of a lap, at most 2 of them. */
  readonly others: readonly string[];
}

export type LoopTexts = Pick<Finding, 'why' | 'suggestion' | 'clears' | 'situations'>;

/** Returns the explanation, suggestion and clearing clauses of a streak, from the card of its rule. Subjects are in backticks. */
export function loopTexts(facts: LoopFacts): LoopTexts {
  const words = ruleWords(facts.detector, facts.rule);
  const { count, span, period, outcomes, tools, result } = facts;
  const { edits, editedFiles } = editsAmong(facts.edits);
  const values = {
    call: facts.subject,
    count,
    span,
    period,
    outcomes,
    tools,
    edits,
    moved: facts.moved.join(', '),
    file: editedFiles[0] ?? '',
    given: result === '' ? '' : fill(PIECES.given, { result: /[.!?…]$/.test(result) ? result : `${result}.` }),
    unchanged: result === '' ? '' : fill(PIECES.unchanged, { result: result.replace(/\.$/, '') }),
    turns: turns(facts),
  };
  const situations: readonly Situation[] = [
    ...when(facts.moved.length > 0, 'moved'),
    ...when(facts.textsDiffer, 'textsDiffer'),
    ...when(edits > 0 && editedFiles.length === 1, 'editedOneFile'),
    ...when(edits > 0, 'edited'),
    ...when(edits > 1, 'editedOften'),
    ...when(facts.failing, 'failing'),
    ...when(facts.isReminded, 'reminded'),
    ...when(facts.waitsOrLooks, 'waitsOrLooks'),
  ];
  return {
    why: words.why ? fill(textFor(words.why, situations), values) : '',
    suggestion: words.suggestion ? fill(textFor(words.suggestion, situations), values) : '',
    clears: (words.clears ?? []).map((clause) => fill(clause, values)),
    situations,
  };
}

function when(holds: boolean, situation: Situation): readonly Situation[] {
  return holds ? [situation] : [];
}

function turns({ subject, others, period }: LoopFacts): string {
  const names = [subject, ...others].map((one) => `\`${one}\``);
  const left = period - names.length;
  if (left > 0) return fill(PIECES.more, { named: names.join(', '), left });
  const last = names.pop() ?? '';
  return names.length === 0 ? last : fill(PIECES.both, { first: names.join(' and '), second: last });
}

/** Counts the different changes between the steps of a streak, and lists their targets. */
function editsAmong(steps: readonly PastStep[]): { edits: number; editedFiles: string[] } {
  const signatures = new Set<number>();
  const files = new Set<string>();
  for (const step of steps) {
    if (step.kind !== 'changed') continue;
    signatures.add(step.signature);
    const file = /^(?:Edit|Write|Delete|Move) (.+)$/.exec(step.subject)?.[1];
    if (file !== undefined) files.add(file);
  }
  return { edits: signatures.size, editedFiles: [...files] };
}
