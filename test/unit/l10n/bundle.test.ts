import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUTTON_NAMES } from '../../../src/words';

const root = resolve(__dirname, '../../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>;

const LANGUAGES = readdirSync(join(root, 'l10n'))
  .map((name) => /^bundle\.l10n\.(.+)\.json$/.exec(name)?.[1])
  .filter((language) => language !== undefined);

/** The values that a template has. */
const names = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)(?::[^{}]*)?\}/g)].map(([, name = '']) => name))].sort();
/** Forms of each of its placeholders. */
const forms = (text: string) => [...text.matchAll(/\{\w+:([^{}]*)\}/g)].map(([, all = '']) => all.split('|').length);
const numbers = (text: string) => (text.match(/\d+/g) ?? []).join(' ');
const code = (text: string) => (text.match(/`[^`]+`|\(command:[^)]+\)/g) ?? []).sort();

// test/unit/rules/generated.test.ts compares the English bundle with the sources.
test('there is German', () => {
  expect(LANGUAGES).toEqual(['de']);
});

describe.each(LANGUAGES)('the bundle of %s', (language) => {
  const english = read('l10n/bundle.l10n.json');
  const other = read(`l10n/bundle.l10n.${language}.json`);

  test('has each text of the source, and no other', () => {
    expect(Object.keys(english).filter((key) => !(key in other))).toEqual([]);
    expect(Object.keys(other).filter((key) => !(key in english))).toEqual([]);
  });

  test('has the same values in each text, and as many forms as the language has', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.length;
    for (const [key, text] of Object.entries(other)) {
      expect(names(text), key).toEqual(names(key));
      expect(new Set([...forms(text), categories]), key).toEqual(new Set([categories]));
      expect(text.replaceAll(/\{\w+(:[^{}]*)?\}/g, ''), key).not.toMatch(/[{}]/);
    }
  });

  test('keeps what is code, and the blanks around', () => {
    for (const [key, text] of Object.entries(other)) {
      expect(code(text), key).toEqual(code(key));
      expect(/^\s/.test(text), key).toBe(/^\s/.test(key));
      expect(/\s$/.test(text), key).toBe(/\s$/.test(key));
    }
  });

  test('tells the buttons of notifications apart', () => {
    const names = Object.keys(BUTTON_NAMES).map((name) => other[name]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('says things otherwise', () => {
    const same = Object.entries(other).filter(
      ([key, text]) => key === text && /\p{L}{4}/u.test(text.replace(/\{[^}]*\}/g, '')),
    );
    // Names and loanwords.
    expect(same.map(([key]) => key)).toEqual(SAME[language]);
  });
});

describe.each(LANGUAGES)('the texts of the manifest in %s', (language) => {
  const english = read('package.nls.json');
  const other = read(`package.nls.${language}.json`);

  test('are all there, in the same order', () => {
    expect(Object.keys(other)).toEqual(Object.keys(english));
  });

  test('have the same numbers, code and links', () => {
    for (const [key, text] of Object.entries(english)) {
      if (key.endsWith('.media.markdown')) continue;
      expect(numbers(other[key] ?? ''), key).toBe(numbers(text));
      expect(code(other[key] ?? ''), key).toEqual(code(text));
    }
  });

  test('every text of the manifest has a name', () => {
    const manifest = JSON.stringify(read('package.json'));
    const used = [...manifest.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
    expect(used.sort()).toEqual(Object.keys(english).sort());
  });
});

const SAME: Readonly<Record<string, readonly string[]>> = {
  de: ['Agent', 'Commit', 'Details…', 'Gates', 'Nudge', 'Nudge {0}', 'Unstuck Gates'],
};
