import type { RuleCard } from '../card';
import { BUTTONS, counts, nudging } from '../common';

export const validationFailure = {
  id: 'validation_failure',
  reason: 'validation_failure',
  exhaustion: 'attempts',
  certainty: 'counted',
  thresholds: counts([2, 3], [2, 3], [4, 5]),
  unit: 'times',
  counts: 'malformed calls in a row',
  shapes: {
    text: { limits: counts([2, 3], [3, 4], [4, 5]), counts: 'answers in the wrong format in a row' },
    between: { limits: counts([3, 4], [4, 5], [6, 8]), counts: 'malformed calls of one tool, with others between' },
  },
  notifies: 'at_stuck',
  strategy: nudging('format_reminder', 'Its calls are malformed. Remind it of the format at once.', { atOnce: true }),
  words: {
    name: 'Malformed calls',
    pattern: 'malformed',
    short: '{count:# malformed call|# malformed calls}',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Malformed', value: '{count:# call|# calls}', note: 'and none that fits' },
    toast: { text: 'is stuck: {count:# malformed call|# malformed calls}.', buttons: BUTTONS },
    nudge: {
      step: {
        unknown_tool: 'The tool that you called does not exist. Use one from your own list, by its exact name.',
        invalid_arguments: 'Send one call with all required fields, each of the type that the answer below requires.',
        unparsable: 'Send one call whose arguments are valid JSON: close each quote and brace, and escape line breaks.',
        invalid_completion: 'Send your completion signal again, as valid JSON.',
        truncated: 'Send less at once: write long content in several smaller calls.',
        format: 'Send one answer in exactly the format that the message below requires.',
        main: 'Send one well-formed call: the exact tool name, all required fields, arguments as valid JSON.',
      },
      counted: {
        format: '{count:# answer|# answers} did not have the required format.',
        main: '{count:# call|# calls} were malformed.',
      },
      call: 'The last one:',
      result: 'The answer to it:',
    },
  },
} as const satisfies RuleCard;
