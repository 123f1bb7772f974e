// A window on the fleet: what it knows, how late it receives it, how much memory it takes.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { servers, credentials, bundle } = JSON.parse(process.argv[2]);
const { connectFleet } = require(bundle);
const before = process.memoryUsage.rss();
const began = performance.now();
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const client = connectFleet({ servers, credentials: readFileSync(credentials, 'utf8'), log: quiet });
let delays = [];
let longest = 0;
let beat = performance.now();
setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - beat - 5);
  beat = now;
}, 5);
client.onDidChange(({ agents }) => {
  const now = Date.now();
  for (const id of agents) {
    const agent = client.agent(id);
    if (agent) delays.push(now - agent.record.at);
  }
});
client.onDidChangeStatus(({ kind }) => {
  if (kind === 'connected')
    process.send({ kind: 'connected', ms: performance.now() - began, agents: client.agents().length });
});
process.on('message', ({ kind }) => {
  if (kind === 'reset') {
    delays = [];
    longest = 0;
  }
  if (kind === 'count') {
    delays.sort((a, b) => a - b);
    const at = (share) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
    const memory = process.memoryUsage.rss();
    process.send({
      kind,
      heard: delays.length,
      p50: at(0.5),
      p99: at(0.99),
      longest,
      memory,
      before,
      agents: client.agents().length,
      machines: client.machines().length,
    });
  }
});
process.on('disconnect', () => process.exit(0));
