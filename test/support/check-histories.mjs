/** Checks that what the suites leave behind is consistent: `unstuck events --check` reads every history below a folder. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from './vscode-host.mjs';

/** A history is recognised by one of these. */
const OF_A_HISTORY = ['incidents.sqlite', 'journal'];

/**
 * Reads all histories below a folder, prints how many events they have, and throws if one contradicts itself. No program may be writing to them any
 * more.
 * @param {string} folder
 */
export function checkHistories(folder) {
  const told = historiesBelow(folder).map((store) => {
    const args = [join(projectRoot, 'dist/cli.js'), 'events', '--check', '--store', store];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
    console.log(`${store.slice(folder.length + 1)}: ${stdout.trimEnd().split('\n').at(-1) || stderr.trimEnd()}`);
    if (status !== 1) return '';
    // The folder is deleted with its test. This copy is for a person to look at.
    const kept = join(projectRoot, 'test-output/histories', basename(store));
    fs.cpSync(store, kept, { recursive: true });
    return `${kept}\n${stdout}`;
  });
  const contradictions = told.join('');
  if (contradictions !== '') throw new Error(`What is left of this run contradicts itself:\n${contradictions}`);
}

/** @param {string} folder @returns {string[]} */
function historiesBelow(folder) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const stores = entries.filter(
    ({ name, parentPath }) => OF_A_HISTORY.includes(name) && dirname(parentPath).endsWith('/unstuck.unstuck/incidents'),
  );
  return [...new Set(stores.map(({ parentPath }) => parentPath))];
}
