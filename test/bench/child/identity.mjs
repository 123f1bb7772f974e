// identity.mjs INSIDES CHUNK FILE… : frames the files in chunks of CHUNK bytes and compares each line with its full parse: the structure and the
// short strings must be the same, and full strings equal exactly where the cut ones are.
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const [insides, chunkBytes, ...files] = process.argv.slice(2);
const { Framer, ShrinkerPool, isCut } = createRequire(import.meta.url)(insides);
const size = Number(chunkBytes);
/** Maps full strings to cut ones, and back. */
const byFull = new Map();
const byCut = new Map();
const result = { lines: 0, strings: 0, cut: 0, differences: 0, collisions: 0 };

for (const file of files) {
  const bytes = readFileSync(file);
  const texts = bytes.toString('utf8').split('\n');
  let at = 0;
  const framer = new Framer(
    {
      line: ({ text }) => {
        compare(JSON.parse(text), JSON.parse(texts[at++]));
        result.lines++;
      },
      problem: () => result.differences++,
    },
    [],
    new ShrinkerPool(),
  );
  framer.begin(0, 0);
  for (let start = 0; start < bytes.length; start += size)
    framer.feed(bytes.subarray(start, start + size), 0, () => false);
  if (at !== texts.length - 1) result.differences++;
}
console.log(JSON.stringify(result));

function compare(given, full) {
  if (typeof full === 'string') {
    result.strings++;
    if (given !== full && !isCut(given)) result.differences++;
    if (full.length < 2000) return;
    const fullHash = createHash('sha256').update(full).digest('base64');
    const cutHash = createHash('sha256').update(given).digest('base64');
    if (given !== full) result.cut++;
    if ((byFull.get(fullHash) ?? cutHash) !== cutHash || (byCut.get(cutHash) ?? fullHash) !== fullHash)
      result.collisions++;
    byFull.set(fullHash, cutHash);
    byCut.set(cutHash, fullHash);
  } else if (typeof full === 'object' && full !== null) {
    const keys = Object.keys(full);
    if (typeof given !== 'object' || given === null || Object.keys(given).join() !== keys.join()) result.differences++;
    else for (const key of keys) compare(given[key], full[key]);
  } else if (given !== full) result.differences++;
}
