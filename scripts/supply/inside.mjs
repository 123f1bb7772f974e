// What is inside a shipped package, or was made into code of ours, and has a licence of its own that no licence file of a package holds.
import initSqlJs from 'sql.js';
import { MIT } from './mit.mjs';

/**
 * Parts by name, each with the package it is in.
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

/** The compiled file is asked itself: sql.js does not say in its package which SQLite it holds. */
async function sqliteVersion() {
  const database = new (await initSqlJs()).Database();
  const version = database.exec('SELECT sqlite_version()')[0].values[0][0];
  database.close();
  return String(version);
}
