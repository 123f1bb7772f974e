// Finds the third-party packages in what is shipped: those that esbuild reports to be in the bundles, and the files next to them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packedBundles, projectRoot, WASM } from '../bundles.mjs';
import { ICON_FONT } from '../icon-font.mjs';
import { MIT } from './mit.mjs';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * Returns the packages with at least one byte in a bundle of the extension, or of the package for npm, and those with a file next to them; sorted by
 * name.
 * @param {'extension' | 'npm'} kind
 * @returns {Promise<{ name: string, version: string, licence: string, texts: string[] }[]>} `texts`: its licence files, as they are
 */
export async function bundledPackages(kind = 'extension') {
  const beside = kind === 'npm' ? [WASM] : [WASM, ICON_FONT];
  const folders = new Set(beside.map((copy) => `node_modules/${copy.package}`));
  for (const options of packedBundles(kind)) {
    const { metafile } = await build({ ...options, metafile: true, write: false });
    for (const { inputs } of Object.values(metafile.outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return [...folders].map(describe).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(/** @type {string} */ folder) {
  const root = join(projectRoot, folder);
  const { name, version, license, author } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const texts = readdirSync(root)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(root, file), 'utf8'));
  if (texts.length === 0) {
    const holder = /^[^<(]+/.exec(typeof author === 'string' ? author : (author?.name ?? ''))?.[0].trim();
    if (license !== 'MIT' || !holder) throw new Error(`${name} has no licence file`);
    texts.push(`Copyright (c) ${holder}\n\n${MIT}`);
  }
  return { name, version, licence: license, texts };
}
