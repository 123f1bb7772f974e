import type { RuleCard } from '../card';
import { counts, startingFresh } from '../common';

export const condensationLoop = {
  id: 'condensation_loop',
  reason: 'condensation_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([1, 2], [1, 2], [2, 3]),
  unit: 'times',
  counts: 'returns after the context was condensed',
  window: { size: 20, of: 'steps' },
  notifies: 'at_stuck',
  ofContext: true,
  strategy: startingFresh('fresh_start', 'Condensing leads back to what failed: a fresh start with a summary.'),
  words: {
    name: 'Compacted again',
    pattern: 'without progress',
    short: 'failed again after compaction {count:# time|# times}',
    label: '{call}: failed again after compaction ×{count}',
    figure: { label: 'Failed again', value: '{count:# time|# times}', note: 'after compaction' },
    before: 'Before it, `{call}` failed again after compaction {count:# time|# times}.',
    toast: {
      text: 'is stuck: its context was condensed {count:# time|# times} and it went back to {call}.',
      buttons: ['Restart', 'Show Evidence', 'Not Stuck'],
    },
    nudge: {
      step: {
        main: 'Write down in one line why this call fails, where you will find it again, then take another way.',
      },
      counted: {
        main: 'The context was condensed, and what had failed before failed in the same way {count:once|# times} since.',
      },
      call: 'The call:',
      result: 'Its last result:',
    },
  },
  wordsForSubject: {
    subject: 'context compacted',
    words: {
      short: 'compacted again {count:# time|# times}',
      label: 'Compacted again ×{count}',
      figure: { label: 'Compacted again', value: '{count:# time|# times}', note: 'without progress' },
      before: 'Before it, the context was condensed again {count:# time|# times}.',
      nudge: {
        step: {
          main: 'Write down what is done and what is left, then take one small step of it and finish that before you read more.',
        },
        counted: {
          main: 'The context was condensed {count:# more time|# more times}{within}, and nothing new came in between.',
        },
      },
    },
  },
} as const satisfies RuleCard;
