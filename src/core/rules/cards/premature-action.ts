import type { RuleCard } from '../card';
import { HINT, nudging } from '../common';

export const prematureAction = {
  id: 'premature_action',
  reason: 'premature_action',
  exhaustion: null,
  certainty: 'guessed',
  guessedFrom: 'text',
  thresholds: HINT,
  unit: 'times',
  counts: 'edits',
  notifies: 'never',
  hints: 'all',
  needsWholeSession: true,
  strategy: nudging('inspect_first', 'It changed what it had not read. Ask it to read first.'),
  words: {
    name: 'Acted without reading',
    pattern: 'not read before',
    short: 'acted on what it never read',
    label: '{call}: {pattern}',
    figure: { label: 'Not read', value: '{count:# step|# steps}', note: 'before it acted' },
    nudge: {
      step: { main: 'Read it before you continue, so that what you do fits what is there.' },
      counted: { main: '{You} changed something that had not been read in this session.' },
      call: 'The step:',
    },
  },
} as const satisfies RuleCard;
