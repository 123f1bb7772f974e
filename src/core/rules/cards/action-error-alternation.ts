import type { RuleCard } from '../card';
import { BUTTONS, CAPABLE_MODEL, NOT_BACK_OF_SEVERAL, ONE_NEW, PERSON } from '../common';
import { cycle } from './cycle';

export const actionErrorAlternation = {
  id: 'action_error_alternation',
  reason: 'alternation_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: cycle.thresholds,
  unit: 'times',
  counts: 'rounds',
  foundBy: 'cycle',
  notifies: 'at_stuck',
  streak: { rank: 2, quotesFailure: true },
  showsFailedWays: true,
  strategy: CAPABLE_MODEL,
  words: {
    name: 'Alternating steps, same errors',
    pattern: 'same result',
    short: 'going round, {count:# round|# rounds}',
    label: '{name} ×{count}',
    figure: { label: 'Rounds', value: '{count:# round|# rounds}', note: 'with the same results' },
    toast: {
      text: 'is stuck: the same steps repeat in turn, {count:# round|# rounds} with the same results.',
      buttons: BUTTONS,
    },
    why: {
      main: '{turns} alternate: {count} rounds with the same results and errors.{given}',
    },
    suggestion: {
      main: 'Neither step changes the error. Name its cause, then try one thing that has not been tried yet.',
    },
    clears: [ONE_NEW, NOT_BACK_OF_SEVERAL, PERSON],
    nudge: {
      step: { main: 'Say in one sentence what the error below means, then try something different.' },
      counted: { main: 'The same steps alternated {count:# time|# times}{within}, with the same errors each time.' },
      call: 'The steps:',
      result: 'The error:',
    },
  },
} as const satisfies RuleCard;
