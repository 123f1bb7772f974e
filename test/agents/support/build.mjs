// Bundles engine, hook and command line into a folder of their own, as they are shipped.
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const project = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** @param {string} folder @returns the exports of parts.ts, and the paths of hook and command line */
export async function buildParts(folder) {
  mkdirSync(folder, { recursive: true });
  const options = {
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  };
  for (const [name, entry] of Object.entries({
    parts: 'test/agents/parts.ts',
    hook: 'src/agents/hook.ts',
    cli: 'src/cli/cli.ts',
    'sqlite-worker': 'src/agents/sqlite/sqlite-worker.ts',
  })) {
    const mainFields = ['module', 'main'];
    await build({ ...options, mainFields, entryPoints: [join(project, entry)], outfile: join(folder, `${name}.js`) });
  }
  await build({
    ...options,
    format: 'esm',
    mainFields: ['module', 'main'],
    entryPoints: [join(project, 'src/agents/opencode-plugin.ts')],
    outfile: join(folder, 'opencode-plugin.mjs'),
  });
  copyFileSync(join(project, 'src/agents/hook.sh'), join(folder, 'hook.sh'));
  copyFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'), join(folder, 'sql-wasm.wasm'));
  return { parts: require(join(folder, 'parts.js')), folder, cli: join(folder, 'cli.js') };
}
