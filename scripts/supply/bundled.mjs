// Which packages of others are in what we ship: what esbuild says that it put into the bundles, and the copied files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundles, COPIES, projectRoot } from '../bundles.mjs';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * The packages with at least one byte in a bundle, and those with a copied file; sorted by name.
 * @returns {Promise<{ name: string, version: string, licence: string, texts: string[] }[]>} `texts`: its licence files, as they are
 */
export async function bundledPackages() {
  const folders = new Set(COPIES.map((copy) => `node_modules/${copy.package}`));
  for (const options of bundles()) {
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
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const texts = readdirSync(root)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(root, file), 'utf8'));
  if (texts.length === 0) throw new Error(`${name} has no licence file`);
  return { name, version, licence: license, texts };
}
