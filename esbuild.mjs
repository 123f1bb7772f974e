// Builds the bundles: extension, command line, hook, and the panel's browser code. `--watch` keeps going, `--dev` leaves them readable.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { context } from 'esbuild';
import { bundles, WASM } from './scripts/bundles.mjs';
import { writeIconFont } from './scripts/icon-font.mjs';

const watch = process.argv.includes('--watch');
const readable = watch || process.argv.includes('--dev');

mkdirSync('dist', { recursive: true });
// Files of the extension are named after their contents, so an earlier build may have left others.
for (const file of readdirSync('dist')) if (/\.(mjs|map)$/.test(file)) rmSync(`dist/${file}`);
copyFileSync(WASM.from, WASM.to);
await writeIconFont();
copyFileSync('src/agents/hook.sh', 'dist/hook.sh');

const contexts = await Promise.all(bundles(readable).map((options) => context(options)));
if (watch) {
  await Promise.all(contexts.map((bundle) => bundle.watch()));
} else {
  // One after the other: building two at once gains nothing on a small machine.
  for (const bundle of contexts) await bundle.rebuild();
  await Promise.all(contexts.map((bundle) => bundle.dispose()));
}
