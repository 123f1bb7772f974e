import type { RuleCard } from '../card';
import { BUTTONS, NOT_BACK, OTHER_RESULT, PERSON, WAITS, REASSIGN, counts } from '../common';

export const repeatingAction = {
  id: 'repeating_action',
  reason: 'repetition_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([2, 3], [3, 4], [5, 6]),
  unit: 'times',
  counts: 'steps in a row',
  window: { size: 10, of: 'steps' },
  extras: WAITS,
  notifies: 'at_stuck',
  streak: { rank: 0 },
  strategy: REASSIGN,
  nextStep:
    'Running {call} again will give the same result. Read the result above line by line, name what it says is wrong, and check that one cause before the next run.',
  words: {
    name: 'Same call again',
    pattern: 'same result',
    short: 'same result {count:# time|# times}',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Same result', value: '{count:# time|# times}', note: '{within}' },
    before: 'Before it, `{call}` gave the same result {count:# time|# times}.',
    toast: { text: 'is stuck: {call} gave the same result {count:# time|# times}.', buttons: BUTTONS },
    why: {
      moved: '`{call}` failed in the same places {count} times in a row. Only a value in the message moved: {moved}.',
      main: '`{call}` ran {count} times in a row with the same arguments and result.{given}',
      textsDiffer:
        '`{call}` failed {count} times in a row with the same arguments; only the text of the failure differs.{given}',
    },
    suggestion: {
      main: 'Use what `{call}` gave already; running it again tells nothing new.',
      failing: 'Read the result of `{call}` once more and change what it complains about before it runs again.',
    },
    clears: [OTHER_RESULT, NOT_BACK, PERSON],
  },
} as const satisfies RuleCard;
