import type { RuleCard } from '../card';
import { BUTTONS, CAPABLE_MODEL, NOT_BACK, NOT_BACK_OF_SEVERAL, ONE_NEW, PERSON, counts } from '../common';

export const cycle = {
  id: 'cycle',
  reason: 'cycle_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([2, 2], [2, 3], [3, 4]),
  unit: 'times',
  counts: 'rounds',
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
      text: 'is stuck: the same steps repeat in turn, {count:# round|# rounds} with the same results.',
      buttons: BUTTONS,
    },
    why: {
      main: '{period} steps repeat in turn, {count} rounds with the same results: {turns}.',
    },
    suggestion: {
      main: 'All of these results are known. Use them to decide, or look at something new.',
    },
    clears: [ONE_NEW, NOT_BACK_OF_SEVERAL, PERSON],
    nudge: {
      step: {
        main: 'Break this cycle: pick the step whose result you do not understand, and look into that first.',
      },
      counted: {
        main: '{You} repeated the same round of steps {count:# time|# times}{within}, with the same results.',
      },
      call: 'The round:',
      result: 'The last result of its first step:',
    },
  },
  rules: {
    returns: {
      streak: { rank: 7, recounts: true },
      words: {
        name: 'Changed back and forth',
        pattern: 'back again',
        short: 'changed back and forth, {count:# round|# rounds}',
        label: '{call}: {pattern} ×{count}',
        figure: { label: 'Back and forth', value: '{count:# round|# rounds}', note: 'of one file' },
        toast: { text: 'is stuck: it changed one file back and forth, {count:# round|# rounds}.', buttons: BUTTONS },
        why: { main: '`{call}` returned the file to an earlier version, {count} rounds.' },
        suggestion: { main: 'Both versions are known. Say what each of them breaks before the next change.' },
        clears: [NOT_BACK, PERSON],
        nudge: {
          step: {
            main: 'Do not change this file for now. Write down what each of the two versions breaks, and look for a third one.',
          },
          counted: {
            main: '{You} returned one file to an earlier version {count:# time|# times}{within}.',
          },
          call: 'The last change:',
          between: 'In between:',
        },
      },
    },
    peers: {
      words: {
        name: 'Agents undo each other',
        nudge: {
          step: {
            main: 'Do not change this file until your user has said which version is right. Continue with other work.',
          },
          counted: {
            main: '{You} and another agent undid each other’s edits of the same lines {count:# time|# times}{within}.',
          },
          call: 'The edit:',
        },
      },
    },
  },
} as const satisfies RuleCard;
