import type { RuleCard } from '../card';
import { BUTTONS, PERSON, counts, each, nudging } from '../common';

export const consecutiveFailures = {
  id: 'consecutive_failures',
  reason: 'consecutive_failures',
  exhaustion: 'attempts',
  certainty: 'counted',
  thresholds: counts([3, 4], [4, 5], [6, 8]),
  unit: 'times',
  counts: 'failing steps in a row with one error',
  window: { size: 20, of: 'steps' },
  extras: {
    differentWarn: { value: each(4, 6, 9), text: 'Failures in a row that name different errors, to warn.' },
    differentStuck: { value: each(6, 8, 12), text: 'Failures in a row that name different errors, to say stuck.' },
    sweepWarn: {
      value: each(9, 12, 18),
      text: 'Failures with one error of one program on another target each time, to warn.',
    },
    sweepStuck: {
      value: each(15, 20, 30),
      text: 'Failures with one error of one program on another target each time, to say stuck.',
    },
    searchWarn: {
      value: each(6, 8, 12),
      text: 'Failures in a row of which more than half name a new error, to warn; they never say stuck.',
    },
  },
  notifies: 'at_stuck',
  streak: { rank: 6, vague: true },
  showsFailedWays: true,
  strategy: nudging('name_common_error', 'Many failures with one cause: name the common error.'),
  words: {
    name: 'Failures in a row',
    pattern: 'failed',
    short: '{count:# call|# calls} in a row failed',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Failures', value: '{count:# call|# calls}', note: 'in a row' },
    before: 'Before it, {count:# call|# calls} in a row failed.',
    toast: { text: 'is stuck: {count:# call|# calls} in a row failed.', buttons: BUTTONS },
    why: { main: '{count} calls in a row failed, with {tools} different {tools:tool|tools}.{given}' },
    suggestion: { main: 'Say what these failures have in common, and check that one thing first.' },
    clears: ['a call that succeeds', PERSON],
    nudge: {
      step: { main: 'Name what these errors have in common, and check that one thing before the next call.' },
      counted: { main: '{count:# call|# calls} in a row failed{within}.' },
      result: 'Their errors, the last one at the end:',
      quotesErrors: true,
    },
  },
  rules: {
    same_error: {
      streak: { rank: 7 },
      words: {
        name: 'Same error again',
        pattern: 'same error',
        short: 'same error {count:# time|# times}',
        figure: { label: 'Same error', value: '{count:# time|# times}', note: '{within}' },
        before: 'Before it: {short}.',
        why: { main: '{count} calls failed with the same error, with different arguments.{given}' },
        suggestion: {
          main: 'Other arguments do not change this error: find out what causes it before the next attempt.',
        },
        clears: ['a success of one of these calls', PERSON],
        nudge: {
          step: {
            main: 'Other input does not change the error below: find its cause before the next attempt.',
          },
          counted: { main: '{count:# call|# calls} failed with the same error{within}, though their input differed.' },
          call: 'The last call:',
          between: 'In between:',
          result: 'The error:',
        },
      },
    },
  },
} as const satisfies RuleCard;
