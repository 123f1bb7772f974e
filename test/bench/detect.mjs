// node test/bench/detect.mjs [--rounds N] [--quick]: what a step costs all our detectors together, next to a published detector on the same events;
// first on recorded runs, then on made-up loads; whether the cost stays the same in long sessions; what a session keeps. Processor time, median of
// interleaved rounds.
import { parseArgs } from 'node:util';
import { buildDetectors } from './support/build.mjs';
import { child, interleaved, median, row, skipped, spread } from './support/measure.mjs';
import { PEER, buildPeer } from './support/peer.mjs';
import { buildRecorded } from './support/recorded.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string' }, quick: { type: 'boolean' } } });
const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
const SHORT = 10_000;
/** A step is two events, so this makes one million. */
const LONG = values.quick ? 100_000 : 500_000;
/** Cost of an event in a session of a million events, against one of ten thousand. */
const GROWTH = 1.2;
const KILOBYTES = 250;
/** A step may cost no more than the published detector takes for the same events, once the engine has compiled both. */
const PEER_RATIO = 1;

const ours = await buildDetectors();
const peer = await buildPeer().catch((error) => {
  console.log(`${PEER} is not measured: ${String(error.message).split('\n')[0]}`);
  return null;
});
const measure = (spec, gc = false) => child('detect.mjs', [JSON.stringify(spec)], gc ? ['--expose-gc'] : []);
const rows = [];

const recorded = await buildRecorded().catch((error) => {
  rows.push(skipped('runs', `recorded runs: ${String(error.message).split('\n')[0]}`));
  return null;
});
for (const [warm, what] of recorded
  ? [
      [true, 'a call of recorded runs, with its result and the messages around it'],
      [false, 'the same in a process that just began'],
    ]
  : []) {
  const results = await interleaved(rounds, {
    ours: () => measure({ who: 'ours', bundle: ours, recorded, warm }),
    ...(peer && { peer: () => measure({ who: 'peer', bundle: peer, recorded, warm }) }),
  });
  const micros = (who) => results[who].map((one) => one.micros);
  const { calls, messages } = results.ours[0];
  rows.push(
    row(
      'runs',
      `${what} (${calls} calls, ${messages} messages): all our detectors`,
      '',
      spread(micros('ours'), ' µs'),
      undefined,
    ),
  );
  if (!peer) continue;
  const ratio = median(micros('ours')) / median(micros('peer'));
  rows.push(
    row('runs', `the same: ${PEER}, which reads calls and messages`, '', spread(micros('peer'), ' µs'), undefined),
  );
  rows.push(
    row(
      'runs',
      'ours against it, same events',
      warm ? `≤ ${PEER_RATIO} ×` : '',
      `${ratio.toFixed(2)} ×`,
      warm ? ratio <= PEER_RATIO : undefined,
    ),
  );
}

for (const [load, what] of [
  ['new', 'a step with new arguments (200 B) and a new result (1 KB)'],
  ['talk', 'the same with a message of 300 characters before it'],
  ['back', 'a step that comes back with another result (1 KB, a time stamp in it)'],
]) {
  const results = await interleaved(rounds, {
    ours: () => measure({ who: 'ours', bundle: ours, load, steps: SHORT }),
    ...(peer && { peer: () => measure({ who: 'peer', bundle: peer, load, steps: SHORT }) }),
  });
  const micros = (who) => results[who].map((one) => one.micros);
  rows.push(row('step', `${what}: all our detectors`, '', spread(micros('ours'), ' µs'), undefined));
  if (peer) {
    const ratio = median(micros('ours')) / median(micros('peer'));
    rows.push(row('step', `${what}: ${PEER}, which reads no result`, '', spread(micros('peer'), ' µs'), undefined));
    rows.push(row('step', 'ours against it', '', `${ratio.toFixed(2)} ×`, undefined));
  } else rows.push(skipped('step', `no ${PEER}`));
}

const cold = await interleaved(rounds, {
  ours: () => measure({ who: 'ours', bundle: ours, load: 'new', steps: SHORT, warm: false }),
});
rows.push(
  row(
    'step',
    `the first ${SHORT} steps of a process: all our detectors`,
    '',
    spread(
      cold.ours.map((one) => one.micros),
      ' µs',
    ),
    undefined,
  ),
);

const lengths = await interleaved(Math.min(rounds, 3), {
  short: () => measure({ who: 'ours', bundle: ours, load: 'new', steps: SHORT }),
  long: () => measure({ who: 'ours', bundle: ours, load: 'new', steps: LONG }),
});
const growth = median(lengths.long.map((one) => one.micros)) / median(lengths.short.map((one) => one.micros));
rows.push(
  row(
    'length',
    `a step of ${LONG * 2} events against one of ${SHORT * 2}`,
    `≤ ${GROWTH} ×`,
    `${growth.toFixed(2)} ×`,
    growth <= GROWTH,
  ),
);

for (const load of ['talk', 'back']) {
  const kept = [];
  for (let round = 0; round < Math.min(rounds, 3); round++)
    kept.push((await measure({ who: 'ours', bundle: ours, load, steps: 2000, sessions: 100 }, true)).kilobytes);
  rows.push(
    row(
      'memory',
      `kept of a session of 2,000 steps (${load})`,
      `≤ ${KILOBYTES} KB`,
      spread(kept, ' KB'),
      median(kept) <= KILOBYTES,
    ),
  );
}

const verdict = (pass) => (pass === undefined ? '' : pass ? 'pass' : 'FAIL');
const cells = rows.map(({ goal, what, limit, measured, pass }) => [goal, what, limit, measured, verdict(pass)]);
const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((cell) => cell[column].length)));
console.log(`Node ${process.version}, ${rounds} rounds`);
for (const cell of cells)
  console.log(
    cell
      .map((text, column) => text.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
process.exitCode = rows.some(({ pass }) => pass === false) ? 1 : 0;
