import type { RuleCard } from '../card';
import { BUTTONS, NOT_BACK, NOT_BACK_OF_SEVERAL, OTHER_RESULT, PERSON, WAITS, REASSIGN, counts, each } from '../common';

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
    ...WAITS,
    always: {
      value: 40,
      text: 'Equal results within 128 steps that always warn, whatever lies between.',
    },
    fewWarn: {
      value: each(5, 7, 10),
      text: 'Rule `few_distinct`: runs of one command with at most three results, to warn.',
    },
    fewStuck: {
      value: each(7, 10, 14),
      text: 'Rule `few_distinct`: runs of one command with at most three results, to say stuck.',
    },
    effectWarn: {
      value: each(4, 6, 9),
      text: 'Rule `no_effect`: calls of one tool that says the same whatever is put into it, to warn.',
    },
    effectStuck: {
      value: each(7, 10, 15),
      text: 'Rule `no_effect`: calls of one tool that says the same whatever is put into it, to say stuck.',
    },
    sweepWarn: {
      value: each(9, 12, 18),
      text: 'Rule `no_effect`: searches over different targets that find nothing, to warn.',
    },
    sweepStuck: {
      value: each(15, 20, 30),
      text: 'Rule `no_effect`: searches over different targets that find nothing, to say stuck.',
    },
  },
  notifies: 'at_stuck',
  streak: { rank: 1 },
  showsFailedWays: true,
  strategy: REASSIGN,
  words: {
    name: 'Same result, interleaved',
    pattern: 'same result',
    short: 'same result {count:# time|# times}',
    label: '{call}: {pattern} ×{count}',
    figure: { label: 'Same result', value: '{count:# time|# times}', note: '{within}' },
    before: 'Before it, `{call}` gave the same result {count:# time|# times}.',
    toast: { text: 'is stuck: {call} gave the same result {count:# time|# times}.', buttons: BUTTONS },
    why: {
      moved:
        '`{call}` failed in the same places {count} times in the last {span} steps. Only a value in the message moved: {moved}.',
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
    nudge: {
      step: {
        moved:
          'Compare the values below before the next edit: they show which way your edits push the result. Work out by hand what the value must be, and change only the place where it is computed.',
        edited:
          'Before the next edit, find out whether the code that you change is run at all: print a value where the result is decided, or read the file that it names.',
        failing:
          'Before you run this call again, read its result below line by line, name the cause that it states, and check that one cause.',
        main: 'Use the result that you have: this call gives the same answer each time. Read it whole, change what it depends on, or look somewhere else.',
      },
      counted: {
        moved:
          'The same check failed in the same places {count:# time|# times}{within}; only a value in its message moved.',
        edited:
          'The same call gave the same result {count:# time|# times}{within}. The edits in between did not change it.',
        main: 'The same call gave the same result {count:# time|# times}{within}, with other steps in between.',
      },
      call: 'The call:',
      between: 'In between:',
      result: 'Its last result:',
    },
  },
  rules: {
    few_distinct: {
      limits: { warn: 'fewWarn', stuck: 'fewStuck' },
      streak: { rank: 2, countsAnew: true },
      words: {
        name: 'Few results of one call',
        figure: { label: 'Few results', value: '{count:# time|# times}', note: 'of one call, in turn' },
        why: {
          main: '`{call}` ran {count} times and gave only {outcomes} different results in turn.',
          editedOften:
            '`{call}` ran {count} times and gave only {outcomes} different results in turn. {edits} edits lay in between.',
        },
        suggestion: {
          main: 'The changes only move `{call}` between known results: say why each of them comes, then change the cause.',
        },
        nudge: {
          step: {
            main: 'Write down for each of the results why it comes, then change the cause instead of going back and forth.',
          },
          counted: {
            main: 'One call ran {count:# time|# times}{within} and gave only a few different results in turn.',
          },
          call: 'The call:',
          between: 'In between:',
          result: 'Its last result:',
        },
      },
    },
    no_effect: {
      limits: { warn: 'effectWarn', stuck: 'effectStuck' },
      streak: { rank: 3, countsAnew: true },
      words: {
        name: 'No effect',
        pattern: 'no effect',
        short: '{count:# call|# calls} without effect',
        label: '{call}: {pattern} ×{count}',
        figure: { label: 'No effect', value: '{count:# call|# calls}', note: 'the same answer to all' },
        before: 'Before it: {short}.',
        toast: { text: 'is stuck: {count:# call|# calls} of one tool had no effect.', buttons: BUTTONS },
        why: { main: '{count} calls like `{call}` got the same answer, whatever was put in.{given}' },
        suggestion: { main: 'Other input does not change this answer: find out why it has no effect.' },
        clears: ['the tool says something new', NOT_BACK_OF_SEVERAL, PERSON],
        nudge: {
          step: {
            main: 'Read the answer below as a whole and find out why it is the same for all input, before you call this tool again; or reach the goal another way.',
          },
          counted: { main: '{count:# call|# calls} of one tool{within} got the same answer, whatever {you} put in.' },
          call: 'The last call:',
          between: 'In between:',
          result: 'Its answer:',
        },
      },
    },
  },
} as const satisfies RuleCard;
