import type { DetectorId, Level, Preset } from '../../model';
import { ruleName } from './rules';

/** Reason why no fixture could be made from an incident. */
export type FixtureFailure =
  /** Its rule compares sessions, which one transcript does not show. */
  | { readonly reason: 'several_sessions' }
  /** The verdicts on which it is based are not in the transcript. */
  | { readonly reason: 'gates' }
  | {
      /** `transcript_gone`: the data in the history is not enough. `differs`: the steps do not raise it. */
      readonly reason: 'transcript_gone' | 'differs';
      /** Rules that a scan raises instead. */
      readonly raised: readonly { readonly detector: DetectorId; readonly level: Level }[];
    };

/** Returns `The incident could not be reproduced: its transcript is gone, and …`. */
export function fixtureFailureWords(failure: FixtureFailure): string {
  return `The incident could not be reproduced: ${whyNot(failure)}.`;
}

function whyNot(failure: FixtureFailure): string {
  switch (failure.reason) {
    case 'several_sessions':
      return 'its rule compares several sessions, and a fixture holds one';
    case 'gates':
      return 'it depends on quality-gate verdicts, which are not in the transcript';
    case 'transcript_gone':
      return `its transcript is gone, and scanning what the history keeps of it ${raisedWords(failure.raised)}`;
    case 'differs':
      return `scanning its steps as a generic transcript ${raisedWords(failure.raised)}. It may depend on your own thresholds, or on details that only the agent's own transcript has`;
  }
}

function raisedWords(raised: readonly { readonly detector: DetectorId; readonly level: Level }[]): string {
  const names = new Set(raised.map(({ detector, level }) => `${ruleName(detector, null)} (${level})`));
  return names.size === 0 ? 'raises nothing' : `raises ${[...names].join(', ')} instead`;
}

/** Describes a fixture that raises the alarm. */
export function fixtureWords(
  {
    detector,
    rule,
    level,
  }: { readonly detector: DetectorId; readonly rule: Parameters<typeof ruleName>[1]; readonly level: Level },
  { preset, from }: { readonly preset: Preset; readonly from: 'transcript' | 'kept' },
): string {
  const name = ruleName(detector, rule);
  return [
    preset === 'balanced'
      ? `Scanning the fixture raises ${name} (${level}) again.`
      : `Scanning the fixture with \`--preset ${preset}\` raises ${name} (${level}) again.`,
    ...(from === 'kept' ? ['It was made from the history, because the transcript is gone.'] : []),
    'Secrets are redacted and paths are neutral. Read it before you share it.',
  ].join(' ');
}
