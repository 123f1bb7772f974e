import type { RuleCard } from '../card';
import { BUTTONS, CAPABLE_MODEL, NOT_BACK_OF_SEVERAL, ONE_NEW, PERSON, counts } from '../common';

export const actionErrorAlternation = {
  id: 'action_error_alternation',
  reason: 'alternation_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([2, 2], [2, 3], [3, 4]),
  unit: 'times',
  counts: 'laps',
  window: { size: 40, of: 'steps' },
  extras: {},
  foundBy: 'cycle',
  notifies: 'at_stuck',
  streak: { rank: 5, quotesFailure: true },
  strategy: CAPABLE_MODEL,
  nextStep:
    'The two steps undo or repeat each other. Stop both, say what the error means in one sentence, and try one step that is neither of them.',
  words: {
    name: 'Action and error in turn',
    pattern: 'same result',
    short: 'results in turn, {count:# round|# rounds}',
    label: '{name} ×{count}',
    figure: { label: 'Results in turn', value: '{count:# round|# rounds}', note: 'with the same results' },
    toast: {
      text: 'is stuck: its steps take turns, {count:# round|# rounds} with the same results.',
      buttons: BUTTONS,
    },
    why: {
      main: '{turns} take turns, {count} rounds, each with the same result as before, and the same error each time.{given}',
    },
    suggestion: {
      main: 'Neither step changes the error: name its cause, then try one thing that was not tried yet.',
    },
    clears: [ONE_NEW, NOT_BACK_OF_SEVERAL, PERSON],
  },
} as const satisfies RuleCard;
