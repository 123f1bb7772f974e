// follow.mjs MODE TAIL FOLDER : follows all files of the folders below FOLDER. Prints `ready`, and at SIGTERM what it saw as JSON:
// rows of [phase, microseconds from append to line, file, number].
//   tail  our reader     bare  fs.watch and readSync     poll  statSync of all files every 500 ms
import { closeSync, fstatSync, openSync, readSync, readdirSync, statSync, watch } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [mode, tailPath, folder] = process.argv.slice(2);
const folders = readdirSync(folder).map((name) => join(folder, name));
const files = folders.flatMap((inner) => readdirSync(inner).map((name) => join(inner, name)));
const seen = [];

function take(text) {
  const now = process.hrtime.bigint();
  const { t, p, f, n } = JSON.parse(text);
  if (t) seen.push([p, Number(now - BigInt(t)) / 1000, f, n]);
}

if (mode === 'tail') {
  const { createTail, silentLog } = createRequire(import.meta.url)(tailPath);
  const tail = createTail({ log: silentLog });
  let left = files.length;
  for (const path of files) {
    let first = true;
    tail.open(path, {
      unit: 'line',
      from: 'start',
      markers: ['"type":"tool_use"'],
      line: (line) => take(line.text),
      caughtUp: () => {
        if (first && --left === 0) console.log('ready');
        first = false;
      },
    });
  }
} else {
  const offsets = new Map(files.map((path) => [path, statSync(path).size]));
  const buffer = Buffer.allocUnsafe(1 << 16);
  const look = (path) => {
    const descriptor = openSync(path);
    let offset = offsets.get(path) ?? 0;
    while (fstatSync(descriptor).size > offset) {
      const read = readSync(descriptor, buffer, 0, buffer.length, offset);
      const end = buffer.subarray(0, read).lastIndexOf(10);
      if (end === -1) break;
      for (const line of buffer.toString('utf8', 0, end).split('\n')) take(line);
      offset += end + 1;
    }
    offsets.set(path, offset);
    closeSync(descriptor);
  };
  if (mode === 'bare') for (const inner of folders) watch(inner, (_kind, name) => look(join(inner, name)));
  else {
    setInterval(() => {
      for (const path of files) if (statSync(path).size > (offsets.get(path) ?? 0)) look(path);
    }, 500);
  }
  console.log('ready');
}

process.on('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.exit(0));
});
