import { BASES, type Cell, CHANGES, PLAIN, type Said } from './cells';
import { linesOf } from './lines';

/** A changed run may be found this many rounds later than the unchanged one. */
const LATER = 2;

/** The fault of a cell; null where there is none. */
export type Fault = 'blind' | 'late' | 'too grave' | 'by another rule' | 'false stuck' | 'false warning';

/** Judges a cell. `plain`: what is reported for the same run in the same format without the change. */
export function faultOf(
  { base: { found }, change }: Cell,
  said: readonly Said[],
  plain: readonly Said[],
): Fault | null {
  if (!found) {
    if (said.length === 0) return null;
    return said.some(({ stuckRound }) => stuckRound !== null) ? 'false stuck' : 'false warning';
  }
  const round = foundIn(said, found.level);
  if (round === null) return 'blind';
  if (found.level === 'warn' && foundIn(said, 'stuck') !== null) return 'too grave';
  if (change === PLAIN)
    return said.some(
      ({ detector, ...one }) =>
        found.detectors.some((name) => detector === name || detector.startsWith(`${name}/`)) &&
        foundIn([one], found.level) !== null,
    )
      ? null
      : 'by another rule';
  const before = foundIn(plain, found.level);
  return before !== null && round > before + LATER ? 'late' : null;
}

/** The first round in which a level is reached. */
function foundIn(said: readonly Pick<Said, 'warnRound' | 'stuckRound'>[], level: 'warn' | 'stuck'): number | null {
  const rounds = said.flatMap(({ warnRound, stuckRound }) => (level === 'warn' ? [warnRound] : (stuckRound ?? [])));
  return rounds.length === 0 ? null : Math.min(...rounds);
}

/** The name of a cell in the list of known faults, as `continue` or `continue (claude-code)`. */
export const nameOf = ({ change, format }: Cell): string =>
  format.name === 'generic' ? change : `${change} (${format.name})`;

/** Why a cell is not judged; undefined if it is judged. */
export function whyLeftOut(base: string, change: string): string | undefined {
  return LEFT_OUT.find(({ bases, changes }) => bases.includes(base) && changes.includes(change))?.why;
}

const LEFT_OUT = linesOf('left-out.txt', 3).map(([bases = '', changes = '', why = '']) => ({
  bases: listed(
    bases,
    BASES.map(({ name }) => name),
  ),
  changes: listed(changes, [...CHANGES.keys()]),
  why,
}));

function listed(text: string, known: readonly string[]): string[] {
  const names = text.split(', ');
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`left-out.txt: no such name: ${other}`);
  return names;
}
