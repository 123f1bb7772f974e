/** The long run: `npm run fuzz -- TARGET --seconds N`. Prints figures for each target, and writes what it found into test-output/fuzz. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Coverage } from './coverage';
import { type Found, Fuzzer, Watch } from './fuzz';
import { projectRoot } from './project-root';
import type { FuzzTarget } from './target';
import { targets } from './targets';

/** Milliseconds that a step of the program may take before the editor feels it. */
const LIMIT_MS = 50;
/** Share of the time in which V8 counts what is reached; after it, everything runs several times as fast. */
const GUIDED_SHARE = 0.3;
const INPUTS_AT_ONCE = 200;
const KEPT_FINDINGS = 20;
const MEGABYTE = 1024 * 1024;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    corpus: { type: 'string', multiple: true, default: [] },
    input: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
const wanted = positionals.length === 0 ? ['all'] : positionals;
const isWanted = ({ name }: FuzzTarget) =>
  wanted.some((one) => one === 'all' || name === one || name.startsWith(`${one}/`));

const { all, dispose } = await targets(values.corpus);
const chosen = all.filter(isWanted);
if (chosen.length === 0 || !Number.isFinite(seconds) || !Number.isInteger(seed)) {
  console.error(`usage: npm run fuzz -- [TARGET …] [--seconds N] [--seed N] [--corpus FOLDER] [--input FILE]`);
  console.error(`targets: all, decoders, ${all.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

let found = 0;
try {
  if (values.input !== undefined) await again(readFileSync(values.input, 'utf8'));
  else await longRun();
} finally {
  dispose();
}
process.exit(found > 0 ? 1 : 0);

/** Runs a single input, to see what it does. */
async function again(input: string): Promise<void> {
  for (const target of chosen) {
    const watch = new Watch();
    const counted = await target.run(input, watch);
    console.log(`${target.name}: ${counted} ${target.counts}, longest step ${watch.longestMs.toFixed(1)} ms`);
  }
}

async function longRun(): Promise<void> {
  console.log(`seed ${seed}, ${seconds} s for ${chosen.length} targets`);
  const total = { lines: 0, inputs: 0 };
  let longest = 0;
  let blocks = 0;
  for (const target of chosen) {
    const fuzzer = new Fuzzer(target, seed, LIMIT_MS);
    const { heap, covered } = await runFor(fuzzer, (seconds * 1000) / chosen.length);
    const { outcome } = fuzzer;
    total[target.counts] += outcome.counted;
    longest = Math.max(longest, outcome.longestMs);
    blocks += outcome.blocks.length;
    found += outcome.thrown.length;
    console.log(
      `${target.name.padEnd(28)} ${String(outcome.counted).padStart(9)} ${target.counts.padEnd(6)} ${String(outcome.runs).padStart(8)} runs  ` +
        `thrown ${outcome.thrown.length}  longest ${outcome.longestMs === 0 ? 'not timed' : `${outcome.longestMs.toFixed(1)} ms`}  heap ${heap.join(' → ')} MB  ` +
        `new seeds ${outcome.kept} of ${target.seeds.length}, blocks ${covered}`,
    );
    keep(target.name, 'thrown', outcome.thrown);
    keep(target.name, 'slow', outcome.blocks);
  }
  found += blocks;
  if (Object.keys(Object.prototype).length > 0) throw new Error('an input changed the prototype of all objects');
  console.log(
    `all: ${total.lines} lines, ${total.inputs} inputs, longest step ${longest.toFixed(1)} ms, ${blocks} over ${LIMIT_MS} ms, ` +
      `largest resident size ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
  );
}

/** Guided at first, then fast. Measures the heap three times on the way, in MB, each after a garbage collection. */
async function runFor(fuzzer: Fuzzer, milliseconds: number): Promise<{ heap: readonly number[]; covered: number }> {
  const start = performance.now();
  const share = () => (performance.now() - start) / milliseconds;
  const heap: number[] = [];
  const coverage = new Coverage(basename(process.argv[1] ?? ''));
  while (share() < GUIDED_SHARE) await fuzzer.runGuided(coverage);
  const covered = coverage.blocks;
  coverage.dispose();
  for (const until of [0.4, 0.7, 1]) {
    while (share() < until) await fuzzer.run(INPUTS_AT_ONCE);
    (globalThis as { gc?: () => void }).gc?.();
    heap.push(Math.round(process.memoryUsage().heapUsed / MEGABYTE));
  }
  return { heap, covered };
}

function keep(name: string, kind: string, list: readonly Found[]): void {
  const folder = join(projectRoot, 'test-output/fuzz');
  mkdirSync(folder, { recursive: true });
  const told = new Set<string>();
  for (const { input, what } of list) {
    // Counts the same place once: the message without its figures, and where it was thrown.
    const kindOf = what
      .split('\n')
      .slice(0, 2)
      .join(' | ')
      .replace(/\d+(?!:)/g, 'n');
    if (told.has(kindOf) || told.size >= KEPT_FINDINGS) continue;
    const index = told.size;
    told.add(kindOf);
    const file = join(folder, `${name.replace('/', '-')}-${kind}-${index}.txt`);
    writeFileSync(file, input);
    console.log(`  ${file}: ${what.split('\n').slice(0, 3).join(' | ')}`);
  }
}
