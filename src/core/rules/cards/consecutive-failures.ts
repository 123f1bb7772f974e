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
    different: { limits: counts([4, 6], [6, 8], [9, 12]), counts: 'failures in a row with different errors' },
    search: { limits: warnings(6, 8, 12), counts: 'failures in a row, more than half of them with a new error' },
    sweep: {
      limits: counts([9, 15], [12, 20], [18, 30]),
      counts: 'failures of one program with one error, on a different target each time',
    },
  },
  notifies: 'at_stuck',
  streak: { rank: 4, vague: true },
  showsFailedWays: true,
  strategy: nudging('name_common_error', 'Many failures share one cause. Ask the agent to name it.'),
  words: {
    name: 'Failures in a row',
    pattern: 'failed',
    short: '{count:# call|# calls} in a row failed',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Failures', value: '{count:# call|# calls}', note: 'in a row' },
    before: 'Before that, {count:# call|# calls} in a row failed.',
    toast: { text: 'is stuck: {count:# call|# calls} in a row failed.', buttons: BUTTONS },
    why: { main: '{count} calls in a row failed, of {tools} different {tools:tool|tools}.{given}' },
    suggestion: { main: 'Name what these failures have in common, and check that first.' },
    clears: ['a call that succeeds', PERSON],
    nudge: {
      step: { main: 'Name what these errors have in common, and check that before the next call.' },
      counted: { main: '{count:# call|# calls} in a row failed{within}.' },
      result: 'The errors, newest last:',
      quotesErrors: true,
    },
  },
  rules: {
    refused_edits: {
      shape: { limits: counts([2, 4], [4, 5], [5, 7]), counts: 'refused edits of one file' },
      streak: { rank: 3, recounts: true },
      words: {
        name: 'Edits refused',
        pattern: 'refused',
        short: '{count:# edit|# edits} of one file refused',
        figure: { label: 'Refused edits', value: '{count:# time|# times}', note: 'of one file' },
        before: 'Before that: {short}.',
        toast: { text: 'is stuck: {count:# edit|# edits} of one file were refused.', buttons: BUTTONS },
        why: { main: '{count} of the last edits of one file were refused.{given}' },
        suggestion: { main: 'Read the file as it is now, and copy the text to replace from there.' },
        clears: ['an edit of the file succeeds', PERSON],
        nudge: {
          step: {
            main: 'Read the lines you want to change again and copy the old text from there exactly, or write the whole file.',
          },
          counted: { main: '{count:# edit|# edits} of one file were refused{within}.' },
          call: 'The last edit:',
          result: 'Its answer:',
        },
      },
    },
    refused_request: {
      shape: { limits: counts([2, 3], [3, 5], [5, 8]), counts: 'refusals by the service for the same reason' },
      words: {
        name: 'Request refused',
        pattern: 'refused',
        short: 'same request refused {count:# time|# times}',
        label: '{name} ×{count}',
        figure: { label: 'Refused', value: '{count:# time|# times}', note: 'for the same reason' },
        before: 'Before that: {short}.',
        toast: { text: 'is stuck: the service refused its request {count:# time|# times}.', buttons: BUTTONS },
        nudge: {
          step: { main: 'The same request is refused each time. Shorten what you send, or ask your user for access.' },
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
        before: 'Before that: {short}.',
        why: { main: '{count} calls with different arguments failed with the same error.{given}' },
        suggestion: {
          main: 'Different arguments do not change this error. Find out what causes it before the next attempt.',
        },
        clears: ['one of these calls succeeds', PERSON],
        nudge: {
          step: {
            main: 'Different input does not change the error below. Find its cause before the next attempt.',
          },
          counted: { main: '{count:# call|# calls} with different input failed with the same error{within}.' },
          call: 'The last call:',
          between: 'In between:',
          result: 'The error:',
        },
      },
    },
  },
} as const satisfies RuleCard;
