import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capital, code, plain, say, signs, signsInLine, withCode } from '../../../src/words';

describe('sentences', () => {
  it('keep code apart from text', () => {
    expect(say`${code('pytest -q')} ran ${6} times.`).toEqual([
      { text: 'pytest -q', code: true },
      { text: ' ran 6 times.' },
    ]);
  });

  it('read code between back quotes, as detectors write it', () => {
    expect(withCode('`a b` gave `c`: same')).toEqual([
      { text: 'a b', code: true },
      { text: ' gave ' },
      { text: 'c', code: true },
      { text: ': same' },
    ]);
    expect(withCode('a lone ` stays')).toEqual([{ text: 'a lone ` stays' }]);
  });

  it('begin with a capital, but never change code', () => {
    expect(plain(capital(withCode('it does not come back')))).toBe('It does not come back');
    expect(plain(capital(withCode('`pytest` passes')))).toBe('pytest passes');
  });

  it('lose nothing but the quotes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(plain(withCode(text))).toBe(text.replace(/`([^`]+)`/g, '$1'));
      }),
    );
  });
});

describe('signs for what would do something instead of showing something', () => {
  it('controls, direction overrides and halves of pairs can be seen', () => {
    expect(signs('\u001b[31mred\u0000')).toBe('␛[31mred␀');
    expect(signs('\u202Egnp.exe')).toBe('\ufffdgnp.exe');
    expect(signs('a\u200bb\ufeff')).toBe('a\ufffdb\ufffd');
    expect(signs('\ud800x')).toBe('\ufffdx');
    expect(signs('😀')).toBe('😀');
  });

  it('lines and tabs stay in texts and go from lines', () => {
    expect(signs('a\tb\r\nc')).toBe('a\tb \nc');
    expect(signsInLine('a\tb\nc')).toBe('a b c');
  });

  it('keep the place of every character, so that ranges stay true', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(signs(text)).toHaveLength(text.length);
        expect(signs(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
