import type { RuleCard } from '../card';
import { nudging, warnings } from '../common';

export const oversizedResponse = {
  id: 'oversized_response',
  reason: 'oversized_response',
  exhaustion: null,
  certainty: 'counted',
  thresholds: warnings(100_000, 200_000, 400_000),
  unit: 'characters',
  counts: 'characters of one result',
  notifies: 'never',
  strategy: nudging('search_in_result', 'The result is too large to read. Point to its file, to be searched.'),
  words: {
    name: 'Large result',
    pattern: 'same result',
    short: '{size} characters',
    label: '{call}: {size} characters',
    figure: { label: 'Large result', value: '{size}', note: 'characters' },
    nudge: {
      step: { main: 'Search that result for what you need, or read one part of it, instead of reading all of it.' },
      counted: { main: 'One result had {count:# character|# characters}; {you} may not have seen all of it.' },
      call: 'The call:',
    },
  },
} as const satisfies RuleCard;
