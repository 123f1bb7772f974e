import type { RuleCard } from '../card';
import { BUTTONS, CONCRETE_ACTION, counts, warnings } from '../common';

export const monologue = {
  id: 'monologue',
  reason: 'no_action',
  exhaustion: null,
  certainty: 'counted',
  guessedFrom: 'text',
  thresholds: counts([2, 3], [2, 3], [4, 5]),
  unit: 'times',
  counts: 'equal messages in a row',
  window: { size: 8, of: 'messages' },
  shapes: {
    differing: { limits: warnings(3, 4, 6), counts: 'different messages in a row, in a turn without a call' },
  },
  notifies: 'at_stuck',
  hints: 'guesses',
  strategy: CONCRETE_ACTION,
  words: {
    name: 'Talking, not acting',
    pattern: 'same text',
    short: '{count:# message|# messages} without a call',
    label: '{name} ×{count}',
    figure: { label: 'Messages', value: '{count:# message|# messages}', note: 'without a tool call' },
    toast: { text: 'is stuck: {count:# message|# messages} in a row without a tool call.', buttons: BUTTONS },
    nudge: {
      step: {
        main: 'Take one concrete action now: a tool call that advances the task, or a question to your user if something is missing.',
      },
      counted: { main: '{You} wrote {count:# message|# messages} in a row{within} without a tool call.' },
      call: 'The last one:',
    },
  },
  rules: {
    sent_back: {
      shape: { limits: counts([2, 3], [3, 5], [5, 8]), counts: 'times that a program sent it back with the same text' },
      words: {
        name: 'Sent back again',
        pattern: 'sent back',
        short: 'sent back {count:# time|# times}',
        figure: { label: 'Sent back', value: '{count:# time|# times}', note: 'with the same text' },
        toast: { text: 'is stuck: it was sent back {count:# time|# times} with the same text.', buttons: BUTTONS },
        nudge: {
          step: {
            main: 'Say in one sentence what the text below asks for and why you cannot do it. Then ask your user how to continue.',
          },
          counted: {
            main: 'The same text sent {you} back {count:# time|# times}{within}, and nothing new came of it.',
          },
          result: 'The text:',
        },
      },
    },
  },
} as const satisfies RuleCard;
