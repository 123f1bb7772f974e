/** Small extensions that run next to ours in a measurement, made into a .vsix at run time; none of them is shipped. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/vscode-host.mjs';

/**
 * Packages an extension that starts with VS Code.
 *
 * @param {string} folder an empty or new folder for it; the package is put there
 * @param {{ name: string, displayName: string, source: string }} extension `source`: its only module, in CommonJS
 * @returns {string} path of the package
 */
export function packExtension(folder, { name, displayName, source }) {
  fs.mkdirSync(folder, { recursive: true });
  const manifest = {
    name,
    displayName,
    publisher: 'unstuck-bench',
    version: '0.0.1',
    engines: { vscode: '^1.100.0' },
    main: './main.js',
    activationEvents: ['onStartupFinished'],
  };
  fs.writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  fs.writeFileSync(join(folder, 'main.js'), source);
  fs.writeFileSync(join(folder, 'README.md'), `${displayName}.\n`);
  const vsix = join(folder, `${name}.vsix`);
  const args = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '-o', vsix];
  const made = spawnSync(join(projectRoot, 'node_modules/.bin/vsce'), args, { cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  return vsix;
}
