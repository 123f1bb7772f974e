#!/usr/bin/env node
/**
 * Writes two bills of materials (CycloneDX, by npm): dist/unstuck.cdx.json has all packages of the lock file, with shipped ones marked `required` and
 * the tools `excluded`; dist/sbom.cdx.json, which goes into the package, has only what is shipped. What npm invents for each run (serial number,
 * time, its own version) is left out or derived from the content, so the same lock file results in the same documents.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, WASM } from '../bundles.mjs';
import { bundledPackages } from './bundled.mjs';
import { partsInside } from './inside.mjs';

const document = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);

const shipped = new Set((await bundledPackages()).map(({ name, version }) => `${name}@${version}`));
for (const component of document.components) {
  component.scope = shipped.delete(component['bom-ref']) ? 'required' : 'excluded';
  if (component.scope === 'required') delete component.properties;
}
if (shipped.size > 0) throw new Error(`shipped, and not in the lock file: ${[...shipped].join(', ')}`);

const sha256 = createHash('sha256').update(readFileSync(WASM.from)).digest('hex');
for (const { name, version, within, licence } of await partsInside()) {
  document.components.push({
    'bom-ref': `${name} within ${within}`,
    type: 'library',
    name,
    ...(version === undefined ? {} : { version }),
    scope: 'required',
    licenses: [{ license: { id: licence } }],
  });
}
document.components.push({
  'bom-ref': WASM.to,
  type: 'file',
  name: WASM.to,
  description: `The file of the same name of ${WASM.package}, unchanged`,
  scope: 'required',
  hashes: [{ alg: 'SHA-256', content: sha256 }],
});

delete document.serialNumber;
delete document.metadata.timestamp;
// npm names the folder in which it ran.
document.metadata.component.name = 'unstuck';
for (const tool of document.metadata.tools) delete tool.version;

const isShipped = new Set(
  document.components.filter(({ scope }) => scope === 'required').map((component) => component['bom-ref']),
);
const own = document.metadata.component['bom-ref'];
const shippedOf = (/** @type {string[]} */ references) => references.filter((reference) => isShipped.has(reference));

mkdirSync(join(projectRoot, 'dist'), { recursive: true });
write('dist/unstuck.cdx.json', document);
write('dist/sbom.cdx.json', {
  ...document,
  components: document.components.filter(({ scope }) => scope === 'required'),
  dependencies: document.dependencies
    .filter(({ ref }) => ref === own || isShipped.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: shippedOf(dependsOn) })),
});

function write(/** @type {string} */ to, /** @type {Record<string, unknown>} */ bill) {
  const hex = createHash('sha256').update(JSON.stringify(bill)).digest('hex');
  // A name-based UUID of version 8: as much of the hash as fits besides the version and the variant.
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  const { $schema, bomFormat, specVersion, ...rest } = bill;
  const complete = { $schema, bomFormat, specVersion, serialNumber: `urn:uuid:${uuid}`, ...rest };
  writeFileSync(join(projectRoot, to), `${JSON.stringify(complete, null, 2)}\n`);
  console.log(`${to}: ${complete.components.length} components, ${complete.serialNumber}`);
}
