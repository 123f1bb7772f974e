import type { RuleCard } from '../card';
import { HINT, nudging } from '../common';

export const overHelpfulness = {
  id: 'over_helpfulness',
  reason: 'over_helpfulness',
  exhaustion: null,
  certainty: 'guessed',
  guessedFrom: 'text',
  thresholds: HINT,
  unit: 'times',
  counts: 'steps',
  window: { size: 20, of: 'steps' },
  extras: {},
  notifies: 'never',
  needsWholeSession: true,
  strategy: nudging('report_gap', 'Something was missing: report the gap, do not substitute.'),
  nextStep: 'Something you looked for was not there. Report the gap; do not fill it with invented data.',
  words: {
    name: 'Went on without data',
    pattern: 'same result',
    short: 'went on without data',
    label: '{call}: {short}',
    figure: { label: 'Without data', value: '{count:# step|# steps}', note: 'after nothing was found' },
  },
} as const satisfies RuleCard;
