import type { RuleCard } from '../card';
import { counts, nudging } from '../common';

export const gateBlocked = {
  id: 'gate_blocked',
  reason: 'gate_blocked',
  exhaustion: 'attempts',
  certainty: 'counted',
  thresholds: counts([1, 2], [1, 3], [2, 4]),
  unit: 'times',
  counts: 'claims to be done in a row that a gate blocked',
  notifies: 'first_block_and_stuck',
  ofContext: true,
  strategy: nudging('blocking_event', 'A gate failed. Tell the agent what is wrong.'),
  words: {
    name: 'Gate failed again',
    pattern: 'blocked',
    short: 'gate failed {count:# time|# times}',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Gate failed', value: '{count:# time|# times}', note: 'when it said it was done' },
    toast: { text: 'says it is done, but {gate}.', buttons: ['Show Gates', 'Send to Agent', 'Not Stuck'] },
    nudge: {
      step: { main: 'Fix the first failure below, then run the check again before you say that the work is done.' },
      counted: { main: 'The work was declared done, and the checks failed, {count:once|# times} in a row.' },
      call: 'The check:',
      result: 'Its output:',
    },
  },
} as const satisfies RuleCard;
