import { type PanelEvidence, type PanelIncident, heightOf } from '../panel-model';
import { counted } from '../../base/util/counts';
import { repeatsIn } from '../../core/model';
import { type Sentence, code, patternWords, say, saysSame } from '../../core/words';
import { type TimelineSteps, flagsOf, stepLineOf, stepTimeOf } from './timeline/steps';

/** One occurrence in the list of evidence. */
export interface Occurrence {
  readonly kind: 'occurrence';
  readonly first: boolean;
  readonly letter: string;
  readonly at: number;
  readonly step: number | null;
  readonly subject: string;
  /** `same result`, shown after an equals sign; otherwise the result itself. */
  readonly same: string;
  readonly text: string;
  readonly line: number;
  /** Place of its record; null for a step that only the timeline lists. */
  readonly place: PanelEvidence | null;
}

export type EvidenceRow =
  | Occurrence
  /** The steps of the agent in between. */
  | { readonly kind: 'gap'; readonly text: string }
  | { readonly kind: 'more'; readonly count: number };

/** If there are more results than this, they are folded: the first 3, `Show 18 More`, the last 8. */
const UNFOLDED = 12;
const HEAD = 3;
const TAIL = 8;

export function evidenceRows(incident: PanelIncident, steps: TimelineSteps, unfolded: boolean): readonly EvidenceRow[] {
  const listed = listRows(incident);
  const occurrences = listed.filter((row) => row.kind === 'occurrence');
  const between = missing(incident, steps, occurrences);
  const total = occurrences.length + between.length;
  if (total <= UNFOLDED && between.length === 0) return listed;
  const head = upTo(listed, HEAD);
  const tail = upTo([...listed].reverse(), TAIL).reverse();
  const folded = total - HEAD - TAIL;
  if (!unfolded) return [...head, { kind: 'more', count: folded }, ...tail];
  return between.length === 0 ? listed : [...head, ...between, ...listed.slice(head.length)];
}

function listRows(incident: PanelIncident): EvidenceRow[] {
  const rows: EvidenceRow[] = [];
  const says = saysSame(incident.detector, incident.rule) ? patternWords(incident.detector, incident.rule) : '';
  for (const row of incident.evidence) {
    if (row.role === 'between') {
      const last = rows.at(-1);
      const text = row.text || row.subject;
      if (last?.kind === 'gap') rows[rows.length - 1] = { kind: 'gap', text: `${last.text}, and ${text}` };
      else if (last) rows.push({ kind: 'gap', text });
      continue;
    }
    rows.push({
      kind: 'occurrence',
      first: row.role === 'first',
      letter: row.letter ?? 'A',
      at: row.at,
      step: row.step ?? null,
      subject: row.subject,
      same: row.role === 'repeat' ? says : '',
      text: row.text,
      line: row.line,
      place: row,
    });
  }
  while (rows.at(-1)?.kind === 'gap') rows.pop();
  return rows;
}

/** Returns the steps of the pattern that the evidence leaves out, from the timeline. The evidence lists the first 3 and the last 8. */
function missing(incident: PanelIncident, steps: TimelineSteps, listed: readonly Occurrence[]): Occurrence[] {
  const known = new Set(listed.map((row) => row.step));
  const words = patternWords(incident.detector, incident.rule);
  const rows: Occurrence[] = [];
  const { first, end } = steps.range;
  for (const pattern of steps.data.patterns) {
    if (pattern.group !== incident.id) continue;
    for (const step of pattern.steps) {
      if (known.has(step) || step < first || step >= end) continue;
      rows.push({
        kind: 'occurrence',
        first: false,
        letter: pattern.letter,
        at: stepTimeOf(steps, step),
        step,
        subject: pattern.subject,
        same: saysSame(incident.detector, incident.rule) ? words : '',
        text: words,
        line: stepLineOf(steps, step),
        place: null,
      });
    }
  }
  return rows.sort((a, b) => (a.step ?? 0) - (b.step ?? 0));
}

/** Returns the rows up to the n-th occurrence. */
function upTo(rows: readonly EvidenceRow[], n: number): EvidenceRow[] {
  let seen = 0;
  const kept: EvidenceRow[] = [];
  for (const row of rows) {
    if (seen === n) break;
    kept.push(row);
    if (row.kind === 'occurrence') seen++;
  }
  return kept;
}

/** Returns the label of the evidence: `6 results of pytest -q, 5 edits in between`. */
export function evidenceLabel(incident: PanelIncident, steps: TimelineSteps): Sentence {
  const occurrences = repeatsIn(incident.evidence);
  const subjects = new Set(occurrences.map((row) => row.subject));
  const listedSteps = occurrences.flatMap((row) => (row.step === undefined ? [] : [row.step]));
  // Another machine sends no places of steps, but the letters of what repeats.
  if (listedSteps.length === 0 && occurrences.every((row) => row.letter === undefined))
    return say`${counted(Math.max(occurrences.length, 1), 'record')}`;
  const patterns = steps.data.patterns.filter((pattern) => pattern.group === incident.id);
  const count = Math.max(
    occurrences.length,
    patterns.reduce((sum, pattern) => sum + pattern.count, 0),
  );
  const what =
    subjects.size === 1
      ? say`${counted(count, 'result')} of ${code(incident.subject)}`
      : say`${counted(count, 'result')} of ${counted(subjects.size, 'call')}`;
  if (listedSteps.length === 0) return what;
  const edits = editsBetween(steps, Math.min(...listedSteps), Math.max(...listedSteps));
  return edits > 0 ? say`${what}, ${counted(edits, 'edit')} in between` : what;
}

function editsBetween(steps: TimelineSteps, from: number, to: number): number {
  let edits = 0;
  for (let step = Math.max(from, steps.range.first); step < to; step++) {
    if (!steps.places.has(step) && heightOf(flagsOf(steps, step)) === 'changed') edits++;
  }
  return edits;
}

/** Returns the number of steps that the repeats of an incident span, both ends counted; 0 if unknown. */
export function spanOf(incident: PanelIncident): number {
  const at = repeatsIn(incident.evidence).flatMap(({ step }) => (step === undefined ? [] : [step]));
  return at.length < 2 ? 0 : Math.max(...at) - Math.min(...at) + 1;
}
