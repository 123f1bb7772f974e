import { afterEach, describe, expect, test } from 'vitest';
import { english, inEnglish, speak, spokenLanguage, t, texts, whole } from '../../../src/util/l10n';
import { age, clockOn, code, plain, say, short, translated } from '../../../src/words';

const GERMAN = {
  language: 'de',
  texts: {
    '{0} {0:call|calls} in {1}': 'in {1}: {0:# Aufruf|# Aufrufe}',
    '{0} failed {1} times': '{1}-mal schlug {0} fehl',
    'Nothing was written for {0} {1}': '{0} lang wurde nichts geschrieben, {1}',
    'while the model answers. Answers may take {0}.': 'während das Modell antwortet. Antworten dürfen {0} dauern.',
    '{0} of {1} {1:nudge|nudges} used': '{0} von {1} {1:Nudge|Nudges} verwendet',
    '{0} edits of {1} in {2:one file|# files}': '{0} Änderungen an {1} in {2:einer Datei|# Dateien}',
    'It then said: {0}': 'Danach sagte es: {0}',
    'no tests were found': 'keine Tests gefunden',
    Open: 'Offen',
    '{0}k': '{0}k',
  },
};

afterEach(() => speak(undefined));

describe('a text', () => {
  test('is English without a bundle', () => {
    expect(t`${1} {0:call|calls} in ${'a'}`).toBe('1 call in a');
    expect(t`${1200} {0:call|calls} in ${'a'}`).toBe('1,200 calls in a');
    expect(t`${1}{0:once|# times}, ${3}{1:once|# times}`).toBe('once, 3 times');
  });

  test('has its values where the language has them, and the form for its number', () => {
    speak(GERMAN);
    const said = (count: number) => t`${count} {0:call|calls} in ${'{0} # $&'}`;
    expect(said(1)).toBe('in {0} # $&: 1 Aufruf');
    expect(said(1200)).toBe('in {0} # $&: 1.200 Aufrufe');
    speak(undefined);
    expect(said(2)).toBe('2 calls in {0} # $&');
  });

  test('that the bundle does not have stays English, with the numbers of the language', () => {
    speak(GERMAN);
    expect(t`${12345} tests`).toBe('12.345 tests');
  });

  test('as a sentence keeps its code', () => {
    speak(GERMAN);
    expect(say`${code('make')} failed ${2} times`).toEqual([
      { text: '2-mal schlug ' },
      { text: 'make', code: true },
      { text: ' fehl' },
    ]);
  });

  test('of a table is looked up when it is read', () => {
    const table = texts({ open: 'Open', other: 'Other' });
    expect(table.open).toBe('Open');
    speak(GERMAN);
    expect({ ...table }).toEqual({ open: 'Offen', other: 'Other' });
  });
});

test('what agents read is English, also where it throws', () => {
  speak(GERMAN);
  expect(inEnglish(() => `${t`Open`} ${whole(1200)}`)).toBe('Open 1,200');
  expect(() =>
    inEnglish(() => {
      throw new Error('broken');
    }),
  ).toThrow('broken');
  expect(spokenLanguage()).toBe('de');
  expect(english`${1200} edits of ${'a'} in ${1}{2:one file|# files}`).toBe('1200 edits of a in one file');
});

test('numbers and days are written as the language writes them', () => {
  const day = Date.UTC(2026, 10, 19, 16, 4);
  expect([short(1500), clockOn(day, day + 86_400_000)]).toEqual(['1.5k', '19 Nov 16:04']);
  speak(GERMAN);
  expect([short(1500), clockOn(day, day + 86_400_000), age(90_000)]).toEqual(['1,5k', '19. Nov. 16:04', '1 min']);
});

describe('an English text that was kept', () => {
  test('is recognised by its template, with what stands in it', () => {
    expect(translated('Nothing was written for 5 min while the model answers. Answers may take 9 min.')).toBe(
      'Nothing was written for 5 min while the model answers. Answers may take 9 min.',
    );
    speak(GERMAN);
    expect(translated('Nothing was written for 5 min while the model answers. Answers may take 9 min.')).toBe(
      '5 min lang wurde nichts geschrieben, während das Modell antwortet. Antworten dürfen 9 min dauern.',
    );
    expect(translated('no tests were found')).toBe('keine Tests gefunden');
  });

  test('has the form for its number', () => {
    speak(GERMAN);
    expect(translated('1 of 2 nudges used')).toBe('1 von 2 Nudges verwendet');
    expect(translated('4 edits of a.ts in one file')).toBe('4 Änderungen an a.ts in einer Datei');
    expect(translated('4 edits of a.ts in 1,200 files')).toBe('4 Änderungen an a.ts in 1.200 Dateien');
  });

  test('of a transcript stays as it is, also within one of ours', () => {
    speak(GERMAN);
    expect(['fix the build', 'constructor', '__proto__'].map(translated)).toEqual([
      'fix the build',
      'constructor',
      '__proto__',
    ]);
    expect(translated('It then said: Open')).toBe('Danach sagte es: Open');
    expect(translated('4 edits of `no tests were found` in one file')).toBe(
      '4 Änderungen an `no tests were found` in einer Datei',
    );
  });

  test('takes a time that grows with its length alone', () => {
    speak(GERMAN);
    const hostile = '4 edits of '.repeat(5_000);
    expect(translated(hostile)).toBe(hostile);
    expect(plain(say`${translated(' in one file'.repeat(150))}`)).toContain('in one file');
  });
});
