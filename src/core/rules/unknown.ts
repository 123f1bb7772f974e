import type { DetectorId } from '../model';
import type { RuleCard } from './card';
import { nudging } from './common';

/**
 * Makes the card of a rule that this version does not have: a history may hold incidents of a newer rule, or of a removed one. It shows no more than
 * the count. No detector uses it.
 */
export function unknownCard(detector: string): RuleCard {
  const words = detector.replaceAll(/[_\s]+/g, ' ').trim();
  const name = words === '' ? 'Unknown rule' : words[0]?.toUpperCase() + words.slice(1);
  const off = { on: false, warn: 1, stuck: Number.POSITIVE_INFINITY };
  return {
    id: detector as DetectorId,
    reason: 'repetition_loop',
    exhaustion: null,
    certainty: 'counted',
    thresholds: { eager: off, balanced: off, patient: off },
    unit: 'times',
    counts: 'what a rule of another version counts',
    notifies: 'never',
    strategy: nudging('concrete_action', 'This version does not know the rule. Send feedback only.'),
    words: {
      name,
      pattern: 'found by another version',
      short: '{name}, {count:# time|# times}',
      label: '{name}: {call} ×{count}',
      figure: { label: 'Found', value: '{count:# time|# times}', note: 'by a rule of another version' },
      nudge: {
        step: { main: 'Say what you are trying to do, and what is in the way.' },
        counted: { main: 'A rule of another version of Unstuck counted {count:# time|# times}.' },
      },
    },
  };
}
