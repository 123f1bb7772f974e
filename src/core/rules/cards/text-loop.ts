import type { RuleCard } from '../card';
import { BUTTONS, CONCRETE_ACTION, counts } from '../common';

export const textLoop = {
  id: 'text_loop',
  reason: 'text_loop',
  exhaustion: null,
  certainty: 'counted',
  guessedFrom: 'text',
  thresholds: counts([4, 6], [5, 8], [8, 12]),
  unit: 'times',
  counts: 'repeats of one text',
  window: { size: 8, of: 'messages' },
  extras: {
    shortPeriod: { value: 20, text: 'Characters below which a period is short.' },
    shortRepeats: { value: 12, text: 'Repeats that a short period needs to warn.' },
    tail: { value: 4096, text: 'Characters at the end of what is said that are looked at.' },
  },
  notifies: 'at_stuck',
  strategy: CONCRETE_ACTION,
  words: {
    name: 'Same text again',
    pattern: 'same text',
    short: 'same text {count:# time|# times}',
    label: '{name} ×{count}',
    figure: { label: 'Same text', value: '{count:# time|# times}', note: 'in this turn' },
    toast: { text: 'is stuck: the same text came {count:# time|# times}.', buttons: BUTTONS },
    nudge: {
      step: { main: 'Take one concrete action with a tool, or end your turn with a question.' },
      counted: { main: 'The same text came {count:# time|# times} in what {you} wrote.' },
      call: 'The text:',
    },
  },
} as const satisfies RuleCard;
