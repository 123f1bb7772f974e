import type { RuleCard } from '../card';
import { BUTTONS, CAPABLE_MODEL, NOT_BACK_OF_SEVERAL, ONE_NEW, PERSON, WAITS, counts } from '../common';

export const cycle = {
  id: 'cycle',
  reason: 'cycle_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([2, 2], [2, 3], [3, 4]),
  unit: 'times',
  counts: 'laps',
  window: { size: 40, of: 'steps' },
  extras: {
    longestPeriod: { value: 12, text: 'Steps of the longest period that is looked for.' },
    ...WAITS,
  },
  notifies: 'at_stuck',
  streak: { rank: 4 },
  strategy: CAPABLE_MODEL,
  nextStep:
    'These steps go round in a circle. Leave the circle at one step: choose the one whose result you do not understand, and look into that first.',
  words: {
    name: 'Results in turn',
    pattern: 'same result',
    short: 'results in turn, {count:# round|# rounds}',
    label: '{name} ×{count}',
    figure: { label: 'Results in turn', value: '{count:# round|# rounds}', note: 'with the same results' },
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
  },
  rules: {
    peers: { words: { name: 'Edits undone in turn' } },
  },
} as const satisfies RuleCard;
