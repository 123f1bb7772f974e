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
  const buffer = Buffer.allocUnsafe(TAIL_BYTES);
  for (const file of files) {
    const descriptor = openSync(file);
    const { size } = fstatSync(descriptor);
    const read = readSync(descriptor, buffer, 0, buffer.length, Math.max(0, size - TAIL_BYTES));
    closeSync(descriptor);
    let at = size > TAIL_BYTES ? buffer.indexOf(10) + 1 : 0;
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
          tail.open(file, { unit: 'line', from: 'tail', markers: ['"type":"tool_use"'], line, caughtUp: resolve });
        }),
    ),
  );
}
const used = process.cpuUsage(cpu);
console.log(JSON.stringify({ ms: performance.now() - start, cpu: (used.user + used.system) / 1000, lines }));
process.exit(0);
