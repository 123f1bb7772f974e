import type { RuleCard } from '../card';
import { counts, startingFresh } from '../common';

export const tokenExhaustion = {
  id: 'token_exhaustion',
  reason: 'token_exhaustion',
  exhaustion: 'tokens',
  certainty: 'counted',
  thresholds: counts([70, 85], [80, 90], [85, 95]),
  unit: 'percent',
  counts: 'percent of the context or limit',
  window: { size: 10, of: 'steps' },
  notifies: 'at_stuck',
  ofContext: true,
  strategy: startingFresh(
    'respawn_with_checkpoint',
    'The context is nearly full: the work is saved, and a fresh agent goes on with it.',
    { savesWork: true },
  ),
  words: {
    name: 'Context nearly full',
    pattern: 'same result',
    short: '{count} % of the context used',
    label: 'Context {count} % used',
    figure: { label: 'Context used', value: '{count} %', note: 'nothing new since' },
    toast: {
      text: 'has used {count} % of its context, with nothing new for {time}.',
      textWithoutTime: 'has used {count} % of its context, with nothing new since.',
      buttons: ['Save Checkpoint', 'Show Evidence', 'Not Stuck'],
    },
    nudge: {
      step: {
        main: 'Write the state of the work and the next steps into a file now, so that a fresh session can go on from it.',
      },
      counted: { main: '{count} % of the context is used, and nothing new has come for a while.' },
    },
  },
} as const satisfies RuleCard;
