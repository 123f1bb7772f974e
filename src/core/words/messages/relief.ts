import { counted } from '../../../base/util/counts';
import type { Incident, IncidentOutcome } from '../../model';
import { cardOf } from '../../rules';
import { age, cutWords, short } from '../format';
import { type Sentence, code, join, say } from '../parts';

/** A recovery: its cause and its cost. Times in milliseconds since the epoch. */
export interface Relief {
  /** Action that is credited. */
  readonly by: FreedBy;
  /** True if automatic mode sent it, rather than a person. */
  readonly automated: boolean;
  /** Number of repeats; null where the rule counts something else, such as minutes. */
  readonly count: number | null;
  readonly firstAt: number;
  /** When the message reached the agent. */
  readonly takenAt: number;
  /** Step that showed that the agent is free. */
  readonly progress: { readonly at: number; readonly text: string };
  /** Tokens since the first repeat, where the agent records them. */
  readonly tokens?: number;
}

type FreedBy = Exclude<IncidentOutcome, 'by_itself' | 'user' | 'not_stuck'>;

const BY_YOU: Readonly<Record<FreedBy, string>> = {
  nudge: 'Freed by your nudge',
  restart: 'Freed by your restart',
  block: 'Freed by blocking the call',
  gate: 'Freed by your quality-gate feedback',
};

const BY_ITSELF: Readonly<Record<FreedBy, string>> = {
  nudge: 'Freed by an automatic nudge',
  restart: 'Freed by an automatic restart',
  block: 'Freed by blocking the call automatically',
  gate: 'Freed by automatic quality-gate feedback',
};

/** Longest text of a progress marker in a sentence. */
const PROGRESS = 60;
/** Text after the command of a check that passed. */
const PASSED = ' passed';

/** Returns what freed the agent; null where it was not a message, or nothing shows that it is free. */
export function reliefOf(incident: Incident): Relief | null {
  const { state, outcome, progressed, attempts } = incident;
  if (state !== 'recovered' || progressed === undefined || outcome === null || !isSent(outcome)) return null;
  const reached = attempts.filter(({ takenAt }) => takenAt !== undefined).at(-1);
  if (reached?.takenAt === undefined) return null;
  return {
    by: outcome,
    automated: reached.automated,
    count: cardOf(incident.detector).unit === 'times' ? incident.count : null,
    firstAt: incident.firstAt,
    takenAt: reached.takenAt,
    progress: progressed,
    ...(incident.tokensSinceFirst !== undefined && { tokens: incident.tokensSinceFirst }),
  };
}

function isSent(outcome: IncidentOutcome): outcome is FreedBy {
  return outcome !== 'by_itself' && outcome !== 'user' && outcome !== 'not_stuck';
}

/** Returns `Freed by your nudge`. */
export function freedBy({ by, automated }: Pick<Relief, 'by' | 'automated'>): string {
  return automated ? BY_ITSELF[by] : BY_YOU[by];
}

/** Returns `Freed by your nudge: 22 repeats, 3 min; pytest -q passed 12 s later. The loop used 41k tokens, including cached ones.` */
export function reliefSentence(relief: Relief): Sentence {
  const { count, firstAt, takenAt, progress, tokens } = relief;
  const lasted = age(takenAt - firstAt);
  const later = age(progress.at - takenAt);
  // In `npm test passed`, only the command is code.
  const passed = progress.text.endsWith(PASSED) ? PASSED : '';
  const shown = say`${code(cutWords(progress.text.slice(0, progress.text.length - passed.length), PROGRESS))}${passed}`;
  const freed =
    count === null
      ? say`${freedBy(relief)} after ${lasted}; ${shown} ${later} later.`
      : say`${freedBy(relief)}: ${counted(count, 'repeat')}, ${lasted}; ${shown} ${later} later.`;
  if (tokens === undefined || tokens === 0) return freed;
  const cost =
    count === null
      ? say`Meanwhile it used ${short(tokens)} tokens, including cached ones.`
      : say`The loop used ${short(tokens)} tokens, including cached ones.`;
  return join(freed, cost);
}
