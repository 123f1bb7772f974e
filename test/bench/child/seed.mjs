// seed.mjs MODE TAIL FILE… : reads and parses the last 256 KB of each file, with plain calls (`bare`) or by our reader (`tail`).
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';

const [mode, tailPath, ...files] = process.argv.slice(2);
const TAIL_BYTES = 256 * 1024;
const { createTail, silentLog } = createRequire(import.meta.url)(tailPath);
let lines = 0;
const cpu = process.cpuUsage();
const start = performance.now();
if (mode === 'bare') {
  let buffer = Buffer.allocUnsafe(TAIL_BYTES);
  for (const file of files) {
    const descriptor = openSync(file);
    const { size } = fstatSync(descriptor);
    let from = Math.max(0, size - TAIL_BYTES);
    let read = readSync(descriptor, buffer, 0, TAIL_BYTES, from);
    let at = from > 0 ? buffer.indexOf(10) + 1 : 0;
    // The same bytes as ours: a last line that is longer than the tail is read from its beginning.
    while (from > 0 && (at === 0 || at >= read)) {
      from = Math.max(0, from - TAIL_BYTES);
      if (buffer.length < size - from) buffer = Buffer.allocUnsafe(2 * (size - from));
      read = readSync(descriptor, buffer, 0, size - from, from);
      at = buffer.lastIndexOf(10, read - 2) + 1;
    }
    closeSync(descriptor);
    for (let stop = buffer.indexOf(10, at); stop !== -1 && stop < read; stop = buffer.indexOf(10, at)) {
      JSON.parse(buffer.toString('utf8', at, stop));
      lines++;
      at = stop + 1;
    }
  }
} else {
  const tail = createTail({ log: silentLog });
  await Promise.all(
    files.map(
      (file) =>
        new Promise((resolve) => {
          const line = ({ text }) => {
            JSON.parse(text);
            lines++;
          };
          tail.open(file, { unit: 'line', from: 256 * 1024, markers: ['"type":"tool_use"'], line, caughtUp: resolve });
        }),
    ),
  );
}
const used = process.cpuUsage(cpu);
console.log(JSON.stringify({ ms: performance.now() - start, cpu: (used.user + used.system) / 1000, lines }));
process.exit(0);
