import type { RuleCard } from '../card';
import { BUTTONS, NOT_BACK, NOT_BACK_OF_SEVERAL, OTHER_RESULT, PERSON, REASSIGN, counts, warnings } from '../common';

export const repeatingOutcome = {
  id: 'repeating_outcome',
  reason: 'repetition_loop',
  exhaustion: null,
  certainty: 'counted',
  thresholds: counts([2, 3], [3, 4], [5, 6]),
  unit: 'times',
  counts: 'steps with the same result',
  window: { size: 20, of: 'messages' },
  shapes: {
    // Whatever lies between: nobody needs one answer forty times.
    sweep: { limits: counts([9, 15], [12, 20], [18, 30]), counts: 'searches over different targets that find nothing' },
    whateverBetween: { limits: warnings(40, 40, 40), counts: 'equal results within 128 messages' },
  },
  notifies: 'at_stuck',
  streak: { rank: 6 },
  showsFailedWays: true,
  strategy: REASSIGN,
  words: {
    name: 'Same result again',
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
          'Before the next edit, check that the code you are editing actually runs: print a value where the result is decided, or read the file that it names.',
        failing:
          'Before you run this call again, read its result below line by line, name the cause that it states, and check that one cause.',
        main: 'Use the result that you have: this call gives the same answer each time. Read all of it, change what it depends on, or try something different.',
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
    unread_rewrites: {
      shape: { limits: warnings(4, 6, 9), counts: 'whole writes of one file with nothing read or run in between' },
      streak: { rank: 11, countsAnew: true },
      words: {
        name: 'Written blind',
        pattern: 'written blind',
        short: 'written {count:# time|# times} without a look',
        label: '{call}: {pattern} ×{count}',
        figure: { label: 'Written', value: '{count:# time|# times}', note: 'nothing read or run' },
        before: 'Before it: {short}.',
        toast: {
          text: 'writes one file again and again: {count:# time|# times}, nothing read or run.',
          buttons: BUTTONS,
        },
        why: { main: '`{call}` came {count} times with other content, and nothing was read or run in between.' },
        suggestion: { main: 'Run or read what is there before the next version.' },
        clears: ['something is read or run', PERSON],
        nudge: {
          step: { main: 'Run or read what you have written before you write it once more.' },
          counted: { main: '{You} wrote one file {count:# time|# times}{within}, and read or ran nothing in between.' },
          call: 'The last write:',
        },
      },
    },
    no_better: {
      shape: { limits: warnings(4, 6, 9), counts: 'runs of one check with changes in between and no fewer failures' },
      streak: { rank: 12, countsAnew: true },
      words: {
        name: 'No better',
        pattern: 'no better',
        short: 'no better in {count:# run|# runs}',
        label: '{call}: {pattern} ×{count}',
        figure: { label: 'No better', value: '{count:# run|# runs}', note: 'with changes in between' },
        before: 'Before it: {short}.',
        toast: { text: 'gets no further: {count:# run|# runs} without fewer failures.', buttons: BUTTONS },
        why: { main: '`{call}` ran {count} times with changes in between, and never had fewer failures.{given}' },
        suggestion: { main: 'Go back to the version with the fewest failures, and take one of them alone.' },
        clears: ['`{call}` has fewer failures', PERSON],
        nudge: {
          step: { main: 'Go back to the version with the fewest failures, and work on one of them alone.' },
          counted: {
            main: 'One check ran {count:# time|# times}{within} with changes in between and never had fewer failures.',
          },
          call: 'The call:',
          between: 'In between:',
          result: 'Its last result:',
        },
      },
    },
    still_board: {
      shape: { limits: warnings(20, 20, 20), counts: 'equal answers of a wait within 20 minutes and more' },
      streak: { rank: 13, countsAnew: true },
      words: {
        name: 'Nothing moves',
        pattern: 'nothing moves',
        short: 'the same answer {count:# time|# times}',
        label: '{call}: {pattern} ×{count}',
        figure: { label: 'Nothing moves', value: '{count:# look|# looks}', note: 'the same answer' },
        before: 'Before it: {short}.',
        toast: { text: 'waits for something that does not move: {count:# look|# looks}.', buttons: BUTTONS },
        why: { main: '`{call}` gave the same answer {count} times, for 20 minutes and more.{given}' },
        suggestion: { main: 'Find out whether what it waits for still runs.' },
        clears: [OTHER_RESULT, NOT_BACK, PERSON],
        nudge: {
          step: { main: 'Find out whether what you wait for still runs, and end the wait if it does not.' },
          counted: { main: 'One look gave the same answer {count:# time|# times}{within}.' },
          call: 'The call:',
          result: 'Its last result:',
        },
      },
    },
    dead_start: {
      shape: { limits: counts([2, 3], [3, 5], [4, 7]), counts: 'starts of one program that does not run' },
      streak: { rank: 10, countsAnew: true },
      words: {
        name: 'Start that dies',
        pattern: 'does not run',
        short: 'started {count:# time|# times}, never running',
        label: '{call}: {pattern} ×{count}',
        figure: { label: 'Started', value: '{count:# time|# times}', note: 'and never running' },
        before: 'Before it: {short}.',
        toast: { text: 'is stuck: it started one program {count:# time|# times}, and nothing runs.', buttons: BUTTONS },
        why: { main: '`{call}` was started {count} times, and each look at it said that nothing runs.' },
        suggestion: { main: 'Start it in the foreground once, and read what it says before it ends.' },
        clears: ['a look says that it runs', PERSON],
        nudge: {
          step: { main: 'Start it in the foreground once, and read its first error, before you start it again.' },
          counted: {
            main: '{You} started one program {count:# time|# times}{within}, and each look said that nothing runs.',
          },
          call: 'The start:',
          between: 'In between:',
        },
      },
    },
    few_distinct: {
      shape: { limits: counts([5, 7], [7, 10], [10, 14]), counts: 'runs of one command with at most three results' },
      streak: { rank: 8, countsAnew: true },
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
      shape: {
        limits: counts([4, 7], [6, 10], [9, 15]),
        counts: 'calls of one tool that says the same whatever is put into it',
      },
      streak: { rank: 9, countsAnew: true },
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
