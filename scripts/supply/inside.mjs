// What is inside a shipped package, or was made into code of ours, and has a licence of its own that no licence file of a package holds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { projectRoot } from '../bundles.mjs';
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
    {
      name: 'gitleaks, its rules, changed into the form that Unstuck reads',
      within: 'unstuck',
      licence: 'MIT',
      text: gitleaksLicence(),
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

/** The notice at the head of the rules. */
function gitleaksLicence() {
  const source = readFileSync(join(projectRoot, 'src/util/secrets/gitleaks.data.ts'), 'utf8');
  const notice = /^The MIT License[\s\S]*?(?=\n\*\/)/m.exec(source)?.[0];
  if (notice === undefined) throw new Error('the rules of gitleaks have lost their licence');
  return notice;
}
