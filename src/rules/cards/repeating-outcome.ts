import type { RuleCard } from '../card';
import { BUTTONS, NOT_BACK, OTHER_RESULT, PERSON, POLLS, REASSIGN, counts, each } from '../common';

export const repeatingOutcome = {
  id: 'repeating_outcome',
  reason: 'repetition_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([2, 3], [3, 4], [5, 6]),
  unit: 'times',
  counts: 'steps with the same result',
  window: { size: 20, of: 'steps' },
  extras: {
    ...POLLS,
    knownWarn: {
      value: each(4, 6, 9),
      text: 'Rule `known_outcomes`: steps in a row whose result was known, to warn.',
    },
    knownStuck: {
      value: each(7, 10, 15),
      text: 'Rule `known_outcomes`: steps in a row whose result was known, to say stuck.',
    },
    fewWarn: { value: each(3, 3, 5), text: 'Rule `few_distinct`: runs of one call with a known result, to warn.' },
    fewStuck: {
      value: each(4, 4, 6),
      text: 'Rule `few_distinct`: runs of one call with a known result, to say stuck.',
    },
    churnWarn: {
      value: each(5, 6, 9),
      text: 'Rule `argument_churn`: calls with other arguments and one result, to warn.',
    },
    churnStuck: {
      value: each(8, 10, 15),
      text: 'Rule `argument_churn`: calls with other arguments and one result, to say stuck.',
    },
  },
  notifies: 'at_stuck',
  streak: { rank: 3, waitsFor: 'cycle' },
  strategy: REASSIGN,
  nextStep:
    'The edits so far may not touch what decides this result. Before the next edit, find out whether the code you change is run at all: print a value in the failing place, or read the file that the message names.',
  words: {
    name: 'Same result, interleaved',
    pattern: 'same result',
    short: 'same result {count:# time|# times}',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Same result', value: '{count:# time|# times}', note: '{within}' },
    before: 'Before it, `{call}` gave the same result {count:# time|# times}.',
    toast: { text: 'is stuck: {call} gave the same result {count:# time|# times}.', buttons: BUTTONS },
    why: {
      main: '`{call}` gave the same result {count} times in the last {span} steps, with other calls in between.{given}',
      edited:
        '`{call}` gave the same result {count} times in the last {span} steps, with {edits:one edit|# different edits} in between. No edit changed the result{unchanged}.',
      editedOneFile:
        '`{call}` gave the same result {count} times in the last {span} steps, with {edits:one edit|# different edits} of `{file}` in between. No edit changed the result{unchanged}.',
    },
    suggestion: {
      main: 'Use what `{call}` gave already; it has not changed.',
      failing: 'Read the whole result of `{call}`, and check the cause it names before the next edit.',
    },
    clears: [OTHER_RESULT, NOT_BACK, PERSON],
  },
  rules: {
    known_outcomes: {
      limits: { warn: 'knownWarn', stuck: 'knownStuck' },
      streak: { rank: 7, vague: true, countsAnew: true },
      words: {
        name: 'Only known results',
        pattern: 'known results',
        short: '{count:# step|# steps} with known results',
        figure: { label: 'Known results', value: '{count:# step|# steps}', note: 'in a row' },
        before: 'Before it: {short}.',
        why: {
          main: 'The last {count} steps only repeated calls whose results were known, `{call}` among them.',
        },
        suggestion: {
          main: 'All of these results are known: decide with them, or look at something that was not looked at yet.',
        },
        clears: ['a step with a new result', NOT_BACK, PERSON],
      },
    },
    few_distinct: {
      limits: { warn: 'fewWarn', stuck: 'fewStuck' },
      streak: { rank: 4, countsAnew: true },
      words: {
        name: 'Two results of one call',
        figure: { label: 'Two results', value: '{count:# time|# times}', note: 'of one call, in turn' },
        why: {
          main: '`{call}` ran {count} times and gave only {outcomes} different results in turn.',
          editedOften:
            '`{call}` ran {count} times and gave only {outcomes} different results in turn. {edits} edits lay in between.',
        },
        suggestion: {
          main: 'The changes only move `{call}` between known results: say why each of them comes, then change the cause.',
        },
      },
    },
    argument_churn: {
      limits: { warn: 'churnWarn', stuck: 'churnStuck' },
      streak: { rank: 5 },
      words: {
        name: 'Same result, other arguments',
        why: { main: '{count} calls like `{call}` differ only in their arguments and gave the same result.{given}' },
        suggestion: { main: 'Other arguments do not change this result: look for what decides it.' },
        clears: ['one of them gives a different result', NOT_BACK, PERSON],
      },
    },
  },
} as const satisfies RuleCard;
