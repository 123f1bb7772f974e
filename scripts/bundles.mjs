// What the build makes: the bundles, and the compiled SQLite that is copied beside them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** What npm packs and the extension does not need: the library, and the command line with what it loads. Each is written from one source. */
const OF_NPM = new Set(['dist/library/unstuck.mjs', 'dist/cli.js', 'dist/fleet.js', 'dist/counting.js']);
/** What both packages have. */
const OF_BOTH = new Set(['dist/sql.js', 'dist/sqlite-worker.js']);

/** The bundles in the package for npm; `extension`: in the extension. What plays the demo is in neither. */
export const packedBundles = (/** @type {'extension' | 'npm'} */ kind) =>
  bundles().filter(({ outfile = '' }) =>
    kind === 'npm' ? OF_NPM.has(outfile) || OF_BOTH.has(outfile) : !OF_NPM.has(outfile) && outfile !== 'dist/replay.js',
  );

/** The options of each bundle. `readable` leaves them as they are written, with source maps. */
export function bundles(readable = false) {
  const common = {
    absWorkingDir: projectRoot,
    bundle: true,
    minify: !readable,
    sourcemap: readable,
    // The notices of all packages stand in THIRD_PARTY_NOTICES.txt.
    legalComments: /** @type {const} */ ('none'),
    logLevel: /** @type {const} */ ('warning'),
    define: { UNSTUCK_BUILD: JSON.stringify(sourcesHash()) },
  };
  const node = {
    ...common,
    platform: /** @type {const} */ ('node'),
    format: /** @type {const} */ ('cjs'),
    // Node 20 is the oldest extension host of the declared engine (VS Code 1.100).
    target: 'node20',
    // `module` first: the `main` of jsonc-parser loads its parts in a way that no bundler can follow, and fails when it runs.
    mainFields: ['module', 'main'],
  };
  // The library of the message server prints what it cannot read of a server.
  const quiet = { drop: /** @type {import('esbuild').Drop[]} */ (['console']) };
  // A thread loads SQLite at once, so by `require`: Node's loader of modules would read and parse it twice more.
  const worker = { ...node, plugins: [sqlJsBeside], supported: { 'dynamic-import': false } };
  const browser = {
    ...common,
    platform: /** @type {const} */ ('browser'),
    format: /** @type {const} */ ('iife'),
    target: 'es2022',
    tsconfig: 'src/editor/webview/tsconfig.json',
  };
  return [
    // The extension: what a source loads by `import()` becomes a file of its own, and what two of them share another one.
    {
      ...node,
      ...quiet,
      entryPoints: ['src/editor/extension.ts', 'src/editor/uninstall.ts'],
      outdir: 'dist',
      format: /** @type {const} */ ('esm'),
      splitting: true,
      outExtension: { '.js': '.mjs' },
      chunkNames: '[name]-[hash]',
      plugins: [sqlJsBeside],
      external: ['vscode'],
      // For packages in CommonJS, which load parts of Node by `require`.
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    },
    { ...node, entryPoints: ['src/cli/cli.ts'], outfile: 'dist/cli.js', banner: { js: '#!/usr/bin/env node' } },
    // For programs that import `unstuck`; in a folder of its own, because the extension takes all modules of `dist`.
    {
      ...node,
      entryPoints: ['src/cli/library/index.ts'],
      outfile: 'dist/library/unstuck.mjs',
      format: /** @type {const} */ ('esm'),
    },
    { ...node, entryPoints: ['sql.js'], outfile: 'dist/sql.js' },
    // What the command line loads to speak with a message server, and for --metrics and --otlp.
    { ...node, ...quiet, entryPoints: ['src/fleet/bundle.ts'], outfile: 'dist/fleet.js' },
    { ...node, entryPoints: ['src/cli/metrics/bundle.ts'], outfile: 'dist/counting.js' },
    { ...node, entryPoints: ['src/agents/hook.ts'], outfile: 'dist/hook.js' },
    { ...worker, entryPoints: ['src/agents/sqlite/sqlite-worker.ts'], outfile: 'dist/sqlite-worker.js' },
    { ...worker, entryPoints: ['src/history/history-worker.ts'], outfile: 'dist/history-worker.js' },
    { ...node, entryPoints: ['src/agents/opencode-plugin.ts'], outfile: 'dist/opencode-plugin.mjs', format: 'esm' },
    // For `npm start` and the tests; not part of the package.
    { ...node, entryPoints: ['src/editor/replay/index.ts'], outfile: 'dist/replay.js' },
    { ...browser, entryPoints: ['src/editor/webview/entries/panel.ts'], outfile: 'dist/panel.js' },
    { ...browser, entryPoints: ['src/editor/webview/entries/overview.ts'], outfile: 'dist/overview.js' },
    { ...browser, entryPoints: ['src/editor/webview/entries/rules.ts'], outfile: 'dist/rules.js' },
    { ...browser, entryPoints: ['src/editor/webview/entries/statistics.ts'], outfile: 'dist/statistics.js' },
    { ...common, entryPoints: ['src/editor/webview/overview.css'], outfile: 'dist/overview.css', external: ['*.ttf'] },
    { ...common, entryPoints: ['src/editor/webview/rules.css'], outfile: 'dist/rules.css', external: ['*.ttf'] },
    {
      ...common,
      entryPoints: ['src/editor/webview/statistics.css'],
      outfile: 'dist/statistics.css',
      external: ['*.ttf'],
    },
    { ...common, entryPoints: ['src/editor/webview/panel.css'], outfile: 'dist/panel.css', external: ['*.ttf'] },
  ];
}

/** Names the sources and the packages: what one build keeps in the cache, another one does not read. */
function sourcesHash() {
  const sources = join(projectRoot, 'src');
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();
  const hash = createHash('sha256').update(readFileSync(join(projectRoot, 'package-lock.json')));
  for (const file of files) hash.update(file).update(readFileSync(join(sources, file)));
  return hash.digest('hex').slice(0, 16);
}

/**
 * The script of SQLite is one file for all of the package who load it.
 * @type {import('esbuild').Plugin}
 */
const sqlJsBeside = {
  name: 'sql-js-beside',
  setup: (build) => build.onResolve({ filter: /^sql\.js$/ }, () => ({ path: './sql.js', external: true })),
};

/** The compiled SQLite, from sql.js, copied as it is. */
export const WASM = { package: 'sql.js', from: require.resolve('sql.js/dist/sql-wasm.wasm'), to: 'dist/sql-wasm.wasm' };
