#!/usr/bin/env node
/** Runs the tests against a real nats-server, which apt-get installs where that is allowed. Without one it says why and exits with success. */
import { spawnSync } from 'node:child_process';
import { projectRoot } from '../../scripts/bundles.mjs';
import { natsServer } from './support/nats-server.mjs';

const found = natsServer();
if (!found.path) {
  console.log(`skipped: ${found.why}`);
  process.exit(0);
}
console.log(`nats-server ${found.version}`);
const options = ['--project', 'fleet', '--reporter', 'verbose', '--disable-console-intercept=true'];
const { status } = spawnSync('npx', ['vitest', 'run', ...process.argv.slice(2), ...options], {
  cwd: projectRoot,
  stdio: 'inherit',
});
process.exit(status ?? 1);
