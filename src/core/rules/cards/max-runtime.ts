import type { RuleCard } from '../card';
import { warnings } from '../common';

export const maxRuntime = {
  id: 'max_runtime',
  reason: 'max_runtime',
  exhaustion: 'time',
  certainty: 'counted',
  guessedFrom: 'time',
  thresholds: warnings(20, 30, 60),
  unit: 'minutes',
  counts: 'minutes of one turn without progress',
  warnIsCalled: 'turn',
  notifies: 'never',
  ofContext: true,
  strategy: {
    name: 'checkpoint_then_stop',
    does: 'stop',
    rungs: ['ask'],
    savesWork: true,
    atOnce: false,
    action: 'stop',
    why: 'It has run for a long time. Save the work, then ask you.',
  },
  words: {
    name: 'Long run',
    pattern: 'same result',
    short: 'running for {time}',
    shortWithoutTime: 'running for a long time',
    label: '{call}: {short}',
    figure: { label: 'Active for', value: '{time}', note: 'in this session' },
    nudge: {
      step: { main: 'Write down what is done and what is left, then ask your user how to continue.' },
      counted: { main: '{You} reached a limit on the length or the cost of a session.' },
    },
  },
  wordsForSubject: {
    subject: 'the turn',
    words: {
      nudge: {
        step: { main: 'Say what you know now and what you will do next. Start with a smaller part of the task.' },
        counted: {
          main: 'This turn has lasted {count:# minute|# minutes} without an edit, a passing check, a finished plan item or a commit.',
        },
      },
    },
  },
} as const satisfies RuleCard;
