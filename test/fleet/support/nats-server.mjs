// The server of the tests: the distribution's package, or the one on the path.
import { spawnSync } from 'node:child_process';
import { installPackage } from '../../support/debian-package.mjs';

const run = (command, args) => spawnSync(command, args, { encoding: 'utf8', timeout: 120_000 });

function onPath() {
  for (const path of ['nats-server', '/usr/sbin/nats-server']) {
    const { status, stdout } = run(path, ['--version']);
    if (status === 0) return { path, version: /v?(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? stdout.trim() };
  }
  return null;
}

/** @returns {{ path?: string, version?: string, why?: string }} */
export function natsServer() {
  const found = onPath();
  if (found) return found;
  const why = installPackage('nats-server');
  return (why === null && onPath()) || { why: why ?? 'nats-server was installed, and does not run' };
}
