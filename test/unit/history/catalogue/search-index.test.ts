import * as fc from 'fast-check';
import type { SqlJsStatic } from 'sql.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type SearchIndex, createSearchIndex } from '../../../../src/history/catalogue/search';
import type { SearchTexts } from '../../../../src/history/queries/search-texts';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import { WASM } from '../support/make';

let engine: SqlJsStatic;
beforeAll(async () => {
  engine = await createSqlEngine(WASM)();
});

type Texts = Readonly<Record<string, SearchTexts | string>>;

const textsOf = (text: SearchTexts | string): SearchTexts => (typeof text === 'string' ? ['', '', '', '', text] : text);
const document = (id: string, kind: 'incident' | 'learning' = 'incident') => ({ kind, id, sum: `sum of ${id}` });

function indexOf(texts: Texts, bytes: Uint8Array | null = null): SearchIndex {
  const index = createSearchIndex(engine, bytes);
  onTestFinished(() => index.close());
  index.put(Object.entries(texts).map(([id, text]) => [document(id), textsOf(text)] as const));
  return index;
}

const ids = (index: SearchIndex, question: string, limit = 100) =>
  index.search(question, null, limit).map(({ id }) => id);

describe('the rank of a hit', () => {
  it('is that of BM25F, computed by hand', () => {
    const index = indexOf({ a: ['webpack', '', '', '', 'one two'], b: 'webpack two', c: 'three' });
    // Two of three documents have the word. In `rule`, a has it once, three times as heavy, where the average length is less than one word; in
    // `text`, b has it once among two words, as long as the others on average (FTS4 rounds it).
    const rarity = Math.log(1 + (3 - 1 + 0.5) / (1 + 0.5));
    const score = (frequency: number) => (rarity * frequency * 2.2) / (1.2 + frequency);
    const [first, second] = index.search('webpack', null, 9);
    expect(first).toMatchObject({ id: 'a', kind: 'incident', matched: ['webpack'] });
    expect(first?.score).toBeCloseTo(score(3 / (0.5 + 0.5)), 10);
    expect(second).toMatchObject({ id: 'b', matched: ['webpack'] });
    expect(second?.score).toBeCloseTo(score(1 / (0.5 + (0.5 * 2) / 2)), 10);
  });

  it('is that of BM25F, whatever the documents are', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma');
    const column = fc.array(word, { maxLength: 6 });
    const all = fc.sample(fc.tuple(column, column, column, column, column), { numRuns: 40, seed: 7 });
    const texts = all.map((columns) => columns.map((words) => words.join(' ')) as unknown as SearchTexts);
    const index = indexOf(Object.fromEntries(texts.map((text, n) => [`D${n}`, text] as const)));
    const scores = new Map(index.search('alpha', null, 99).map(({ id, score }) => [id, score]));
    for (const [n, columns] of all.entries()) {
      const expected = bm25f(columns, all);
      if (expected === null) expect(scores.has(`D${n}`)).toBe(false);
      else expect(scores.get(`D${n}`)).toBeCloseTo(expected, 9);
    }
  });

  it('grows with the words that are found: half of the words, a quarter of the score', () => {
    const index = indexOf({ a: 'alpha', b: 'other', c: 'beta' });
    const [alone] = index.search('alpha', null, 9);
    const half = index.search('alpha beta', null, 9).find(({ id }) => id === 'a');
    expect(half?.score).toBeCloseTo((alone?.score ?? 0) / 4, 10);
    expect(half?.matched).toEqual(['alpha']);
  });

  it('of a learning is three quarters of that of an incident with the same words', () => {
    const index = createSearchIndex(engine, null);
    onTestFinished(() => index.close());
    index.put([
      [document('one', 'learning'), textsOf('alpha')],
      [document('one'), textsOf('alpha')],
    ]);
    const [incident, learning] = index.search('alpha', null, 9);
    expect([incident?.kind, learning?.kind]).toEqual(['incident', 'learning']);
    expect(learning?.score).toBeCloseTo(0.75 * (incident?.score ?? 0), 10);
  });

  it('of a word that only begins that way is three fifths of that of the word itself', () => {
    const whole = indexOf({ a: 'alpha', z: 'beta' }).search('alpha', null, 9)[0]?.score ?? 0;
    const begun = indexOf({ a: 'alphabet', b: 'other' }).search('alpha', null, 9)[0]?.score ?? 0;
    expect(begun).toBeCloseTo(whole, 10);
    const both = indexOf({ a: 'alpha', b: 'alphabet' }).search('alpha', null, 9);
    expect(both.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('of equal hits puts the newer id first', () => {
    expect(ids(indexOf({ a: 'alpha', c: 'alpha', b: 'alpha' }), 'alpha')).toEqual(['c', 'b', 'a']);
  });
});

/** Scores by the formula alone: weights, saturation and length as search.ts names them. */
function bm25f(columns: readonly string[][], all: readonly (readonly string[][])[]): number | null {
  const times = (words: readonly string[]) => words.filter((one) => one === 'alpha').length;
  const weights = [3, 3, 2, 1, 1];
  let frequency = 0;
  let within = 0;
  for (const [n, words] of columns.entries()) {
    const lengths = all.map((one) => one[n]?.length ?? 0);
    // FTS4 rounds the average to a whole number.
    const average = Math.max(1, Math.floor(lengths.reduce((a, b) => a + b, 0) / all.length + 0.5));
    const length = 0.5 + (0.5 * words.length) / average;
    frequency += ((weights[n] ?? 0) * times(words)) / length;
    within = Math.max(within, all.filter((one) => times(one[n] ?? []) > 0).length);
  }
  if (frequency === 0) return null;
  const rarity = Math.log(1 + (all.length - within + 0.5) / (within + 0.5));
  return (rarity * frequency * 2.2) / (1.2 + frequency);
}

describe('a query of several words', () => {
  it('finds what has all of them before what has at least half, and no document twice', () => {
    const index = indexOf({ all: 'alpha beta gamma delta', half: 'alpha beta', less: 'alpha' });
    expect(ids(index, 'alpha beta gamma delta')).toEqual(['all', 'half']);
    expect(ids(index, 'alpha beta gamma')).toEqual(['all', 'half']);
    expect(index.search('alpha beta gamma', null, 9).map(({ matched }) => matched.length)).toEqual([3, 2]);
  });

  it('finds no more than it may, and the best ones', () => {
    const index = indexOf({ all: 'alpha beta', a: 'alpha', b: 'beta beta' });
    expect(ids(index, 'alpha beta', 1)).toEqual(['all']);
    expect(ids(index, 'alpha beta', 2)).toEqual(['all', 'b']);
    expect(ids(index, 'alpha', 1)).toHaveLength(1);
  });

  it('has each word once, and its first twelve', () => {
    const index = indexOf({ a: 'alpha' });
    expect(index.search('alpha alpha ALPHA', null, 9)[0]?.matched).toEqual(['alpha']);
    const letters = Array.from({ length: 12 }, (_, n) => `word${String.fromCharCode(97 + n)}x`);
    expect(ids(indexOf({ a: letters.join(' ') }), [...letters, 'missing'].join(' '))).toEqual(['a']);
  });

  it('is not answered by a word that very many documents have', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`N${n}`, 'common'] as const));
    const rare = { both: 'common rare', rare: 'rare' };
    expect(ids(indexOf({ ...many(201), ...rare }), 'common rare', 9)).toEqual(['both', 'rare']);
    expect(ids(indexOf({ ...many(199), ...rare }), 'common rare', 300)).toHaveLength(201);
    // If there is no rarer word, common ones must do.
    expect(ids(indexOf(many(203)), 'common missing', 300)).toHaveLength(203);
  });
});

describe('a word with an underscore', () => {
  it('is one word, found as it was written', () => {
    const index = indexOf({ a: 'repeating_action', b: 'repeating' });
    expect(index.search('repeating_action', null, 9)[0]).toMatchObject({ id: 'a' });
    expect(index.search('repeating_action', null, 9)[0]?.matched).toContain('repeating_action');
  });
});

describe('the documents of an index', () => {
  it('are found only where they are allowed', () => {
    const index = indexOf({ a: 'alpha', b: 'alpha' });
    expect(index.search('alpha', (id) => id === 'b', 9).map(({ id }) => id)).toEqual(['b']);
    expect(index.search('alpha', () => false, 9)).toEqual([]);
  });

  it('are replaced by what is put in their place, and gone when they are removed', () => {
    const index = indexOf({ a: 'alpha', b: 'beta' });
    index.put([[{ ...document('a'), sum: 'new' }, textsOf('gamma')]]);
    expect([ids(index, 'alpha'), ids(index, 'gamma')]).toEqual([[], ['a']]);
    expect(index.sumOf('incident', 'a')).toBe('new');
    index.take('incident', 'a');
    index.take('incident', 'unknown');
    index.take('learning', 'b');
    expect(ids(index, 'gamma')).toEqual([]);
    expect(index.sumOf('incident', 'a')).toBeUndefined();
    expect([...index.documents()]).toEqual([document('b')]);
  });

  it('are the same when the index is restored from its bytes, and more can be added to them', () => {
    const index = indexOf({ a: 'alpha', b: 'beta' });
    index.put([[document('c', 'learning'), textsOf('gamma')]]);
    index.take('incident', 'b');
    const bytes = index.bytes();
    // The one that returned its bytes continues to work as well.
    expect(ids(index, 'gamma')).toEqual(['c']);
    const again = indexOf({ d: 'delta' }, bytes);
    expect([...again.documents()]).toEqual([document('a'), document('c', 'learning'), document('d')]);
    for (const [word, id] of [
      ['alpha', 'a'],
      ['gamma', 'c'],
      ['delta', 'd'],
      ['gamam', 'c'],
    ] as const)
      expect(ids(again, word), word).toEqual([id]);
    expect(ids(again, 'beta')).toEqual([]);
  });
});
