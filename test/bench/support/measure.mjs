import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { benchFolder } from './build.mjs';

/** Runs a script of `child/` in a process of its own; the last line it prints is its result as JSON. */
export function child(script, args, nodeArguments = []) {
  return new Promise((resolve, reject) => {
    const argv = [...nodeArguments, join(benchFolder, 'child', script), ...args.map(String)];
    execFile(process.execPath, argv, { maxBuffer: 1 << 26 }, (error, output, errors) => {
      if (error) reject(new Error(`${script} ${args.join(' ')}: ${errors || error.message}`));
      else resolve(JSON.parse(output.trim().split('\n').at(-1)));
    });
  });
}

let end = Number.POSITIVE_INFINITY;

/** Moment (`performance.now()`) after which a series starts no second round. */
export function roundsEndAt(moment) {
  end = moment;
}

/** Number of rounds of the given number of milliseconds that still fit in, at least one. */
export function roundsLeft(most, each) {
  return Math.max(1, Math.min(most, Math.floor((end - performance.now()) / each)));
}

/**
 * Runs all variants one after the other for the given number of rounds, or fewer if the time is up: a disturbance hits all of them alike. Returns
 * results by variant, equally many of each.
 */
export async function interleaved(rounds, variants) {
  const results = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = 0; round < rounds && (round === 0 || performance.now() < end); round++) {
    for (const [name, run] of Object.entries(variants)) results[name].push(await run(round));
  }
  return results;
}

export const median = (values) => quantile(values, 0.5);

export function quantile(values, part) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

const short = (value) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);

/** `median (least to most)` */
export const spread = (values, unit = '') =>
  `${short(median(values))}${unit} (${short(Math.min(...values))} to ${short(Math.max(...values))})`;

/** Prints one line of the table. `pass`: true, false, or undefined if there is no requirement. */
export const row = (goal, what, limit, measured, pass) => ({ goal, what, limit, measured, pass });

export const skipped = (goal, reason) => row(goal, `skipped: ${reason}`, '', '', undefined);
