// What the build makes: the bundles, and the compiled SQLite that is copied beside them.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { asciiOnly } from './ascii.mjs';
import { LATER, splitLater } from './later.mjs';
import { vscodeOnce } from './vscode-once.mjs';

export const projectRoot = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** By these `dist/later.js` is entered: what reads a session, checks its output, connects an agent or asks the history (scripts/later.mjs). */
const DOORS =
  /^src\/(?:agents\/[^/]+\/(?:decoder|stream|printed|print|wire|task|code|line-kind|copied)|agents\/shared\/connect\/json-edit|api\/validate|checks\/runners\/parse-output|detect\/session\/across-note|engine\/session\/(?:session|excerpt|session-text)|engine\/report\/fixture|store\/catalogue\/local)\.ts$/;

/** What is not part of the package: the command line, which is run from a checkout, and what plays the demo. */
export const BESIDE_PACKAGE = new Set(['dist/cli.js', 'dist/scan-worker.js', 'dist/counting.js', 'dist/replay.js']);

/** The options of each bundle. `readable` leaves them as they are written, with a source map. */
export function bundles(readable = false) {
  const common = {
    absWorkingDir: projectRoot,
    bundle: true,
    minify: !readable,
    sourcemap: readable ? 'inline' : false,
    // The notices of all packages stand in THIRD_PARTY_NOTICES.txt.
    legalComments: 'none',
    logLevel: 'warning',
  };
  // Node 20 is the oldest extension host of the declared engine (VS Code 1.100).
  // `module` first: the `main` of jsonc-parser loads its parts in a way that no bundler can follow, and fails when it runs.
  const node = { ...common, platform: 'node', format: 'cjs', target: 'node20', mainFields: ['module', 'main'] };
  // By `require` where a source says `import()`: Node's loader of modules would read and parse the file twice more.
  const withSqlJs = { ...node, plugins: [sqlJsBeside], supported: { 'dynamic-import': false } };
  const main = {
    ...withSqlJs,
    entryPoints: ['src/main.ts'],
    outfile: 'dist/main.js',
    plugins: [sqlJsBeside, vscodeOnce(resolve(projectRoot, 'src'))],
    logOverride: { 'import-is-undefined': 'error' },
  };
  const browser = {
    ...common,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    tsconfig: 'src/webview/tsconfig.json',
  };
  return [
    { ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'] },
    ...(readable ? [main] : splitMain(main)),
    { ...node, entryPoints: ['src/cli.ts'], outfile: 'dist/cli.js', banner: { js: '#!/usr/bin/env node' } },
    // Reads transcripts beside cli.js, in a thread of its own.
    { ...node, entryPoints: ['src/scan-worker.ts'], outfile: 'dist/scan-worker.js' },
    { ...node, entryPoints: ['sql.js'], outfile: 'dist/sql.js' },
    // What speaks with a message server: loaded only when a person asked for it.
    { ...node, entryPoints: ['src/fleet-bundle.ts'], outfile: 'dist/fleet.js' },
    // What the command line loads for --metrics and --otlp only. Whoever wants one of the two need not load the other.
    { ...node, entryPoints: ['src/counting-bundle.ts'], outfile: 'dist/counting.js' },
    { ...node, entryPoints: ['src/hook.ts'], outfile: 'dist/hook.js' },
    { ...node, entryPoints: ['src/uninstall.ts'], outfile: 'dist/uninstall.js' },
    { ...withSqlJs, entryPoints: ['src/sqlite-worker.ts'], outfile: 'dist/sqlite-worker.js' },
    { ...withSqlJs, entryPoints: ['src/history-worker.ts'], outfile: 'dist/history-worker.js' },
    { ...node, entryPoints: ['src/opencode-plugin.ts'], outfile: 'dist/opencode-plugin.mjs', format: 'esm' },
    // For `npm start` and the tests; not part of the package.
    { ...node, entryPoints: ['src/replay/index.ts'], outfile: 'dist/replay.js' },
    { ...browser, entryPoints: ['src/webview/main.ts'], outfile: 'dist/panel.js' },
    { ...browser, entryPoints: ['src/webview/overview/main.ts'], outfile: 'dist/overview.js' },
    { ...browser, entryPoints: ['src/webview/rules/main.ts'], outfile: 'dist/rules.js' },
    { ...browser, entryPoints: ['src/webview/statistics/main.ts'], outfile: 'dist/statistics.js' },
    { ...common, entryPoints: ['src/webview/overview.css'], outfile: 'dist/overview.css', external: ['*.ttf'] },
    { ...common, entryPoints: ['src/webview/rules.css'], outfile: 'dist/rules.css', external: ['*.ttf'] },
    { ...common, entryPoints: ['src/webview/statistics.css'], outfile: 'dist/statistics.css', external: ['*.ttf'] },
    { ...common, entryPoints: ['src/webview/panel.css'], outfile: 'dist/panel.css', external: ['*.ttf'] },
  ];
}

/**
 * The bundle of the extension in two; whole it is easier to debug.
 * @param {import('esbuild').BuildOptions & { outfile: string, plugins: import('esbuild').Plugin[] }} main
 */
function splitMain(main) {
  const { forMain, forLater } = splitLater(main, projectRoot, DOORS);
  return [
    { ...main, plugins: [forMain, ...main.plugins, asciiOnly()] },
    { ...main, ...LATER, outfile: 'dist/later.js', plugins: [forLater, ...main.plugins, asciiOnly()] },
  ];
}

/**
 * The script of SQLite is one file for all of the package who load it, late or never: in `main.js` each start would read and parse it.
 * @type {import('esbuild').Plugin}
 */
const sqlJsBeside = {
  name: 'sql-js-beside',
  setup: (build) => build.onResolve({ filter: /^sql\.js$/ }, () => ({ path: './sql.js', external: true })),
};

/** The compiled SQLite, from sql.js, copied as it is. */
export const WASM = { package: 'sql.js', from: require.resolve('sql.js/dist/sql-wasm.wasm'), to: 'dist/sql-wasm.wasm' };
