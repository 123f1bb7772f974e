import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capital, code, plain, say, withCode } from '../../../../src/core/words';

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
