// scan.mjs MODE TAIL PIPELINE FILE… : reads the files once.
//   read  readSync only           parse  the reference loop: newline scan, decode, JSON.parse
//   plain the loop L with the pipeline in place of JSON.parse     full  our reader with the pipeline, as the command line runs it
//   gaps  our reader with the pipeline, as in an extension host, with the work between turns of the event loop: wall time, or
//         processor time of the thread (before Node 24 of the whole process) where that is less, which excludes what other programs
//         took on a loaded machine
import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [mode, tail, pipelinePath, ...files] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { createPipeline } = await import(pathToFileURL(pipelinePath));
const { readWholeFile } = require(tail);

let lines = 0;
let events = 0;
const gaps = [];
const cpu = process.cpuUsage();
const start = performance.now();
let half = process.cpuUsage();
for (const [at, file] of files.entries()) {
  if (at === Math.ceil(files.length / 2)) half = process.cpuUsage();
  if (mode === 'read') read(file);
  else if (mode === 'parse') frame(file, (text) => JSON.parse(text));
  else if (mode === 'plain') {
    const pipeline = createPipeline(file);
    let offset = 0;
    frame(file, (text, at) => pipeline.line({ text, line: ++offset, offset: at }, 0));
    events += pipeline.finish();
  } else {
    const pipeline = createPipeline(file);
    let done = false;
    if (mode === 'gaps') {
      let last = performance.now();
      const cpuUsage = process.threadCpuUsage?.bind(process) ?? process.cpuUsage.bind(process);
      let used = cpuUsage();
      const probe = () => {
        const now = performance.now();
        const since = cpuUsage(used);
        gaps.push(Math.min(now - last, (since.user + since.system) / 1000));
        last = now;
        used = cpuUsage();
        if (!done) setImmediate(probe);
      };
      setImmediate(probe);
    }
    await readWholeFile(file, {
      unit: 'line',
      markers: pipeline.markers,
      line: (line, calls) => {
        lines++;
        pipeline.line(line, calls);
      },
    });
    done = true;
    events += pipeline.finish();
  }
}
const used = process.cpuUsage(cpu);
const since = process.cpuUsage(half);
const result = {
  ms: performance.now() - start,
  cpu: (used.user + used.system) / 1000,
  /** The part of it spent on the second half of the files. */
  secondHalf: (since.user + since.system) / 1000,
  rss: process.resourceUsage().maxRSS / 1024,
  lines,
  events,
};
if (mode === 'gaps') {
  // Turns in which nothing was done say nothing.
  const worked = gaps.filter((gap) => gap > 0.2).sort((one, other) => one - other);
  result.turns = worked.length;
  result.p99 = worked[Math.floor(worked.length * 0.99)];
  result.longest = worked.at(-1);
  result.over16 = worked.filter((gap) => gap > 16).length;
}
console.log(JSON.stringify(result));

function read(file) {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const descriptor = openSync(file);
  while (readSync(descriptor, buffer, 0, buffer.length) > 0);
  closeSync(descriptor);
}

function frame(file, take) {
  let buffer = Buffer.allocUnsafe(1 << 22);
  const descriptor = openSync(file);
  let kept = 0;
  let offset = 0;
  for (;;) {
    if (kept === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const bytes = readSync(descriptor, buffer, kept, buffer.length - kept);
    if (bytes === 0) break;
    const end = kept + bytes;
    let at = 0;
    for (;;) {
      const stop = buffer.indexOf(10, at);
      if (stop === -1 || stop >= end) break;
      take(buffer.utf8Slice(at, stop), offset + at);
      lines++;
      at = stop + 1;
    }
    offset += at;
    buffer.copy(buffer, 0, at, end);
    kept = end - at;
  }
  closeSync(descriptor);
}
