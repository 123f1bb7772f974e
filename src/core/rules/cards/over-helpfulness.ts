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
  notifies: 'never',
  hints: 'all',
  needsWholeSession: true,
  strategy: nudging('report_gap', 'Something is missing. Ask the agent to report the gap, not to fill it.'),
  words: {
    name: 'Continued without the missing data',
    pattern: 'same result',
    short: 'continued without the missing data',
    label: '{call}: {short}',
    figure: { label: 'Without data', value: '{count:# step|# steps}', note: 'after nothing was found' },
    nudge: {
      step: { main: 'Say what is missing and ask your user for it. Do not fill the gap with made-up data.' },
      counted: { main: 'Something was not found, and what {you} wrote next may be made up in its place.' },
      call: 'The call that found nothing:',
    },
  },
} as const satisfies RuleCard;
