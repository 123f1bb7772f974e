// Builds the bundles: extension, command line, hook, and the panel's browser code. `--watch` keeps going, `--dev` leaves them readable.
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { context } from 'esbuild';

const require = createRequire(import.meta.url);
const watch = process.argv.includes('--watch');
const readable = watch || process.argv.includes('--dev');

const common = {
  bundle: true,
  minify: !readable,
  sourcemap: readable ? 'inline' : false,
  legalComments: 'none',
  logLevel: 'warning',
};
// Node 20 is the oldest extension host of the declared engine (VS Code 1.100).
// `module` first: the `main` of jsonc-parser loads its parts in a way that no bundler can follow, and fails when it runs.
const node = { ...common, platform: 'node', format: 'cjs', target: 'node20', mainFields: ['module', 'main'] };

const bundles = [
  { ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode', './main.js'] },
  { ...node, entryPoints: ['src/main.ts'], outfile: 'dist/main.js', external: ['vscode'] },
  { ...node, entryPoints: ['src/cli.ts'], outfile: 'dist/cli.js', banner: { js: '#!/usr/bin/env node' } },
  { ...node, entryPoints: ['src/hook.ts'], outfile: 'dist/hook.js' },
  { ...node, entryPoints: ['src/sqlite-worker.ts'], outfile: 'dist/sqlite-worker.js' },
  { ...node, entryPoints: ['src/opencode-plugin.ts'], outfile: 'dist/opencode-plugin.mjs', format: 'esm' },
  // For `npm start` and the tests; not part of the package.
  { ...node, entryPoints: ['src/replay/index.ts'], outfile: 'dist/replay.js' },
  {
    ...common,
    entryPoints: ['src/webview/main.ts'],
    outfile: 'dist/panel.js',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    tsconfig: 'src/webview/tsconfig.json',
  },
  { ...common, entryPoints: ['src/webview/panel.css'], outfile: 'dist/panel.css', external: ['*.ttf'] },
];

mkdirSync('dist', { recursive: true });
copyFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'), 'dist/sql-wasm.wasm');
copyFileSync('src/hook.sh', 'dist/hook.sh');
copyFileSync(join(dirname(require.resolve('@vscode/codicons/package.json')), 'dist/codicon.ttf'), 'dist/codicon.ttf');

const contexts = await Promise.all(bundles.map((options) => context(options)));
if (watch) {
  await Promise.all(contexts.map((bundle) => bundle.watch()));
} else {
  // One after the other: two at once gain nothing on a small machine.
  for (const bundle of contexts) await bundle.rebuild();
  await Promise.all(contexts.map((bundle) => bundle.dispose()));
}
