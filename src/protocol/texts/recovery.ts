import { age, counted } from '../format';

/** Automatic mode for one incident, as the panel's snapshot has it. Times in milliseconds since the epoch. */
interface Automatic {
  readonly held: boolean;
  readonly nextAt?: number;
}

const SECOND = 1000;

/** The label of the ladder's heading (design/UI.md 7.5): `step 2 of 5`, `step 2 of 5, automatic, next in 40 s`. */
export function recoveryLabel(label: string, automatic: Automatic | null, now: number): string {
  if (!automatic) return label;
  if (automatic.held) return `${label}, automatic, held`;
  if (automatic.nextAt === undefined) return `${label}, automatic`;
  return `${label}, automatic, ${countdown(automatic.nextAt - now)}`;
}

/** A countdown is rounded up: 0 s would be said while there is still time to press *Hold*. */
function countdown(left: number): string {
  const seconds = Math.ceil(left / SECOND);
  return seconds > 0 ? `next in ${age(seconds * SECOND)}` : 'next now';
}

/** What a way did for incidents like this one: `Fresh context helped`, `Nudge did not help`. */
export function helpedWords(way: { readonly name: string; readonly helped: number }): string {
  return way.helped > 0 ? `${way.name} helped` : `${way.name} did not help`;
}

/** `Show 3 Similar Incidents`. */
export function similarCommand(count: number): string {
  return `Show ${counted(count, 'Similar Incident')}`;
}
