import { describe } from 'vitest';
import { story } from './story';

describe('talk without action', () => {
  const only = { detectors: ['monologue'] } as const;

  story(
    'the same message again and again',
    'R a · (A "I should think about it at %t.") x5 · R b',
    `
    1 warn monologue
    1 stuck monologue
    1 clear tool_call`,
    only,
  );

  story(
    'over turns that only ask it to continue',
    'U "fix it" · (A "I will begin soon." · . · U continue) x6',
    `
    0 warn monologue
    0 stuck monologue`,
    only,
  );

  story(
    'different messages are a guess, and never more than a warning',
    '(A "plan number %n, and more of it: %n") x9',
    '0 warn monologue',
    only,
  );

  story(
    'healthy twin: an agent that answers twelve task notifications, with the same words each time',
    'U "fan out" · (T) x3 · (A "I wait for the others." · . · F "Task %n has ended: ok") x12',
    '',
    only,
  );

  story(
    'a program that only urges it to continue brings no news',
    'U "fan out" · (T) x3 · (A "I wait for the others." · . · F "Please go on with the task.") x6',
    `
    3 warn monologue
    3 stuck monologue`,
    only,
  );

  story(
    'as often as the person asked for it',
    'U "fix it" · (A "I will begin soon.") x1 · U "say it 20 times" · (A "I will begin soon.") x5',
    '0 warn monologue',
    only,
  );

  story('healthy twin: a word too short to count as a repeat', 'U "fix it" · (A "Done.") x3', '', only);

  story(
    'healthy twin: different messages after a call in the same turn',
    'U "fix it" · R a · (A "plan number %n, and more of it: %n") x9',
    '',
    only,
  );

  story(
    'healthy twin: the person says something each time',
    '(U "why number %n?" · A "Because the total is off." · .) x6',
    '',
    only,
  );

  story('healthy twin: it acts after each message', '(A "Running it again." · B "make" fail:%n) x6', '', only);
});
