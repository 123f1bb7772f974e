import type { RuleCard } from '../card';
import { counts, startingFresh } from '../common';

export const tokenExhaustion = {
  id: 'token_exhaustion',
  reason: 'token_exhaustion',
  exhaustion: 'tokens',
  certainty: 'counted',
  thresholds: counts([70, 85], [80, 90], [85, 95]),
  unit: 'percent',
  counts: 'percent of the context or of a limit',
  window: { size: 10, of: 'steps' },
  notifies: 'at_stuck',
  ofContext: true,
  strategy: startingFresh(
    'respawn_with_checkpoint',
    'The context is nearly full. Save the work, and let a fresh agent continue.',
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
      textWithoutTime: 'has used {count} % of its context without anything new.',
      buttons: ['Save Checkpoint', 'Show Evidence', 'Not Stuck'],
    },
    nudge: {
      step: {
        main: 'Write the state of the work and the next steps to a file now, so that a fresh session can continue from it.',
      },
      counted: { main: '{count} % of the context is used, and there has been nothing new for a while.' },
    },
  },
} as const satisfies RuleCard;
