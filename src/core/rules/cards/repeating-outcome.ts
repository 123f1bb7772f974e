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
    // Regardless of what is in between: the same answer is not needed forty times.
    sweep: { limits: counts([9, 15], [12, 20], [18, 30]), counts: 'searches of different targets that find nothing' },
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
    before: 'Before that, `{call}` gave the same result {count:# time|# times}.',
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
      main: 'Use the result that `{call}` already gave. It has not changed.',
      failing: 'Read the whole result of `{call}`, and check the cause it names before the next edit.',
    },
    clears: [OTHER_RESULT, NOT_BACK, PERSON],
    nudge: {
      step: {
        moved:
          'Before the next edit, compare the values below: they show which way your edits push the result. Work out by hand what the value must be, and change only the place where it is computed.',
        edited:
          'Before the next edit, check that the code you are editing actually runs: print a value where the result is decided, or read the file that the result names.',
        failing:
          'Before you run this call again, read its result below line by line, name the cause that it states, and check that cause.',
        main: 'Use the result you have: this call returns the same answer each time. Read all of it, change what it depends on, or try something different.',
      },
      counted: {
        moved:
          'The same check failed in the same places {count:# time|# times}{within}. Only a value in its message moved.',
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
    runs: {
      words: {
        name: 'Same failure in each run',
        before: 'Before that, `{call}` failed in the same way in several runs.',
        nudge: {
          step: {
            main: 'Earlier runs of this task ended with the same failure. Find out what they tried before you try it again: read the last commits and what is changed.',
          },
          counted: {
            main: 'One call failed in the same way {count:# time|# times} in several runs with the same prompt.',
          },
          call: 'The call:',
        },
      },
    },
    unread_rewrites: {
      shape: { limits: warnings(4, 6, 9), counts: 'rewrites of one file with nothing read or run in between' },
      streak: { rank: 11, recounts: true },
      words: {
        name: 'Rewritten without checking',
        pattern: 'written blind',
        short: 'rewritten {count:# time|# times} without reading or running anything',
        figure: { label: 'Written', value: '{count:# time|# times}', note: 'nothing read or run' },
        before: 'Before that: {short}.',
        toast: {
          text: 'keeps rewriting one file: {count:# time|# times}, with nothing read or run.',
          buttons: BUTTONS,
        },
        why: { main: '`{call}` wrote {count} different versions, and nothing was read or run in between.' },
        suggestion: { main: 'Run or read the current version before the next one.' },
        clears: ['something is read or run', PERSON],
        nudge: {
          step: { main: 'Run or read what you have written before you rewrite it.' },
          counted: {
            main: '{You} rewrote one file {count:# time|# times}{within}, and read or ran nothing in between.',
          },
          call: 'The last write:',
        },
      },
    },
    no_better: {
      shape: { limits: warnings(4, 6, 9), counts: 'runs of one check with changes in between and no fewer failures' },
      streak: { rank: 12, recounts: true },
      words: {
        name: 'Failures do not go down',
        pattern: 'no better',
        short: 'no better in {count:# run|# runs}',
        figure: { label: 'No better', value: '{count:# run|# runs}', note: 'with changes in between' },
        before: 'Before that: {short}.',
        toast: { text: 'is making no progress: {count:# run|# runs} without fewer failures.', buttons: BUTTONS },
        why: { main: '`{call}` ran {count} times with changes in between, and never failed less.{given}' },
        suggestion: { main: 'Go back to the version with the fewest failures, and work on one of them.' },
        clears: ['`{call}` has fewer failures', PERSON],
        nudge: {
          step: { main: 'Go back to the version with the fewest failures, and work on one of them.' },
          counted: {
            main: 'One check ran {count:# time|# times}{within} with changes in between, and never had fewer failures.',
          },
          call: 'The call:',
          between: 'In between:',
          result: 'Its last result:',
        },
      },
    },
    still_board: {
      shape: { limits: warnings(20, 20, 20), counts: 'equal answers to a wait, over 20 minutes or more' },
      streak: { rank: 13, recounts: true },
      words: {
        name: 'Waiting without change',
        pattern: 'nothing moves',
        short: 'the same answer {count:# time|# times}',
        figure: { label: 'Nothing moves', value: '{count:# check|# checks}', note: 'the same answer' },
        before: 'Before that: {short}.',
        toast: { text: 'is waiting for something that does not change: {count:# check|# checks}.', buttons: BUTTONS },
        why: { main: '`{call}` gave the same answer {count} times, over 20 minutes or more.{given}' },
        suggestion: { main: 'Find out whether what it waits for is still running.' },
        clears: [OTHER_RESULT, NOT_BACK, PERSON],
        nudge: {
          step: { main: 'Find out whether what you are waiting for is still running. If it is not, stop waiting.' },
          counted: { main: 'One check gave the same answer {count:# time|# times}{within}.' },
          call: 'The call:',
          result: 'Its last result:',
        },
      },
    },
    dead_start: {
      shape: { limits: counts([2, 3], [3, 5], [4, 7]), counts: 'starts of one program that does not stay up' },
      streak: { rank: 10, recounts: true },
      words: {
        name: 'Program keeps exiting',
        pattern: 'does not run',
        short: 'started {count:# time|# times}, never running',
        figure: { label: 'Started', value: '{count:# time|# times}', note: 'and never running' },
        before: 'Before that: {short}.',
        toast: {
          text: 'is stuck: it started one program {count:# time|# times}, and it never stayed up.',
          buttons: BUTTONS,
        },
        why: { main: '`{call}` was started {count} times, and each check said that nothing was running.' },
        suggestion: { main: 'Start it once in the foreground, and read what it prints before it exits.' },
        clears: ['a check finds it running', PERSON],
        nudge: {
          step: { main: 'Before you start it again, start it once in the foreground and read its first error.' },
          counted: {
            main: '{You} started one program {count:# time|# times}{within}, and each check said that nothing was running.',
          },
          call: 'The start:',
          between: 'In between:',
        },
      },
    },
    few_distinct: {
      shape: { limits: counts([5, 7], [7, 10], [10, 14]), counts: 'runs of one command with at most three results' },
      streak: { rank: 8, recounts: true },
      words: {
        name: 'Same few results',
        figure: { label: 'Few results', value: '{count:# time|# times}', note: 'of one call' },
        why: {
          main: '`{call}` ran {count} times with only {outcomes} different results.',
          editedOften:
            '`{call}` ran {count} times with only {outcomes} different results, and {edits} edits in between.',
        },
        suggestion: {
          main: 'The changes only move `{call}` between known results. Explain each result, then change the cause.',
        },
        nudge: {
          step: {
            main: 'Write down what causes each of the results, then change the cause instead of going back and forth.',
          },
          counted: {
            main: 'One call ran {count:# time|# times}{within} with only a few different results.',
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
        counts: 'calls of one tool that answers the same to any input',
      },
      streak: { rank: 9, recounts: true },
      words: {
        name: 'No effect',
        pattern: 'no effect',
        short: '{count:# call|# calls} without effect',
        figure: { label: 'No effect', value: '{count:# call|# calls}', note: 'always the same answer' },
        before: 'Before that: {short}.',
        toast: { text: 'is stuck: {count:# call|# calls} of one tool had no effect.', buttons: BUTTONS },
        why: { main: '{count} calls like `{call}` got the same answer to different input.{given}' },
        suggestion: { main: 'Different input does not change this answer. Find out why it has no effect.' },
        clears: ['the tool answers something new', NOT_BACK_OF_SEVERAL, PERSON],
        nudge: {
          step: {
            main: 'Before you call this tool again, read the whole answer below and find out why it is the same for any input. Or reach the goal another way.',
          },
          counted: { main: '{count:# call|# calls} of one tool{within} got the same answer, whatever {you} sent.' },
          call: 'The last call:',
          between: 'In between:',
          result: 'Its answer:',
        },
      },
    },
  },
} as const satisfies RuleCard;
