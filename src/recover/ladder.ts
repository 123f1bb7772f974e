import { RUNG_KINDS, type RecoveryAttempt, type RungKind } from '../core/model';

/** One rung of the escalation ladder (docs/recovery.md). */
export interface Rung {
  /** 1-based, as it is shown. */
  readonly number: number;
  readonly kind: RungKind;
  /** As the panel shows it. */
  readonly name: string;
  /** Number of attempts on it for one incident before the next rung. */
  readonly tries: number;
}

export type Ladder = readonly Rung[];

const NAMES: Readonly<Record<RungKind, string>> = {
  as_is: 'As it is',
  feedback: 'Nudge',
  fresh: 'Fresh context',
  next_model: 'Next model',
  top_model: 'Top model',
  ask: 'Ask you',
};

/** A nudge may be tried twice; a new start of an agent is tried once. */
const TRIES: Readonly<Record<RungKind, number>> = {
  as_is: 1,
  feedback: 2,
  fresh: 1,
  next_model: 1,
  top_model: 1,
  ask: 1,
};
const MOST_TRIES = 5;
const LONGEST_NAME = 60;

export const DEFAULT_LADDER: Ladder = numbered([
  { kind: 'as_is' },
  { kind: 'feedback' },
  { kind: 'next_model' },
  { kind: 'top_model' },
  { kind: 'ask' },
]);

interface Wanted {
  readonly kind: RungKind;
  readonly name?: string;
  readonly tries?: number;
}

/**
 * Reads the ladder of the setting `unstuck.recovery.ladder`: a list of `"feedback"` or `{ "do": "feedback", "name": "…", "tries": 3 }`.
 *
 * Three things cannot be set: the first rung is the agent as it is, feedback comes before anything that starts an agent again (the first failure gets
 * feedback, never escalation), and the person is always last. Each kind of rung occurs once; unknown ones are left out.
 */
export function readLadder(value: unknown): Ladder {
  const wanted = Array.isArray(value) ? value.map(asRung).filter((rung) => rung !== null) : [];
  if (wanted.length === 0) return DEFAULT_LADDER;
  const of = (kind: RungKind): Wanted => wanted.find((rung) => rung.kind === kind) ?? { kind };
  const seen = new Set<RungKind>(['as_is', 'feedback', 'ask']);
  const between = wanted.filter((rung) => !seen.has(rung.kind) && seen.add(rung.kind));
  return numbered([of('as_is'), of('feedback'), ...between, of('ask')]);
}

/** Returns the first of these rungs that the ladder has. */
export function rungOf(ladder: Ladder, ...kinds: readonly RungKind[]): Rung | undefined {
  for (const kind of kinds) {
    const rung = ladder.find((one) => one.kind === kind);
    if (rung) return rung;
  }
  return undefined;
}

/** Returns the kind of rung that an attempt took. */
export function rungKindOf(attempt: RecoveryAttempt): RungKind {
  if (attempt.rung) return attempt.rung;
  switch (attempt.kind) {
    case 'nudge':
    case 'gate':
    case 'checkpoint':
    case 'block':
    case 'stop':
      return 'feedback';
    case 'restart':
      return 'fresh';
    case 'escalate':
    case 'reassign':
      return 'next_model';
  }
}

function numbered(rungs: readonly Wanted[]): Ladder {
  return rungs.map(({ kind, name, tries }, index) => ({
    number: index + 1,
    kind,
    name: name ?? NAMES[kind],
    tries: tries ?? TRIES[kind],
  }));
}

function asRung(value: unknown): Wanted | null {
  if (typeof value === 'string') return isKind(value) ? { kind: value } : null;
  if (typeof value !== 'object' || value === null) return null;
  const { do: kind, name, tries } = value as { do?: unknown; name?: unknown; tries?: unknown };
  if (!isKind(kind)) return null;
  const isName = typeof name === 'string' && name.trim() !== '';
  const isCount = typeof tries === 'number' && Number.isInteger(tries) && tries >= 1;
  return {
    kind,
    ...(isName && { name: name.trim().slice(0, LONGEST_NAME) }),
    ...(isCount && { tries: Math.min(MOST_TRIES, tries) }),
  };
}

function isKind(value: unknown): value is RungKind {
  return typeof value === 'string' && (RUNG_KINDS as readonly string[]).includes(value);
}
