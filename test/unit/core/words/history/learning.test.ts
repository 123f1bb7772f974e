import { expect, it } from 'vitest';
import { learningLine, learningName } from '../../../../../src/core/words/history/learning';

const learning = { content: 'What it was.', cause: 'It read the wrong file.', title: 'Agent stuck', tried: 'nudge' };

it('a line for other agents is what a person wrote, cut to 300 characters', () => {
  expect(learningLine({ ...learning, editedAt: 1 })).toBe('- What it was.');
  expect(learningLine({ ...learning, editedAt: 1, content: 'long '.repeat(100) }).length).toBeLessThanOrEqual(303);
});

it.each([
  ['nudge', 'Stop after the second equal result and look at the cause instead.'],
  ['restart', 'Stop after the second equal result; starting over with a short summary helped.'],
  ['escalate', 'Stop after the second equal result and ask for help.'],
  ['reassign', 'Stop after the second equal result and try another approach.'],
  ['block', 'Do not run it again before something has changed.'],
  ['user', 'Stop after the second equal result and say what is missing.'],
])('else it is the cause, and the advice of what helped: %s', (tried, advice) => {
  expect(learningLine({ ...learning, tried })).toBe(`- An agent got stuck here: It read the wrong file. ${advice}`);
  const { cause: _, ...nameless } = learning;
  expect(learningLine({ ...nameless, tried, editedAt: 1, content: '' })).toBe(
    `- An agent got stuck here: Agent stuck ${advice}`,
  );
});

it('is called by its cause, else by its title', () => {
  expect(learningName({ cause: '`make` failed', title: 't' })).toBe('make failed');
  expect(learningName({ title: 'Agent stuck' })).toBe('Agent stuck');
});
