import { expect, it } from 'vitest';
import { rowsOfPages } from '../../../../src/history/snapshot/pages';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import { WASM } from '../support/make';

const PAGE = 512;

it('reads the rows of a database without its tree, including long ones over several pages, as SQLite does', async () => {
  const { Database } = await createSqlEngine(WASM)();
  const database = new Database();
  database.run(`PRAGMA page_size = ${PAGE}`);
  database.run('CREATE TABLE a (id TEXT PRIMARY KEY, n INTEGER, data TEXT)');
  const numbers = [null, 0, 1, -1, 127, 128, -40_000, 8_000_000, 2 ** 31, -(2 ** 40), 2 ** 47, 2 ** 52];
  const lengths = [0, 1, 40, 400, 470, 476, 477, 478, 479, 900, 5_000];
  const rows = numbers.flatMap((n, i) => lengths.map((length) => [`${i}/${length}`, n, 'ü🙂'.repeat(length)]));
  for (const row of rows) database.run('INSERT INTO a VALUES (?,?,?)', row);
  const bytes = database.export();
  database.close();

  const found = [...rowsOfPages(bytes, PAGE)].filter((cells) => cells?.length === 3);
  expect(found.length).toBe(rows.length);
  expect(new Map(found.map((cells) => [cells?.[0], cells]))).toEqual(new Map(rows.map((row) => [row[0], row])));
  // The head, and any page that leads to others, may be gone.
  const beheaded = Buffer.from(bytes).fill(0, 0, PAGE);
  expect([...rowsOfPages(beheaded, PAGE)].filter((cells) => cells?.length === 3)).toHaveLength(rows.length);
});

it('ends, and reads nothing outside the file, whatever the bytes are', () => {
  const bytes = Buffer.alloc(8 * PAGE);
  for (let seed = 1; seed <= 300; seed++) {
    for (let at = 0, state = seed; at < bytes.length; at++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      bytes[at] = state >>> 24;
    }
    for (let page = 0; page < 8; page++) bytes[page * PAGE + (page === 0 ? 100 : 0)] = 13;
    for (const cells of rowsOfPages(bytes.subarray(0, bytes.length - (seed % PAGE)), PAGE)) {
      for (const cell of cells ?? []) expect(String(cell).length).toBeLessThanOrEqual(bytes.length);
    }
  }
});
