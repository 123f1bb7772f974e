import { expect, it } from 'vitest';
import { questionAtEnd } from '../../../../src/engine/session/question-at-end';

it.each([
  ['I have read it. Shall I go on?', 'Shall I go on?'],
  ['Done.\n\n- **Which of the two?**  \n', 'Which of the two?'],
  ['“Really?”', 'Really?'],
  ['続けますか？', '続けますか？'],
])('a message with this end asks: %s', (text, question) => {
  expect(questionAtEnd(text)).toBe(question);
});

it.each([
  ['a question that was answered at once', 'Why did it fail? The port was taken.'],
  ['nothing but the sign', 'Hm. ?'],
  ['nothing', ''],
  ['blanks', ' \n'],
  ['a text that only closes with a question mark after 400 characters', `${'word '.repeat(100)}?`],
])('%s asks nothing', (_, text) => {
  expect(questionAtEnd(text)).toBeUndefined();
});
