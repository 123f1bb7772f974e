// ccusage, which sums up the tokens of transcripts: another job on the same files. Installed outside the project when a benchmark needs it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const PEER_VERSION = '20.0.24';

/** Path of the program, or the reason why there is none. Its scripts are not run: it needs none. */
export function installedPeer(version = PEER_VERSION) {
  const folder = join(tmpdir(), 'unstuck-bench', `ccusage-${version}`);
  const path = join(folder, 'node_modules/.bin/ccusage');
  try {
    if (!existsSync(path)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
      const packages = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `ccusage@${version}`];
      execFileSync('npm', packages, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 });
    }
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 });
    return { path };
  } catch (error) {
    return { why: String(error.message).split('\n')[0] };
  }
}
