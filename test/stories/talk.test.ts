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
    'over turns that only ask it to go on',
    'U "fix it" · (A "I will begin soon." · . · U continue) x6',
    `
    0 warn monologue
    0 stuck monologue`,
    only,
  );

  story(
    'different messages are a guess, and never more than a mark',
    '(A "plan number %n, and more of it: %n") x9',
    '0 warn monologue',
    only,
  );

  story('healthy twin: the person says something each time', '(U "why number %n?" · A "Because." · .) x6', '', only);

  story('healthy twin: it acts after each message', '(A "Running it again." · B "make" fail:%n) x6', '', only);
});
