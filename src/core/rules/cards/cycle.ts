import type { RuleCard } from '../card';
import { BUTTONS, CAPABLE_MODEL, NOT_BACK, NOT_BACK_OF_SEVERAL, ONE_NEW, PERSON, counts } from '../common';

export const cycle = {
  id: 'cycle',
  reason: 'cycle_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([2, 2], [2, 3], [3, 4]),
  unit: 'times',
  counts: 'laps',
  window: { size: 40, of: 'messages' },
  notifies: 'at_stuck',
  streak: { rank: 1 },
  showsFailedWays: true,
  strategy: CAPABLE_MODEL,
  words: {
    name: 'Going round in a cycle',
    pattern: 'same result',
    short: 'going round, {count:# round|# rounds}',
    label: '{name} ×{count}',
    figure: { label: 'Rounds', value: '{count:# round|# rounds}', note: 'with the same results' },
    toast: {
      text: 'is stuck: its steps take turns, {count:# round|# rounds} with the same results.',
      buttons: BUTTONS,
    },
    why: {
      main: '{period} steps take turns, {count} rounds, each with the same result as before: {turns}.',
    },
    suggestion: {
      main: 'All of these results are known: decide with them, or look at something that was not looked at yet.',
    },
    clears: [ONE_NEW, NOT_BACK_OF_SEVERAL, PERSON],
    nudge: {
      step: {
        main: 'Leave this round: take the step whose result you do not understand, and look into that one first.',
      },
      counted: {
        main: '{You} went {count:# time|# times} through the same round of steps{within}, with the same results.',
      },
      call: 'The round:',
      result: 'The last result of its first step:',
    },
  },
  rules: {
    returns: {
      streak: { rank: 7, countsAnew: true },
      words: {
        name: 'Changed back and forth',
        pattern: 'back again',
        short: 'changed back and forth, {count:# round|# rounds}',
        label: '{call}: {pattern} ×{count}',
        figure: { label: 'Back and forth', value: '{count:# round|# rounds}', note: 'of one file' },
        before: 'Before it: {short}.',
        toast: { text: 'is stuck: it changed one file back and forth, {count:# round|# rounds}.', buttons: BUTTONS },
        why: { main: '`{call}` brought the file to a content that it had before, {count} rounds.' },
        suggestion: { main: 'Both versions are known: say what each of them breaks before the next change.' },
        clears: [NOT_BACK, PERSON],
        nudge: {
          step: {
            main: 'Leave this file as it is for now: write down what each of the two versions breaks, and look for a third one.',
          },
          counted: {
            main: '{You} brought one file back to a content that it had before, {count:# time|# times}{within}.',
          },
          call: 'The last change:',
          between: 'In between:',
        },
      },
    },
    peers: {
      words: {
        name: 'Edits undone in turn',
        nudge: {
          step: {
            main: 'Leave this file as it is until your user has said which version is right, and go on with other work.',
          },
          counted: {
            main: '{You} and another agent undid each other’s edit of the same place {count:# time|# times}{within}.',
          },
          call: 'The edit:',
        },
      },
    },
  },
} as const satisfies RuleCard;
