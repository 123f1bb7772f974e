import type { RuleCard } from '../card';
import { BUTTONS, counts, nudging } from '../common';

export const contextPollution = {
  id: 'context_pollution',
  reason: 'retry_pollution',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([1, 2], [1, 2], [2, 3]),
  unit: 'times',
  counts: 'failing steps',
  notifies: 'at_stuck',
  ofContext: true,
  showsFailedWays: true,
  strategy: nudging('quote_failed_attempts', 'It is retrying what failed. Quote the failed attempts.'),
  words: {
    name: 'Retrying a failed approach',
    pattern: 'failed before',
    short: 'retries a failed approach',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Failed approach', value: '{count:# time|# times}', note: 'after the restart' },
    toast: { text: 'is retrying what failed before: {call}.', buttons: BUTTONS },
    nudge: {
      step: { main: 'Take an approach that is not in the list of failed attempts.' },
      counted: {
        main: 'An approach from the list of failed attempts was tried again, and failed again{count:| # times}.',
      },
      call: 'The approach that failed before:',
      result: 'Its last result:',
    },
  },
} as const satisfies RuleCard;
