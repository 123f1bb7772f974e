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
    name: 'Silence',
    pattern: 'same result',
    short: 'silent {time}',
    shortWithoutTime: 'silent',
    label: '{call}: {short}',
    figure: { label: 'Silent for', value: '{time}', note: 'nothing was written' },
    nudge: {
      step: { main: 'If this call hangs, end it and run it again with a time limit.' },
      counted: { main: 'Nothing was written for {time} after this call had begun.' },
      call: 'The call:',
    },
  },
  wordsForSubject: {
    subject: 'the model',
    words: {
      nudge: {
        step: { main: 'If something is missing, say what it is; else go on with the next step of the task.' },
        counted: { main: 'Nothing was written for {time}.' },
      },
    },
  },
} as const satisfies RuleCard;
