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
  nextStep: 'Read the file before you change it, so that the change fits what is there.',
  words: {
    name: 'Edited unread file',
    pattern: 'not read before',
    short: 'edits unread files',
    label: '{call}: {short}',
    figure: { label: 'Unread files', value: '{count:# edit|# edits}', note: 'without reading first' },
  },
} as const satisfies RuleCard;
