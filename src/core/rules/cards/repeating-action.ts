import type { RuleCard } from '../card';
import { BUTTONS, NOT_BACK, OTHER_RESULT, PERSON, REASSIGN, counts } from '../common';

export const repeatingAction = {
  id: 'repeating_action',
  reason: 'repetition_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([2, 3], [3, 4], [5, 6]),
  unit: 'times',
  counts: 'steps in a row',
  window: { size: 10, of: 'messages' },
  notifies: 'at_stuck',
  streak: { rank: 0 },
  showsFailedWays: true,
  strategy: REASSIGN,
  words: {
    name: 'Same call again',
    pattern: 'same result',
    short: 'same result {count:# time|# times}',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Same result', value: '{count:# time|# times}', note: '{within}' },
    before: 'Before that, `{call}` gave the same result {count:# time|# times}.',
    toast: { text: 'is stuck: {call} gave the same result {count:# time|# times}.', buttons: BUTTONS },
    why: {
      moved: '`{call}` failed in the same places {count} times in a row. Only a value in the message moved: {moved}.',
      main: '`{call}` ran {count} times in a row with the same arguments and result.{given}',
      textsDiffer:
        '`{call}` failed {count} times in a row with the same arguments. Only the text of the failure differs.{given}',
    },
    suggestion: {
      main: 'Use the result that `{call}` already gave. Running it again shows nothing new.',
      failing: 'Read the result of `{call}` again, and change what it complains about before the next run.',
    },
    clears: [OTHER_RESULT, NOT_BACK, PERSON],
    nudge: {
      step: {
        moved:
          'Before the next run, compare the values below. Work out by hand what the value must be, then look where it is computed.',
        failing:
          'Before you run this call again, read its result below line by line, name the cause that it states, and check that cause.',
        main: 'Use the result you have: this call returns the same answer each time. Read all of it, change what it depends on, or try something different.',
      },
      counted: {
        moved:
          '{You} ran the same check {count:# time|# times} in a row{within}. It failed in the same places each time. Only a value in its message moved.',
        textsDiffer:
          '{You} ran the same call {count:# time|# times} in a row{within}. It failed each time, with a different text.',
        main: '{You} ran the same call {count:# time|# times} in a row{within}, with the same result each time.',
      },
      call: 'The call:',
      result: 'Its last result:',
    },
  },
} as const satisfies RuleCard;
