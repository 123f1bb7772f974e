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
  strategy: nudging('inspect_first', 'It changed what it had not looked at: inspect first.'),
  words: {
    name: 'Acted without reading',
    pattern: 'not looked at before',
    short: 'acted on what it never read',
    label: '{call}: {pattern}',
    figure: { label: 'Not looked at', value: '{count:# step|# steps}', note: 'before it acted' },
    nudge: {
      step: { main: 'Read it before you go on with it, so that what you do fits what is there.' },
      counted: { main: '{You} worked on something that was not looked at in this session before.' },
      call: 'The step:',
    },
  },
} as const satisfies RuleCard;
