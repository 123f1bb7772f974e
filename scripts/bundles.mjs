// What the build makes: the bundles, and the files of packages that are copied beside them.
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

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
  return [
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
}

/** The compiled SQLite, from sql.js. */
export const WASM = { package: 'sql.js', from: require.resolve('sql.js/dist/sql-wasm.wasm'), to: 'dist/sql-wasm.wasm' };

/** Files that packages bring and the build copies as they are. */
export const COPIES = [
  WASM,
  {
    package: '@vscode/codicons',
    from: join(dirname(require.resolve('@vscode/codicons/package.json')), 'dist/codicon.ttf'),
    to: 'dist/codicon.ttf',
  },
];
