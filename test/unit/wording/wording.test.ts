import { describe, expect, it } from 'vitest';
import { allTexts, neverWords, textsOfDocument, textsOfSource, textsWith } from './texts';

const texts = allTexts();
const never = [...neverWords()];

describe('one thing has one word', () => {
  it('in a table whose rows are all read', () => {
    expect(never.length).toBeGreaterThan(20);
    expect(never).toContainEqual(['condensed', 'compacted']);
  });

  it('in more than a thousand texts', () => {
    expect(texts.length).toBeGreaterThan(1_000);
    expect(textsWith('is stuck', texts).map(({ place }) => place.replace(/[/:].*/, ''))).toContain('src');
  });

  it.each(never)('“%s” is never written for “%s”', (word) => {
    expect(textsWith(word, texts).map(({ place, text }) => `${place}: ${text.trim()}`)).toEqual([]);
  });
});

describe('a word is found', () => {
  it('in sentences of the source, at their lines, but in no name, comment or value', () => {
    const source = "// anew\nconst anew = f('anew');\nsay(`It starts ${anew} Anew.`, 'renewed anewly');\n";
    expect(textsWith('anew', textsOfSource('a.ts', source))).toEqual([{ place: 'a.ts:3', text: 'It starts … Anew.' }]);
  });

  it('in the prose of a document, but not in its code, its addresses and the table itself', () => {
    const document = [
      'Start it anew.',
      'The field `anew` and [this](docs/anew.md).',
      '```',
      'anew',
      '```',
      '<!-- words -->',
      '| again | | anew |',
      '<!-- /words -->',
    ].join('\n');
    expect(textsWith('anew', textsOfDocument('a.md', document))).toEqual([{ place: 'a.md:1', text: 'Start it anew.' }]);
  });
});
