import type { DetectorId, ReasonCode, RuleId } from '../../model';
import type { PastStep } from '../session/detector';

/** What the sentences about a streak are made of. */
export interface LoopFacts {
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly count: number;
  /** The call that repeats. */
  readonly subject: string;
  /** What it gave, in one line. */
  readonly result: string;
  readonly failing: boolean;
  /** Steps of one lap, where there are laps. */
  readonly period: number;
  /** Steps from the first occurrence to now. */
  readonly span: number;
  /** Different calls or tools among the counted steps. */
  readonly different: number;
  /** Texts differ, only the failing repeats. */
  readonly anyText: boolean;
  /** Changes in between: how many different ones, and of which files. */
  readonly edits: number;
  readonly editedFiles: readonly string[];
  /** The other calls of a lap, at most 2 of them. */
  readonly others: readonly string[];
}

export interface LoopTexts {
  readonly why: string;
  readonly suggestion: string;
  readonly clears: readonly string[];
}

export const REASONS: Readonly<Partial<Record<DetectorId, ReasonCode>>> = {
  repeating_action: 'repetition_loop',
  repeating_outcome: 'repetition_loop',
  action_error_alternation: 'alternation_loop',
  cycle: 'cycle_loop',
  consecutive_failures: 'consecutive_failures',
};

const NOT_BACK = 'it does not come back within 12 steps';
const PERSON = 'you send a message, or the session ends';

/** Explanation, suggestion and clearing clauses of a streak (design/UI.md section 8.1). Subjects stand in backticks. */
export function loopTexts(facts: LoopFacts): LoopTexts {
  const call = `\`${facts.subject}\``;
  switch (facts.detector) {
    case 'repeating_action':
      return {
        why: facts.anyText
          ? `${call} failed ${facts.count} times in a row with the same arguments; only the text of the failure differs.${given(facts)}`
          : `${call} ran ${facts.count} times in a row with the same arguments and result.${given(facts)}`,
        suggestion: facts.failing
          ? `Read the result of ${call} once more and change what it complains about before it runs again.`
          : `Use what ${call} gave already; running it again tells nothing new.`,
        clears: [`${call} gives a different result`, NOT_BACK, PERSON],
      };
    case 'action_error_alternation':
      return {
        why: `${turns(facts)} take turns, ${facts.count} rounds, each with the same result as before, and the same error each time.${given(facts)}`,
        suggestion: 'Neither step changes the error: name its cause, then try one thing that was not tried yet.',
        clears: ['one of them gives a new result', 'they do not come back within 12 steps', PERSON],
      };
    case 'cycle':
      return {
        why: `${facts.period} steps take turns, ${facts.count} rounds, each with the same result as before: ${turns(facts)}.`,
        suggestion:
          'All of these results are known: decide with them, or look at something that was not looked at yet.',
        clears: ['one of them gives a new result', 'they do not come back within 12 steps', PERSON],
      };
    case 'consecutive_failures':
      return facts.rule === 'same_error'
        ? {
            why: `${facts.count} calls failed with the same error, with different arguments.${given(facts)}`,
            suggestion: 'Other arguments do not change this error: find out what causes it before the next attempt.',
            clears: ['a call of this tool that succeeds', PERSON],
          }
        : {
            why: `${facts.count} calls in a row failed, with ${facts.different} different ${facts.different === 1 ? 'tool' : 'tools'}.${given(facts)}`,
            suggestion: 'Say what these failures have in common, and check that one thing first.',
            clears: ['a call that succeeds', PERSON],
          };
    default:
      return outcomeTexts(facts, call);
  }
}

function outcomeTexts(facts: LoopFacts, call: string): LoopTexts {
  const clears = [`${call} gives a different result`, NOT_BACK, PERSON];
  switch (facts.rule) {
    case 'known_outcomes':
      return {
        why: `The last ${facts.count} steps only repeated calls whose results were known, ${call} among them.`,
        suggestion:
          'All of these results are known: decide with them, or look at something that was not looked at yet.',
        clears: ['a step with a new result', NOT_BACK, PERSON],
      };
    case 'few_distinct':
      return {
        why: `${call} ran ${facts.count} times and gave only ${facts.different} different results in turn.${edited(facts)}`,
        suggestion: `The changes only move ${call} between known results: say why each of them comes, then change the cause.`,
        clears,
      };
    case 'argument_churn':
      return {
        why: `${facts.count} calls like ${call} differ only in their arguments and gave the same result.${given(facts)}`,
        suggestion: 'Other arguments do not change this result: look for what decides it.',
        clears: ['one of them gives a different result', NOT_BACK, PERSON],
      };
    default:
      return {
        why: `${call} gave the same result ${facts.count} times in the last ${facts.span} steps${inBetween(facts)}.${facts.edits > 0 ? ` No edit changed the result${result(facts)}.` : given(facts)}`,
        suggestion: facts.failing
          ? `Read the whole result of ${call}, and check the cause it names before the next edit.`
          : `Use what ${call} gave already; it has not changed.`,
        clears,
      };
  }
}

function inBetween({ edits, editedFiles }: LoopFacts): string {
  if (edits === 0) return ', with other calls in between';
  const [file] = editedFiles;
  const what = edits === 1 ? 'one edit' : `${edits} different edits`;
  return editedFiles.length === 1 && file !== undefined
    ? `, with ${what} of \`${file}\` in between`
    : `, with ${what} in between`;
}

function edited({ edits }: LoopFacts): string {
  return edits > 1 ? ` ${edits} edits lay in between.` : '';
}

function turns({ subject, others, period }: LoopFacts): string {
  const named = [subject, ...others].map((one) => `\`${one}\``);
  const left = period - named.length;
  return left > 0 ? `${named.join(', ')} and ${left} more` : named.join(' and ');
}

function given(facts: LoopFacts): string {
  return facts.result === '' ? '' : ` The result: ${facts.result}${/[.!?…]$/.test(facts.result) ? '' : '.'}`;
}

function result(facts: LoopFacts): string {
  return facts.result === '' ? '' : `: ${facts.result.replace(/\.$/, '')}`;
}

/** What changes lay between the steps of a streak: how many different ones, and of which targets. */
export function editsAmong(steps: readonly PastStep[]): { edits: number; editedFiles: string[] } {
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
