import { describe, expect, it } from 'vitest';
import { learningLine, learningName } from '../../../../../src/core/words/history/learning';

const learning = { content: 'What it was.', cause: 'It read the wrong file.', title: 'Agent stuck', tried: 'nudge' };

it('a line for other agents is what a person wrote, cut to 300 characters', () => {
  expect(learningLine({ ...learning, editedAt: 1 })).toBe('- What it was.');
  expect(learningLine({ ...learning, editedAt: 1, content: 'long '.repeat(100) }).length).toBeLessThanOrEqual(303);
});

it.each([
  ['nudge', 'After the second identical result, stop and look for the cause.'],
  ['restart', 'After the second identical result, stop. Starting over with a short summary helped.'],
  ['escalate', 'After the second identical result, stop and ask for help.'],
  ['reassign', 'After the second identical result, stop and try a different approach.'],
  ['block', 'Do not run it again until something has changed.'],
  ['user', 'After the second identical result, stop and say what is missing.'],
])('otherwise it is the cause, and the advice of what helped: %s', (tried, advice) => {
  expect(learningLine({ ...learning, tried })).toBe(`- An agent got stuck here: It read the wrong file. ${advice}`);
  const { cause: _, ...nameless } = learning;
  expect(learningLine({ ...nameless, tried, editedAt: 1, content: '' })).toBe(
    `- An agent got stuck here: Agent stuck ${advice}`,
  );
});

describe('the sentence of a learning', () => {
  const stuck = { ...learning, cause: '`make` kept failing: no rule.', state: 'recovered' as const };

  it('says why the agent was stuck and what freed it', () => {
    expect(learningName(stuck)).toBe('make kept failing: no rule; freed by a nudge.');
    expect(learningName({ ...stuck, tried: 'by_itself' })).toBe('make kept failing: no rule; recovered on its own.');
  });

  it('names nothing as freeing an agent if nothing did', () => {
    expect(learningName({ ...stuck, state: 'ended' })).toBe('make kept failing: no rule.');
    const { cause: _, ...nameless } = stuck;
    expect(learningName({ ...nameless, state: 'unknown' })).toBe('Agent stuck');
  });

  it('is what a person wrote', () => {
    expect(learningName({ ...stuck, content: 'Create `config.yml` first.', editedAt: 1 })).toBe(
      'Create config.yml first.',
    );
  });
});
