// The host's work to send a timeline of 100,000 steps to the panel, against writing the same steps as JSON.
import { createRequire } from 'node:module';
import { buildTimeline } from './support/build.mjs';
import { median, row, spread } from './support/measure.mjs';

export const name = 'timeline';

const STEPS = 100_000;

export async function run({ rounds }) {
  const { SessionSteps } = createRequire(import.meta.url)(await buildTimeline());
  const timeline = new SessionSteps();
  const steps = Array.from({ length: STEPS }, (_, at) => ({
    at: 1_795_000_000_000 + at * 1_000,
    kind: ['looked', 'ran', 'changed'][at % 3],
    failed: at % 7 === 0,
    seen: at % 5 === 0,
    outcome: at % 4_000,
    line: at * 2,
    offset: at * 900,
    subject: `src/part-${at % 3_000}.ts`,
    tool: ['Read', 'Bash', 'Edit'][at % 3],
  }));
  for (const step of steps) timeline.push(step);
  const time = (work) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const ratios = [];
  const ours = [];
  for (let round = 0; round < Math.max(5, rounds); round++) {
    const json = time(() => JSON.stringify(steps));
    ours.push(time(() => timeline.slice()));
    ratios.push(ours.at(-1) / json);
  }
  return [
    row('timeline', `${STEPS} steps copied / as JSON`, '≤ 0.1', spread(ratios), median(ratios) <= 0.1),
    row('timeline', `${STEPS} steps copied`, '', spread(ours, ' ms'), undefined),
  ];
}
