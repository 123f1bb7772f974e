import type { Incident, IncidentOutcome } from '../model';
import { cardOf } from '../rules';
import { age, counted, cutWords, short } from './format';
import { type Sentence, code, say } from './parts';

/** What freed an agent and what it had cost. Times in milliseconds since the epoch. */
export interface Relief {
  /** What gets the credit. */
  readonly by: FreedBy;
  /** Automatic mode sent it, no person. */
  readonly automated: boolean;
  /** How often it repeated; null where the rule counts something else, such as minutes. */
  readonly count: number | null;
  readonly firstAt: number;
  /** When the message reached the agent. */
  readonly takenAt: number;
  /** What showed that it is free. */
  readonly progress: { readonly at: number; readonly text: string };
  /** Tokens since the first repeat, where the agent records them. */
  readonly tokens?: number;
}

type FreedBy = Exclude<IncidentOutcome, 'by_itself' | 'user' | 'not_stuck'>;

const NAMES: Readonly<Record<FreedBy, string>> = {
  nudge: 'nudge',
  restart: 'restart',
  block: 'refused call',
  gate: 'gate feedback',
};

/** Longest text of a progress marker in a sentence. */
const PROGRESS = 60;

/** What freed the agent; null where nothing that was sent did, or nothing shows that it is free. */
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

/** `Freed by your nudge`. */
export function freedBy({ by, automated }: Pick<Relief, 'by' | 'automated'>): string {
  return automated ? `Freed by an automatic ${NAMES[by]}` : `Freed by your ${NAMES[by]}`;
}

/** `Freed by your nudge: 22 repeats, 3 min; pytest -q passed 12 s later. 41k tokens went into the repeats.` */
export function reliefSentence(relief: Relief): Sentence {
  const { count, firstAt, takenAt, progress, tokens } = relief;
  const lasted = age(takenAt - firstAt);
  const lost = count === null ? ` after ${lasted}` : `: ${counted(count, 'repeat')}, ${lasted}`;
  const later = age(progress.at - takenAt);
  const cost =
    tokens === undefined || tokens === 0
      ? ''
      : ` ${short(tokens)} tokens ${count === null ? 'were used meanwhile' : 'went into the repeats'}.`;
  return say`${freedBy(relief)}${lost}; ${code(cutWords(progress.text, PROGRESS))} ${later} later.${cost}`;
}
