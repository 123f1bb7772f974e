// Lists what the build makes: the bundles, and the compiled SQLite that is copied next to them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** Files that npm packs and the extension does not need: the library, and the command line with what it loads. Each is built from one source. */
const OF_NPM = new Set(['dist/library/unstuck.mjs', 'dist/cli.js', 'dist/fleet.js', 'dist/counting.js']);
/** Files that are in both packages. */
const OF_BOTH = new Set(['dist/sql.js', 'dist/sqlite-worker.js']);

/** Returns the bundles in the package for npm or, with `extension`, in the extension. The one that plays the demo is in neither. */
export const packedBundles = (/** @type {'extension' | 'npm'} */ kind) =>
  bundles().filter(({ outfile = '' }) =>
    kind === 'npm' ? OF_NPM.has(outfile) || OF_BOTH.has(outfile) : !OF_NPM.has(outfile) && outfile !== 'dist/replay.js',
  );

/** Returns the options of each bundle. `readable` leaves them as they are written, with source maps. */
export function bundles(readable = false) {
  const common = {
    absWorkingDir: projectRoot,
    bundle: true,
    minify: !readable,
    sourcemap: readable,
    // The notices of all packages are in THIRD_PARTY_NOTICES.txt.
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
    // `module` first: the `main` of jsonc-parser loads its parts in a way that no bundler can follow, and fails at run time.
    mainFields: ['module', 'main'],
  };
  // The library of the message server prints what it cannot read from a server.
  const quiet = { drop: /** @type {import('esbuild').Drop[]} */ (['console']) };
  // A thread loads SQLite at once, so with `require`: Node's loader of modules would read and parse it twice more.
  const worker = { ...node, plugins: [sqlJsBeside], supported: { 'dynamic-import': false } };
  const browser = {
    ...common,
    platform: /** @type {const} */ ('browser'),
    format: /** @type {const} */ ('iife'),
    target: 'es2022',
    tsconfig: 'src/editor/webview/tsconfig.json',
  };
  return [
    // The extension: a source loaded by `import()` becomes a separate file, and code shared by two of them becomes another one.
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
      // For packages in CommonJS, which load parts of Node with `require`.
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    },
    { ...node, entryPoints: ['src/cli/cli.ts'], outfile: 'dist/cli.js', banner: { js: '#!/usr/bin/env node' } },
    // For programs that import `unstuck`; in a separate folder, because the extension takes all modules of `dist`.
    {
      ...node,
      entryPoints: ['src/cli/library/index.ts'],
      outfile: 'dist/library/unstuck.mjs',
      format: /** @type {const} */ ('esm'),
    },
    { ...node, entryPoints: ['sql.js'], outfile: 'dist/sql.js' },
    // Loaded by the command line to talk to a message server, and for --metrics and --otlp.
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

/** Identifies the sources and the packages: one build does not read what another one keeps in the cache. */
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
 * Keeps the script of SQLite in a single file for everything in the package that loads it.
 * @type {import('esbuild').Plugin}
 */
const sqlJsBeside = {
  name: 'sql-js-beside',
  setup: (build) => build.onResolve({ filter: /^sql\.js$/ }, () => ({ path: './sql.js', external: true })),
};

/** The compiled SQLite, from sql.js, copied as it is. */
export const WASM = { package: 'sql.js', from: require.resolve('sql.js/dist/sql-wasm.wasm'), to: 'dist/sql-wasm.wasm' };
