import type { RuleCard } from '../card';
import { BUTTONS, counts, each, nudging } from '../common';

export const validationFailure = {
  id: 'validation_failure',
  reason: 'validation_failure',
  exhaustion: 'attempts',
  certainty: 'counted',
  thresholds: counts([2, 3], [2, 3], [4, 5]),
  unit: 'times',
  counts: 'malformed outputs in a row',
  window: { size: 20, of: 'steps' },
  extras: {
    formatWarn: { value: each(2, 3, 4), text: 'Texts in the wrong format in a row, to warn.' },
    formatStuck: { value: each(3, 4, 5), text: 'Texts in the wrong format in a row, to say stuck.' },
  },
  notifies: 'at_stuck',
  strategy: nudging('format_reminder', 'Malformed calls: a reminder of the format, at once.', { atOnce: true }),
  nextStep:
    'Your last calls were malformed. Send one well-formed call: the exact tool name, all required fields, arguments as valid JSON.',
  words: {
    name: 'Malformed calls',
    pattern: 'malformed',
    short: '{count:# malformed call|# malformed calls} in a row',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Malformed', value: '{count:# call|# calls}', note: 'in a row' },
    toast: { text: 'is stuck: {count:# malformed call|# malformed calls} in a row.', buttons: BUTTONS },
  },
} as const satisfies RuleCard;
