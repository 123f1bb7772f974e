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
  window: { size: 20, of: 'steps' },
  extras: {},
  notifies: 'never',
  needsWholeSession: true,
  strategy: nudging('inspect_first', 'It changed what it had not read: inspect first.'),
  words: {
    name: 'Edited unread file',
    pattern: 'not read before',
    short: 'edits unread files',
    label: '{call}: {short}',
    figure: { label: 'Unread files', value: '{count:# edit|# edits}', note: 'without reading first' },
    nudge: {
      step: { main: 'Read it before you go on with it, so that what you do fits what is there.' },
      counted: { main: '{You} worked on something that was not looked at in this session before.' },
      call: 'The step:',
    },
  },
} as const satisfies RuleCard;
