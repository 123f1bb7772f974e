import type { RuleCard } from '../card';
import { BUTTONS, PERSON, counts, nudging, warnings } from '../common';

export const consecutiveFailures = {
  id: 'consecutive_failures',
  reason: 'consecutive_failures',
  exhaustion: 'attempts',
  certainty: 'counted',
  thresholds: counts([3, 4], [4, 5], [6, 8]),
  unit: 'times',
  counts: 'failing steps in a row with one error',
  window: { size: 20, of: 'messages' },
  shapes: {
    different: { limits: counts([4, 6], [6, 8], [9, 12]), counts: 'failures in a row that name different errors' },
    search: { limits: warnings(6, 8, 12), counts: 'failures in a row of which more than half name a new error' },
    sweep: {
      limits: counts([9, 15], [12, 20], [18, 30]),
      counts: 'failures with one error of one program on another target each time',
    },
  },
  notifies: 'at_stuck',
  streak: { rank: 4, vague: true },
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
    refused_edits: {
      shape: { limits: counts([2, 4], [4, 5], [5, 7]), counts: 'refused edits of one file' },
      streak: { rank: 3, countsAnew: true },
      words: {
        name: 'Edits refused',
        pattern: 'refused',
        short: '{count:# edit|# edits} of one file refused',
        figure: { label: 'Refused edits', value: '{count:# time|# times}', note: 'of one file' },
        before: 'Before it: {short}.',
        toast: { text: 'is stuck: {count:# edit|# edits} of one file were refused.', buttons: BUTTONS },
        why: { main: '{count} of the last edits of one file were refused.{given}' },
        suggestion: { main: 'Read the file as it is now, and copy the text to replace from what you read.' },
        clears: ['an edit of the file goes through', PERSON],
        nudge: {
          step: {
            main: 'Read the lines that you want to change once more, and copy the old text from there word by word, or write the whole file.',
          },
          counted: { main: '{count:# edit|# edits} of one file were refused{within}.' },
          call: 'The last edit:',
          result: 'Its answer:',
        },
      },
    },
    refused_request: {
      shape: { limits: counts([2, 3], [3, 5], [5, 8]), counts: 'equal refusals of the service' },
      words: {
        name: 'Request refused',
        pattern: 'refused',
        short: 'same request refused {count:# time|# times}',
        label: '{name} ×{count}',
        figure: { label: 'Refused', value: '{count:# time|# times}', note: 'for the same reason' },
        before: 'Before it: {short}.',
        toast: { text: 'is stuck: the service refused its request {count:# time|# times}.', buttons: BUTTONS },
        nudge: {
          step: { main: 'Shorten what you send, or ask your user for access: the same request is refused each time.' },
          counted: { main: 'The service refused the same request {count:# time|# times}{within}.' },
          result: 'Its answer:',
        },
      },
    },
    same_error: {
      streak: { rank: 5 },
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
