// Lists the parts that are inside a shipped package, or were turned into our code, and have a licence of their own that no licence file of a package
// contains.
import initSqlJs from 'sql.js';
import { MIT } from './mit.mjs';

/**
 * Returns the parts by name, each with the package that contains it.
 * @returns {Promise<{ name: string, version?: string, within: string, licence: string, text: string }[]>}
 */
export async function partsInside() {
  return [
    {
      name: 'SQLite',
      version: await sqliteVersion(),
      within: 'sql.js',
      licence: 'blessing',
      text: `The author disclaims copyright to this source code. In place of a legal notice, here is a blessing:

   May you do good and not evil.
   May you find forgiveness for yourself and forgive others.
   May you share freely, never taking more than you give.`,
    },
    {
      name: 'Emscripten, its runtime',
      within: 'sql.js',
      licence: 'MIT',
      text: `Copyright (c) 2010-2014 Emscripten authors\n\n${MIT}`,
    },
    {
      name: 'musl, the C library of Emscripten',
      within: 'sql.js',
      licence: 'MIT',
      text: `Copyright © 2005-2020 Rich Felker, et al.\n\n${MIT}`,
    },
  ];
}

/** Queries the compiled file itself: the package of sql.js does not say which SQLite it contains. */
async function sqliteVersion() {
  const database = new (await initSqlJs()).Database();
  const version = database.exec('SELECT sqlite_version()')[0].values[0][0];
  database.close();
  return String(version);
}
