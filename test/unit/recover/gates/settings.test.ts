import { describe, expect, it } from 'vitest';
import { gatesFromSettings } from '../../../../src/recover/gates/from-settings';
import { type Gate, consentText } from '../../../../src/recover/gates/gate';

const read = (value: unknown, folder = '/work/shop') => gatesFromSettings(value, folder, 300_000);
const gates = (...entries: readonly object[]) => {
  const result = read(entries);
  return result.ok ? result.value.gates : result.error;
};
const one = (entry: object) => gates({ name: 'tests', command: 'make', ...entry });
const usual = { id: 'tests', name: 'tests', command: 'make', needs: [], timeoutMs: 300_000 };

describe('a gate of the settings', () => {
  it('has a name and a command; everything else is optional', () => {
    expect(one({})).toStrictEqual([usual]);
    expect(one({ command: ' make x ', cwd: '', suggestion: ' ' })).toStrictEqual([{ ...usual, command: 'make x' }]);
    expect(one({ cwd: 'a/b', suggestion: 'Look.', needs: ['build'], timeout: 60 })).toStrictEqual([
      { ...usual, cwd: 'a/b', suggestion: 'Look.', needs: ['build'], timeoutMs: 60_000 },
    ]);
    expect(one({ cwd: null })).toContain('points outside its folder');
    expect(one({ suggestion: 7 })).toStrictEqual([usual]);
  });

  it.each([
    [0, 1_000],
    [1, 1_000],
    [1.5, 1_500],
    [3_600, 3_600_000],
    [3_601, 3_600_000],
    [Number.NaN, 300_000],
    [Infinity, 300_000],
    ['60', 300_000],
  ])('may take %s seconds: %d ms', (timeout, timeoutMs) => {
    expect(one({ timeout })).toMatchObject([{ timeoutMs }]);
  });

  it.each([
    ['a', true],
    ['A 1_.:-b', true],
    ['x'.repeat(40), true],
    ['x'.repeat(41), false],
    ['', false],
    ['-a', false],
    [' a', false],
    ['a/b', false],
    ['a\n', false],
    [7, false],
    [undefined, false],
  ])('may be called %j: %s', (name, isName) => {
    const result = one({ name });
    if (isName) expect(result).toMatchObject([{ id: name, name }]);
    else expect(result).toBe('Entry 1 of `unstuck.gates.commands` needs a name of at most 40 letters and digits.');
  });

  it.each([[''], [' '], ['a\nb'], ['a\rb'], ['a\0b'], [7], [undefined]])('cannot run %j', (command) => {
    expect(one({ command })).toBe('Entry 1 of `unstuck.gates.commands` (tests) needs a command on one line.');
  });

  it.each([
    ['sub', true],
    ['sub/..x', true],
    ['..x', true],
    ['a..', true],
    ['..', false],
    ['../x', false],
    ['..\\x', false],
    ['sub/..', false],
    ['sub\\..\\x', false],
    ['/etc', false],
    ['\\\\host', false],
    ['C:\\x', false],
    ['xC:', true],
    ['a\0', false],
    [7, false],
  ])('may run in %j: %s', (cwd, isInside) => {
    if (isInside) expect(one({ cwd })).toMatchObject([{ cwd }]);
    else expect(one({ cwd })).toBe('The `cwd` of entry 1 (tests) points outside its folder.');
  });

  it('says which entry is wrong, and what is wrong with it', () => {
    const good = { name: 'a', command: 'x' };
    expect(read({})).toMatchObject({ ok: false, error: '`unstuck.gates.commands` is not a list.' });
    expect(gates(good, null as never)).toBe('Entry 2 of `unstuck.gates.commands` is not an object.');
    expect(gates('x' as never)).toBe('Entry 1 of `unstuck.gates.commands` is not an object.');
    expect(one({ folder: 7 })).toBe('The folder of entry 1 of `unstuck.gates.commands` (tests) is not a path.');
    for (const needs of ['a', ['a', 7]])
      expect(gates(good, { ...good, needs })).toBe('The needs of entry 2 (a) are not a list of names.');
  });

  it('is for the folder that it names, whatever its slashes', () => {
    const of = (folder: string, here: string) => {
      const result = read(
        [
          { name: 'own', command: 'x', folder },
          { name: 'all', command: 'y' },
        ],
        here,
      );
      return result.ok && [result.value.forThisFolder, ...result.value.gates.map(({ id }) => id)];
    };
    for (const folder of ['/work/shop', '/work/shop/', '/work/shop//'])
      expect(of(folder, '/work/shop')).toEqual([true, 'own']);
    expect(of('C:\\shop\\', 'C:\\shop')).toEqual([true, 'own']);
    expect(of('/', '/')).toEqual([true, 'own']);
    for (const folder of ['/work', '/work/shop2', '/', '']) expect(of(folder, '/work/shop')).toEqual([false, 'all']);
    for (const none of [null, undefined, []])
      expect(read(none)).toStrictEqual({ ok: true, value: { gates: [], forThisFolder: false } });
  });
});

describe('what a person agrees to', () => {
  const gate: Gate = { id: 'a', name: 'a', command: 'x', needs: ['c', 'b'], timeoutMs: 1 };
  const other: Gate = { ...gate, id: 'b' };

  it('is the same in any order, and with changes that do not affect what runs', () => {
    expect(consentText([gate, other])).toBe(consentText([other, gate]));
    expect(consentText([{ ...gate, needs: ['b', 'c'], timeoutMs: 9, suggestion: 'Look.' }])).toBe(consentText([gate]));
    expect(consentText([{ ...gate, runs: '', cwd: '' }])).toBe(consentText([gate]));
    expect(consentText([])).toBe('[]');
  });

  it.each([{ id: 'z' }, { name: 'z' }, { command: 'z' }, { runs: 'z' }, { cwd: 'z' }, { needs: ['z'] }])(
    'is something else with %j',
    (change) => {
      expect(consentText([{ ...gate, ...change }])).not.toBe(consentText([gate]));
    },
  );
});
