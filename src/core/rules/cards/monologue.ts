import type { RuleCard } from '../card';
import { BUTTONS, CONCRETE_ACTION, counts, each } from '../common';

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
  extras: {
    differing: { value: each(3, 4, 6), text: 'Messages in a row that differ, in a turn without any call, to warn.' },
  },
  notifies: 'at_stuck',
  strategy: CONCRETE_ACTION,
  words: {
    name: 'Talk without action',
    pattern: 'same text',
    short: '{count:# message|# messages} without a call',
    label: '{name} ×{count}',
    figure: { label: 'Messages', value: '{count:# message|# messages}', note: 'without a tool call' },
    toast: { text: 'is stuck: {count:# message|# messages} in a row without a tool call.', buttons: BUTTONS },
    nudge: {
      step: {
        main: 'Take one concrete action now: a tool call that moves the task on, or a question to your user if something is missing.',
      },
      counted: { main: '{You} wrote {count:# message|# messages} in a row{within} without a tool call.' },
      call: 'The last of them:',
    },
  },
} as const satisfies RuleCard;
