// What the start costs the extension host of a real VS Code (host-start.mjs), if one is set up and the package is built.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostFolder, projectRoot } from '../support/vscode-host.mjs';
import { benchFolder } from './support/build.mjs';
import { roundsLeft, row, skipped, spread } from './support/measure.mjs';

/** Two windows and four loads of them: they take about this long on a busy machine. */
const ROUND_MS = 60_000;

export async function run({ rounds }) {
  if (!existsSync(join(projectRoot, 'dist/unstuck.vsix')))
    return [skipped('start', 'dist/unstuck.vsix is absent: run `npm run package` first')];
  if (!existsSync(join(hostFolder('current'), 'node_modules')))
    return [skipped('start', 'no VS Code is set up: run `node test/support/vscode-host.mjs current` first')];
  const wanted = roundsLeft(rounds, ROUND_MS);
  const command = [join(benchFolder, 'host-start.mjs'), '--json', '--rounds', String(wanted)];
  const { stdout } = await promisify(execFile)(process.execPath, command).catch((error) => error);
  const last = (stdout ?? '').trim().split('\n').at(-1);
  if (!last.startsWith('[')) return [skipped('start', 'VS Code did not start')];
  return JSON.parse(last).map(({ what, limit, values, holds }) =>
    row('start', what, `≤ ${limit} ms`, spread(values, ' ms'), holds),
  );
}
