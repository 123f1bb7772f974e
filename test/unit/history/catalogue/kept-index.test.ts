import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SqlJsStatic } from 'sql.js';
import { type KeptIndex, createKeptIndex } from '../../../../src/history/catalogue/kept-index';
import type { SearchTexts } from '../../../../src/history/queries/search-texts';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import { WASM, folder } from '../support/make';

let engine: SqlJsStatic;
beforeAll(async () => {
  engine = await createSqlEngine(WASM)();
});

/** Documents by id: the searchable text of each. */
type Texts = Map<string, string | null>;

function window(texts: Texts, path: string | null) {
  const read: string[] = [];
  const kept: KeptIndex = createKeptIndex(engine, path, {
    documents: () =>
      [...texts].map(([id, text]) => ({ kind: 'incident' as const, id, sum: String(text?.length ?? 'gone') })),
    texts: ({ id }): SearchTexts | null => {
      read.push(id);
      const text = texts.get(id) ?? null;
      return text === null ? null : ['', '', '', '', text];
    },
  });
  const found = (word: string) =>
    kept
      .whole()
      .search(word, null, 1_000)
      .map(({ id }) => id)
      .toSorted();
  return { kept, found, read };
}

/** Enough incidents to be worth a file. */
const many = (): Texts =>
  new Map(Array.from({ length: 250 }, (_, n) => [`I${n}`, n === 7 ? 'alpha' : 'beta'] as const));

describe('the search index', () => {
  it('is built in parts, and is complete in the end', () => {
    const { kept, found, read } = window(many(), null);
    expect(kept.prepare()).toBe(false);
    expect(read).toHaveLength(50);
    expect([1, 2, 3, 4].map(() => kept.prepare())).toEqual([false, false, false, true]);
    expect(kept.prepare()).toBe(true);
    expect(read).toHaveLength(250);
    expect(found('alpha')).toEqual(['I7']);
    expect(found('beta')).toHaveLength(249);
  });

  it('is read from its file by the next window, which adds what is new and what was changed', () => {
    const path = join(folder(), 'search.index');
    const texts = many();
    window(texts, path).found('alpha');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    texts.set('new', 'gamma');
    texts.set('I3', 'delta');
    const next = window(texts, path);
    expect(next.found('gamma')).toEqual(['new']);
    expect(next.read.toSorted()).toEqual(['I3', 'new']);
    expect(next.found('delta')).toEqual(['I3']);
    expect(next.found('alpha')).toEqual(['I7']);
    expect(next.found('alpah')).toEqual(['I7']);
    expect(next.found('beta')).not.toContain('I3');
  });

  it('of few incidents is not worth a file', () => {
    const path = join(folder(), 'search.index');
    window(new Map([['one', 'alpha']]), path).found('alpha');
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['zeroed', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    [
      'changed by a bit',
      (bytes: Buffer) => {
        const changed = Buffer.from(bytes);
        changed[Math.floor(bytes.length / 2)] = (changed[Math.floor(bytes.length / 2)] ?? 0) ^ 4;
        return changed;
      },
    ],
  ])('whose file is %s is built again', (_, damage) => {
    const path = join(folder(), 'search.index');
    window(many(), path).found('alpha');
    writeFileSync(path, damage(readFileSync(path)));
    const next = window(many(), path);
    expect(next.found('alpha')).toEqual(['I7']);
    expect(next.read).toHaveLength(250);
  });

  it('works if its file cannot be written, and leaves nothing next to it', () => {
    const path = join(folder(), 'search.index');
    mkdirSync(path);
    expect(window(many(), path).found('alpha')).toEqual(['I7']);
    expect(readdirSync(join(path, '..'))).toEqual(['search.index']);
  });

  it('works if the folder of its file is gone', () => {
    const path = join(folder(), 'gone', 'search.index');
    expect(window(many(), path).found('alpha')).toEqual(['I7']);
    expect(existsSync(path)).toBe(false);
  });

  it('stays on the disk if something is deleted that it never had', () => {
    const path = join(folder(), 'search.index');
    const { kept, found } = window(many(), path);
    found('alpha');
    kept.changed({ kind: 'incident', id: 'unknown', sum: 'null' });
    expect(existsSync(path)).toBe(true);
  });

  it('keeps no word of what was deleted on the disk', () => {
    const path = join(folder(), 'search.index');
    const texts = many();
    const { kept, found } = window(texts, path);
    expect(found('alpha')).toEqual(['I7']);
    expect(readFileSync(path).includes('alpha')).toBe(true);
    texts.set('I7', null);
    kept.changed({ kind: 'incident', id: 'I7', sum: 'null' });
    expect(found('alpha')).toEqual([]);
    expect(existsSync(path)).toBe(false);
    for (let n = 0; n < 250; n++) kept.changed({ kind: 'incident', id: `I${n}`, sum: 'new' });
    kept.renew();
    expect(found('beta')).toHaveLength(249);
    expect(existsSync(path)).toBe(false);
  });

  it('is built again if the file has what another window deleted', () => {
    const path = join(folder(), 'search.index');
    window(many(), path).found('alpha');
    const texts = many();
    texts.delete('I7');
    const next = window(texts, path);
    expect(next.found('alpha')).toEqual([]);
    expect(next.read).toHaveLength(249);
    expect(readFileSync(path).includes('alpha')).toBe(false);
  });

  it('stays when the history is read again: only what is new is added', () => {
    const texts = many();
    const { kept, found, read } = window(texts, null);
    found('alpha');
    texts.set('I1', 'gamma');
    texts.delete('I7');
    kept.renew();
    expect(found('gamma')).toEqual(['I1']);
    expect(found('alpha')).toEqual([]);
    expect(read).toHaveLength(251);
  });
});
