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
  foundBy: 'cycle',
  notifies: 'at_stuck',
  streak: { rank: 2, quotesFailure: true },
  showsFailedWays: true,
  strategy: CAPABLE_MODEL,
  words: {
    name: 'Alternating steps, same error',
    pattern: 'same result',
    short: 'going round, {count:# round|# rounds}',
    label: '{name} ×{count}',
    figure: { label: 'Rounds', value: '{count:# round|# rounds}', note: 'with the same results' },
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
    nudge: {
      step: { main: 'Say in one sentence what the error below means, then try something different.' },
      counted: { main: 'The same steps took turns {count:# time|# times}{within}, with the same error each time.' },
      call: 'The steps:',
      result: 'The error:',
    },
  },
} as const satisfies RuleCard;
