import type { Evidence } from '../../core/model';
import { FIRST, LAST } from '../session/alert';
import type { DetectContext } from '../session/detector';
import type { PastStep } from '../steps/step';
import { snippetLine, shownResult } from '../sayings/snippet';
import { MovedValues } from './moved-values';

/** Limit of the steps of one letter in the timeline; the newest are kept. */
const PATTERN_STEPS = 200;
const LETTERS = 'ABCDEFGH';
/** Number of things that are named in one line about the actions between two occurrences. */
const NAMED = 3;

/** One thing of a pattern, with its steps. */
interface Letter {
  readonly outcome: number;
  readonly letter: string;
  readonly subject: string;
  readonly steps: number[];
  seen: number;
}

interface Occurrence {
  readonly step: PastStep;
  readonly letter: string;
  readonly first: boolean;
  /** The agent's actions since the previous occurrence. */
  readonly between: Evidence | null;
}

/** Collects the occurrences of one streak; the middle of a long one is counted and left out. */
export class OccurrenceLog {
  private readonly head: Occurrence[] = [];
  private readonly tail: Occurrence[] = [];
  private readonly letters: Letter[] = [];
  private readonly values = new MovedValues();
  private newest = -1;

  /** Index of the newest step; -1 if there is none. */
  get last(): number {
    return this.newest;
  }

  get firstStep(): PastStep | undefined {
    return this.head[0]?.step;
  }

  get lastStep(): PastStep | undefined {
    return this.tail.at(-1)?.step ?? this.head.at(-1)?.step;
  }

  add(step: PastStep, context: DetectContext): void {
    // an error outside a call has the index of the step before it
    if (step.index < this.newest || (step.index === this.newest && step.outcome === this.lastStep?.outcome)) return;
    const between = this.newest < 0 ? null : betweenSteps(this.newest + 1, step.index, context);
    const known = this.letterOf(step);
    this.newest = step.index;
    this.values.add(step.values);
    const occurrence: Occurrence = { step, letter: known.letter, first: known.seen === 0, between };
    known.seen++;
    if (isStep(step)) known.steps.push(step.index);
    if (known.steps.length > PATTERN_STEPS) known.steps.shift();
    if (this.head.length < FIRST) this.head.push(occurrence);
    else {
      this.tail.push(occurrence);
      if (this.tail.length > LAST) this.tail.shift();
    }
  }

  /** Returns the value that changed between the occurrences, as runs; empty where none did. */
  movedValues(): readonly string[] {
    return this.values.shown();
  }

  /** Returns the occurrences as evidence, oldest first, with the actions in between. */
  evidence(): Evidence[] {
    const several = this.letters.length > 1;
    const rows: Evidence[] = [];
    for (const { step, letter, first, between } of [...this.head, ...this.tail]) {
      if (between) rows.push(between);
      rows.push({
        source: step.source,
        end: step.end,
        at: step.at,
        ...(isStep(step) && { step: step.index }),
        ...(several && letter !== '' && { letter }),
        role: first ? 'first' : 'repeat',
        subject: step.subject,
        text: shownResult(step.text),
      });
    }
    return rows;
  }

  /** Returns the steps by letter, for the timeline. */
  pattern(): { letter: string; subject: string; steps: number[] }[] {
    return this.letters.map(({ letter, subject, steps }) => ({ letter, subject, steps: [...steps] }));
  }

  private letterOf(step: PastStep): Letter {
    const known = this.letters.find(({ outcome }) => outcome === step.outcome);
    if (known) return known;
    const letter = LETTERS[this.letters.length] ?? '';
    const added: Letter = { outcome: step.outcome, letter, subject: step.subject, steps: [], seen: 0 };
    if (this.letters.length < LETTERS.length) this.letters.push(added);
    return added;
  }
}

/** Returns whether this is a step: errors outside a call are among the steps with a negative outcome. */
function isStep(step: PastStep): boolean {
  return step.outcome > 0;
}

/** Describes the actions in the steps from `from` up to `to` in one line, joined by `, and`; null where there were none, or they are forgotten. */
export function betweenSteps(from: number, to: number, context: DetectContext): Evidence | null {
  const subjects = new Map<string, number>();
  let first: PastStep | undefined;
  let last: PastStep | undefined;
  for (let index = Math.max(from, to - 64); index < to; index++) {
    const step = context.steps.step(index);
    if (!step) continue;
    first ??= step;
    last = step;
    subjects.set(step.subject, (subjects.get(step.subject) ?? 0) + 1);
  }
  if (!first || !last) return null;
  const named = [...subjects].map(([subject, times]) => (times > 1 ? `${subject} ×${times}` : subject));
  const shown = named.slice(0, NAMED).map((subject) => snippetLine(subject, 60));
  if (named.length > NAMED) shown.push(`${named.length - NAMED} more`);
  return {
    source: first.source,
    end: last.end,
    at: first.at,
    role: 'between',
    subject: snippetLine(shown.join(', and ')),
    text: '',
  };
}
