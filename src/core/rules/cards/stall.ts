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
  counts: 'minutes without output while the model has not replied',
  warnIsCalled: 'model',
  numbers: {
    tool: each(5, 10, 20),
    build: each(10, 20, 40),
  },
  notifies: 'never',
  strategy: startingFresh(
    'patience_then_restart',
    'Feedback cannot reach a pending request. Wait as long as it may take, then restart.',
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
      step: { main: 'If this call hangs, stop it and run it again with a time limit.' },
      counted: { main: 'There was no output for {time} after this call started.' },
      call: 'The call:',
    },
  },
  wordsForSubject: {
    subject: 'the model',
    words: {
      nudge: {
        step: { main: 'If something is missing, say what it is. Otherwise, continue with the next step of the task.' },
        counted: { main: 'There was no output for {time}.' },
      },
    },
  },
} as const satisfies RuleCard;
