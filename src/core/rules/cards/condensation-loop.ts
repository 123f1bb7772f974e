import type { RuleCard } from '../card';
import { counts, startingFresh } from '../common';

export const condensationLoop = {
  id: 'condensation_loop',
  reason: 'condensation_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([1, 2], [1, 2], [2, 3]),
  unit: 'times',
  counts: 'failures that come back after a compaction',
  window: { size: 20, of: 'steps' },
  notifies: 'at_stuck',
  ofContext: true,
  strategy: startingFresh('fresh_start', 'Compaction leads back to what failed. Start fresh with a summary.'),
  words: {
    name: 'Compacted again',
    pattern: 'without progress',
    short: 'failed again after compaction {count:# time|# times}',
    label: '{call}: failed again after compaction ×{count}',
    figure: { label: 'Failed again', value: '{count:# time|# times}', note: 'after compaction' },
    before: 'Before that, `{call}` failed again after compaction {count:# time|# times}.',
    toast: {
      text: 'is stuck: its context was compacted {count:# time|# times} and it went back to {call}.',
      buttons: ['Restart', 'Show Evidence', 'Not Stuck'],
    },
    nudge: {
      step: {
        main: 'Write down in one line why this call fails, in a place where you will find it again. Then try a different approach.',
      },
      counted: {
        main: 'The context was compacted. What had failed before has failed the same way {count:once|# times} since.',
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
      before: 'Before that, the context was compacted again {count:# time|# times}.',
      nudge: {
        step: {
          main: 'Write down what is done and what is left. Then finish one small step of it before you read more.',
        },
        counted: {
          main: 'The context was compacted {count:# more time|# more times}{within}, with nothing new in between.',
        },
      },
    },
  },
} as const satisfies RuleCard;
