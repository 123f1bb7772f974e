// Writes the JSON Schema of `unstuck.detectors` into package.json: the detectors' own table is where ids, thresholds and units stand.
// A test checks that it is up to date. Usage: npm run settings
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'unstuck-settings-'));
const outfile = join(folder, 'schema.cjs');
await build({
  entryPoints: [join(root, 'src/detect/settings-schema.ts')],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outfile,
  logLevel: 'warning',
});
const { detectorsSchema } = createRequire(import.meta.url)(outfile);
rmSync(folder, { recursive: true });

const file = join(root, 'package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const section = manifest.contributes.configuration.find(({ properties }) => 'unstuck.detectors' in properties);
section.properties['unstuck.detectors'] = detectorsSchema();
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
