// The server of the tests: the distribution's package, or the one on the path.
import { spawnSync } from 'node:child_process';

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
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { why: 'there is no nats-server on the path, and only root may install one (apt-get install nats-server)' };
  // The package starts a server of its own; none is wanted.
  const options = ['-y', '--no-install-recommends', 'install', 'nats-server'];
  const { status } = spawnSync('apt-get', options, {
    stdio: 'ignore',
    timeout: 300_000,
    env: { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' },
  });
  return (status === 0 && onPath()) || { why: 'apt-get could not install nats-server' };
}
