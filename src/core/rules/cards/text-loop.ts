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
  shapes: {
    short: { limits: counts([12, 18], [12, 20], [16, 24]), counts: 'repeats of fewer than 20 characters' },
  },
  notifies: 'at_stuck',
  strategy: CONCRETE_ACTION,
  words: {
    name: 'Same text again',
    pattern: 'same text',
    short: 'same text {count:# time|# times}',
    label: '{name} ×{count}',
    figure: { label: 'Same text', value: '{count:# time|# times}', note: 'in this turn' },
    toast: { text: 'is stuck: it wrote the same text {count:# time|# times}.', buttons: BUTTONS },
    nudge: {
      step: { main: 'Take one concrete action with a tool, or end your turn with a question.' },
      counted: { main: '{You} wrote the same text {count:# time|# times}.' },
      call: 'The text:',
    },
  },
} as const satisfies RuleCard;
