// What the confidence of alerts is worth: runs all detectors over hand-labelled real runs, fits strength to right or wrong, and measures
// the fit on each run with the others alone. Usage: npm run calibrate [-- labels.jsonl]
//
// Every finding of the preset `eager` is a sample: its strength (src/detect/streaks/confidence.ts), and whether the alert it belongs to was right.
// Right: the run is stuck, the alert is of the label's family, and it was open at the line at which a careful reader has enough, or came
// later. All findings of one alert weigh as much as one, and ambiguous runs are left out.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const labelFile = resolve(process.argv[2] ?? join(root, '../shared/eval/dev-labels.jsonl'));
/** Errors above this fail the command. */
const GOAL = 0.1;
/**
 * What is known before any run is seen: only that stronger is surer, in even steps from a guess to the highest. It weighs as much as so
 * many alerts in each band; without it the four shares follow whichever run is left out.
 */
const PRIOR = 10;
/** Never surer than this: nobody measured enough to say more. */
const HIGHEST = 0.95;
/** The fit may move so far from the numbers in the code before they must be renewed. */
const DRIFT = 0.05;
const FAMILY = {
  repeating_action: 'action',
  repeating_outcome: 'action',
  cycle: 'action',
  action_error_alternation: 'action',
  monologue: 'text',
  text_loop: 'text',
  consecutive_failures: 'failure',
  validation_failure: 'failure',
  condensation_loop: 'context',
  token_exhaustion: 'context',
  stall: 'time',
  max_runtime: 'time',
};

if (!existsSync(labelFile)) {
  console.log(`skipped: ${labelFile} is absent, and with it the labelled runs`);
  process.exit(0);
}

/** The detectors with a calibration that leaves strengths as they are, and the real one. */
async function load() {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-calibrate-'));
  const bundle = async (name, contents, plugins) => {
    const outfile = join(folder, `${name}.cjs`);
    const stdin = { contents, resolveDir: join(root, 'src'), loader: 'ts' };
    await build({ stdin, bundle: true, platform: 'node', format: 'cjs', outfile, plugins, logLevel: 'warning' });
    return createRequire(import.meta.url)(outfile);
  };
  try {
    const raw = await bundle(
      'raw',
      `export { generic } from './agents/generic';
       export { resolveOptions } from './detect/session/options';
       export { createSessionDetectors } from './detect/session/session-detectors';`,
      [
        {
          name: 'leave strengths as they are',
          setup(builder) {
            builder.onResolve({ filter: /^\.\/calibration$/ }, () => ({ path: 'raw', namespace: 'raw' }));
            builder.onLoad({ filter: /.*/, namespace: 'raw' }, () => ({
              contents: 'export const calibrated = (strength) => strength; export const GUESSED = 0;',
            }));
          },
        },
      ],
    );
    const real = await bundle('real', "export * from './detect/streaks/calibration';");
    return { ...raw, ...real };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { generic, resolveOptions, createSessionDetectors, calibrated, bandOf, BANDS, CONFIDENCES, GUESSED } =
  await load();

/** Events of a generic transcript by session. */
function eventsOf(file) {
  const sessions = new Map();
  const decoder = generic.createDecoder({ file, readSmall: () => undefined });
  const sink = {
    event(event) {
      const events = sessions.get(event.session) ?? [];
      sessions.set(event.session, events);
      events.push(event);
    },
    problem() {},
  };
  let offset = 0;
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (text !== '') decoder.decode({ text, line: index + 1, offset }, sink);
    offset += Buffer.byteLength(text) + 1;
  }
  return [...sessions.values()];
}

/** The alerts of one session: strengths of their findings, and where they were cleared. */
function alertsOf(events) {
  const alerts = new Map();
  const detectors = createSessionDetectors(
    { agent: 'generic', session: 'calibrate', showsRunningTool: true, options: resolveOptions('eager', {}) },
    {
      finding(finding) {
        const alert = alerts.get(finding.key) ?? { strengths: [] };
        alerts.set(finding.key, alert);
        alert.strengths.push(finding.confidence);
        Object.assign(alert, { last: finding, clearedLine: null });
      },
      clearing(clearing) {
        const alert = alerts.get(clearing.key);
        if (alert) alert.clearedLine = clearing.source?.line ?? null;
      },
      nearMiss() {},
    },
  );
  for (const event of events) {
    for (let due = detectors.deadline(), ticks = 0; due <= event.at && ticks < 64; ticks++) {
      detectors.tick(due);
      if (detectors.deadline() <= due) break;
      due = detectors.deadline();
    }
    detectors.push(event);
  }
  return [...alerts.values()];
}

const samples = [];
let guesses = { right: 0, all: 0, runs: new Set() };
const labels = readFileSync(labelFile, 'utf8').trim().split('\n').map(JSON.parse);
for (const label of labels) {
  if (label.stuck === 'ambiguous') continue;
  const families = new Set([label.kind, ...(label.kinds ?? [])].map((kind) => FAMILY[kind]));
  for (const events of eventsOf(resolve(dirname(labelFile), '..', label.file))) {
    for (const { strengths, last, clearedLine } of alertsOf(events)) {
      const family = FAMILY[last.detector];
      if (family === undefined) continue;
      const atPlace = label.stuck === 'yes' && (clearedLine === null || clearedLine >= label.line);
      const right = atPlace && families.has(family) ? 1 : 0;
      if (family === 'time' || last.certainty === 'guessed') {
        guesses = { right: guesses.right + right, all: guesses.all + 1, runs: guesses.runs.add(label.id) };
        continue;
      }
      for (const strength of strengths) {
        samples.push({ run: label.id, right, strength, weight: 1 / strengths.length });
      }
      Object.assign(samples.at(-1), { last: true });
    }
  }
}

/** The confidence of each band: its share of right alerts beside the prior, and never less than that of the band below. */
function fit(some) {
  const bands = BANDS.map((_, index) => {
    const inside = some.filter(({ strength }) => bandOf(strength) === index);
    const before = GUESSED + ((HIGHEST - GUESSED) * index) / (BANDS.length - 1);
    return {
      bands: 1,
      weight: inside.reduce((sum, one) => sum + one.weight, PRIOR),
      right: inside.reduce((sum, one) => sum + one.weight * one.right, PRIOR * before),
    };
  });
  for (let index = 1; index < bands.length; ) {
    const [low, high] = [bands[index - 1], bands[index]];
    if (low.right / low.weight <= high.right / high.weight) index++;
    else {
      const pooled = { bands: low.bands + high.bands, weight: low.weight + high.weight, right: low.right + high.right };
      bands.splice(index - 1, 2, pooled);
      index = Math.max(1, index - 1);
    }
  }
  return bands.flatMap(({ bands: many, weight, right }) => Array.from({ length: many }, () => rounded(right / weight)));
}

/** A share as it is told: in hundredths, within the bounds. */
function rounded(share) {
  return Math.round(Math.min(HIGHEST, share) * 100) / 100;
}

/** Expected calibration error in ten bins, and the bins. */
function reliability(pairs) {
  const bins = Array.from({ length: 10 }, () => ({ weight: 0, said: 0, was: 0 }));
  for (const { confidence, right, weight } of pairs) {
    const bin = bins[Math.min(9, Math.floor(confidence * 10))];
    bin.weight += weight;
    bin.said += weight * confidence;
    bin.was += weight * right;
  }
  const all = bins.reduce((sum, bin) => sum + bin.weight, 0);
  return { bins, error: bins.reduce((sum, bin) => sum + Math.abs(bin.said - bin.was), 0) / all };
}

const runs = [...new Set(samples.map(({ run }) => run))];
const leftOut = runs.flatMap((run) => {
  const curve = fit(samples.filter((sample) => sample.run !== run));
  return samples
    .filter((sample) => sample.run === run)
    .map((sample) => ({ ...sample, confidence: curve[bandOf(sample.strength)] }));
});
const highest = runs.map((run) =>
  leftOut.filter((one) => one.run === run && one.last).reduce((a, b) => (b.confidence > a.confidence ? b : a)),
);
const inCode = samples.map((sample) => ({ ...sample, confidence: calibrated(sample.strength) }));
const byFinding = reliability(leftOut);
const fitted = fit(samples);
const show = (value) => value.toFixed(3);

console.log(
  `${labels.length} labelled runs, ${runs.length} with counted alerts, ${samples.length} findings of ${samples.filter(({ last }) => last).length} alerts\n`,
);
console.log('each run by the fit of the others:  said     was   alerts');
for (const [index, { weight, said, was }] of byFinding.bins.entries()) {
  if (weight > 0)
    console.log(
      `  ${(index / 10).toFixed(1)} to ${((index + 1) / 10).toFixed(1)}                        ${show(said / weight)}   ${show(was / weight)}   ${weight.toFixed(1)}`,
    );
}
console.log(`\ncalibration error, each run left out once`);
console.log(`  every finding                 ${show(byFinding.error)}`);
console.log(
  `  last finding of each alert    ${show(reliability(leftOut.filter(({ last }) => last).map((one) => ({ ...one, weight: 1 }))).error)}`,
);
console.log(
  `  surest alert of each run      ${show(reliability(highest.map((one) => ({ ...one, weight: 1 }))).error)}`,
);
console.log(`calibration error of the curve in the code, every finding: ${show(reliability(inCode).error)}`);
console.log('\nstrength            fitted  in the code');
for (const [index, from] of BANDS.entries()) {
  const name =
    index === 0
      ? `below ${BANDS[1]}`
      : index === BANDS.length - 1
        ? `${from} and more`
        : `${from} to ${BANDS[index + 1]}`;
  console.log(`  ${name.padEnd(18)}${fitted[index].toFixed(2)}    ${CONFIDENCES[index].toFixed(2)}`);
}
// one run is one witness, however many silences it has: Laplace's rule over runs
console.log(
  `guesses: ${guesses.right} of ${guesses.all} right in ${guesses.runs.size} runs, so ${((guesses.right + 1) / (guesses.runs.size + 2)).toFixed(2)}; in the code: ${GUESSED}`,
);

const drift = Math.max(...fitted.map((confidence, index) => Math.abs(confidence - CONFIDENCES[index])));
if (byFinding.error > GOAL) console.log(`\nthe error is above ${GOAL}`);
if (drift > DRIFT) console.log('\nthe numbers in src/detect/streaks/calibration.ts are no longer those of the fit');
process.exit(byFinding.error > GOAL || drift > DRIFT ? 1 : 0);
