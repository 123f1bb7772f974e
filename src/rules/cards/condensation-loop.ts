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
  extras: {},
  notifies: 'at_stuck',
  strategy: startingFresh('fresh_start', 'Condensing leads back to what failed: a fresh start with a summary.'),
  nextStep:
    'Your context was condensed and you went back to what had failed. Write down in one line why it failed, then take another way.',
  words: {
    name: 'Compacted again',
    pattern: 'without progress',
    short: 'failed again after compaction {count:# time|# times}',
    label: '{call}: failed again after compaction ×{count}',
    figure: { label: 'Failed again', value: '{count:# time|# times}', note: 'after compaction' },
    before: 'Before it, `{call}` failed again after compaction {count:# time|# times}.',
    toast: {
      text: 'is stuck: its context was condensed {count:# time|# times} and it went back to {call}.',
      buttons: ['Show Evidence', 'Restart', 'Not Stuck', 'Mute'],
    },
  },
  wordsForSubject: {
    subject: 'context compacted',
    words: {
      short: 'compacted again {count:# time|# times}',
      label: 'Compacted again ×{count}',
      figure: { label: 'Compacted again', value: '{count:# time|# times}', note: 'without progress' },
      before: 'Before it, the context was condensed again {count:# time|# times}.',
    },
  },
} as const satisfies RuleCard;
