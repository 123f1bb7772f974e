import { expect, test } from 'vitest';
import { errorCode } from '../../../../src/base/util/error-code';

test('a system error has its code', () => {
  expect(errorCode(Object.assign(new Error('gone'), { code: 'ENOENT' }))).toBe('ENOENT');
});

test.each([[new Error('plain')], [{ code: 5 }], [null], [undefined], ['ENOENT']])('%o has no code', (error) => {
  expect(errorCode(error)).toBeUndefined();
});
