import { expect, it } from 'vitest';
import { searchWords } from '../../../../src/history/queries/words';

it.each([
  ['king ring sing', ['king', 'ring', 'sing'], 'too short to be a form of another'],
  ['red seed', ['red', 'seed'], 'too short to be a form of another'],
  ['wedged edge', ['wedg', 'edge'], 'an ending counts only at the end'],
  ['dies tries retries', ['die', 'try', 'retry'], 'plural in -ies'],
  ['iest', ['iest'], 'that begins like an ending'],
  ['bus gas as is', ['bus', 'gas', 'as', 'is'].map((word) => (word.length > 3 ? word.slice(0, -1) : word)), 'short'],
  ['class classes passes', ['class', 'classe', 'passe'], 'double s is no plural'],
  ['ssh keys', ['ssh', 'key'], 'that begins with a double s'],
  ['x', ['x'], 'one letter'],
  ['snake_case_', ['snake_case_', 'snake', 'case'], 'an underline at the end makes no empty part'],
  ['_private', ['_private'], 'one part is the whole'],
  ['größeÄndern', ['großeandern', 'große', 'andern'], 'compounds in other alphabets than the Latin'],
  ['ÉcoleNormale v2Ray', ['ecolenormale', 'ecole', 'normale', 'v2ray', 'v2', 'ray'], 'accents and figures'],
  ['ПриветМир', ['приветмир', 'привет', 'мир'], 'Cyrillic'],
  ['Приветмир', ['приветмир'], 'Cyrillic, one word'],
  ['e\u0301te\u0301 e\u0301\u0323te \u0301', ['ete', 'ete'], 'accents that are characters of their own'],
  ['中', ['中'], 'one character alone'],
])('“%s” is searched as %j: %s', (text, words) => {
  expect(searchWords(text)).toEqual(words);
});

it('stops at a maximum number of words, and reads only the beginning of a long text', () => {
  expect(searchWords('one two three four', 3)).toEqual(['one', 'two', 'three']);
  expect(searchWords(`${' '.repeat(19_997)}abcdef`)).toEqual(['abc']);
});
