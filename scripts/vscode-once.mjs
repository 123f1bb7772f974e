import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What follows `vscode.` anywhere in the sources: values, and types, which are no values and do no harm. */
function namesUsed(/** @type {string} */ folder) {
  const names = new Set();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.ts'))
      for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(/\bvscode\.([A-Za-z]\w*)/g))
        names.add(name);
  return [...names].sort((one, other) => (one < other ? -1 : 1));
}

/**
 * For esbuild: takes the API of VS Code once. Left to itself, each of some sixty files that import it copies all of its 560 names when the
 * extension starts, 25 ms of processor time and 7 MB. A name that no source mentions is not there, and a build that needs one fails.
 *
 * @param {string} folder of the sources
 * @returns {import('esbuild').Plugin}
 */
export function vscodeOnce(folder) {
  return {
    name: 'vscode-once',
    setup(build) {
      build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
        namespace === 'vscode-once' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'vscode-once' },
      );
      build.onLoad({ filter: /.*/, namespace: 'vscode-once' }, () => ({
        contents: `const api = require('vscode');\n${namesUsed(folder)
          .map((name) => `export const ${name} = api.${name};`)
          .join('\n')}`,
        loader: 'js',
      }));
    },
  };
}
