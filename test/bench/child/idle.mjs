// idle.mjs TAIL FOLDER SECONDS : follows all files below FOLDER and prints what that costs while nothing happens.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';

const [tailPath, folder, seconds] = process.argv.slice(2);
const { createTail, silentLog, systemBeat } = createRequire(import.meta.url)(tailPath);
const tail = createTail({ log: silentLog, beat: systemBeat() });
let files = 0;
let caughtUp = 0;
tail.watch({
  path: folder,
  depth: 2,
  matches: (path) => path.endsWith('.jsonl'),
  onFile: ({ path }) => {
    files++;
    tail.open(path, { unit: 'line', from: 'start', markers: [], caughtUp: () => caughtUp++ });
  },
});
const isReady = () => files > 0 && caughtUp === files;
while (!isReady()) await wait(50);
// In the first minute newly found files are checked often; the memory of the start is released.
await wait(150_000);
const wakes = wakeUps();
const before = process.cpuUsage();
const start = performance.now();
await wait(Number(seconds) * 1000);
const used = process.cpuUsage(before);
const took = performance.now() - start;
const woken = ((wakeUps() - wakes) / took) * 1000;
let instances = 0;
let watches = 0;
try {
  for (const descriptor of readdirSync('/proc/self/fd')) {
    if (readlinkOf(descriptor) !== 'anon_inode:inotify') continue;
    const count = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('inotify')).length;
    if (count > 0) instances++;
    watches += count;
  }
} catch {
  // Not available on this system.
}
console.log(JSON.stringify({ files, part: (used.user + used.system) / 1000 / took, woken, instances, watches }));
process.exit(0);

/** Number of times that a thread of this process waited and continued; NaN if the system does not report it. */
function wakeUps() {
  try {
    const ofThread = (id) =>
      /^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`/proc/self/task/${id}/status`, 'utf8'));
    return readdirSync('/proc/self/task').reduce((sum, id) => sum + Number(ofThread(id)?.[1]), 0);
  } catch {
    return Number.NaN;
  }
}

function readlinkOf(descriptor) {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}
