import type { RuleCard } from '../card';
import { each, startingFresh, warnings } from '../common';

export const stall = {
  id: 'stall',
  reason: 'stall',
  exhaustion: 'time',
  certainty: 'guessed',
  guessedFrom: 'time',
  thresholds: warnings(5, 10, 20),
  unit: 'minutes',
  counts: 'minutes of silence while the model answers',
  warnIsCalled: 'model',
  numbers: {
    tool: each(5, 10, 20),
    build: each(10, 20, 40),
  },
  notifies: 'never',
  strategy: startingFresh(
    'patience_then_restart',
    'Silence has no feedback: patience by what is pending, then a restart.',
    { action: 'resume', skipsFeedback: true },
  ),
  words: {
    name: 'No output',
    pattern: 'same result',
    short: 'no output for {time}',
    shortWithoutTime: 'no output',
    label: '{call}: {short}',
    figure: { label: 'No output for', value: '{time}', note: 'since the last line' },
    nudge: {
      step: { main: 'If this call hangs, end it and run it again with a time limit.' },
      counted: { main: 'There was no output for {time} after this call began.' },
      call: 'The call:',
    },
  },
  wordsForSubject: {
    subject: 'the model',
    words: {
      nudge: {
        step: { main: 'If something is missing, say what it is; else go on with the next step of the task.' },
        counted: { main: 'There was no output for {time}.' },
      },
    },
  },
} as const satisfies RuleCard;
