// A window's connection in its own process, whose memory and time can be measured. argv: dist/fleet.js, the address and the credentials.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const [bundle, url, credentials] = process.argv.slice(2);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const delay = monitorEventLoopDelay({ resolution: 10 });
const { connectFleet } = createRequire(import.meta.url)(bundle);
delay.enable();
const client = connectFleet({ servers: [url], credentials: fs.readFileSync(credentials, 'utf8'), log: quiet });
process.once('SIGTERM', () => {
  client.dispose();
  process.send({ status: client.status().problem ?? client.status().kind, heldMs: Math.round(delay.max / 1e6) });
  process.disconnect();
  // Timers of the library do not keep an editor alive.
  const looking = setInterval(() => {
    if (process.getActiveResourcesInfo().some((one) => /TCP|TLS/.test(one))) return;
    clearInterval(looking);
    process.exit();
  }, 10);
});
