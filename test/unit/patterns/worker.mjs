/**
 * Finds the worst time of a pattern. Runs in a separate process, because then its processor time is known: the work of others on a busy machine does
 * not count.
 */

/** Runs a pattern as the project does: all matches of one with the flag g, the first of another. Milliseconds. */
function run(pattern, text) {
  pattern.lastIndex = 0;
  const used = process.cpuUsage();
  const from = performance.now();
  if (pattern.global) text.replace(pattern, '');
  else pattern.test(text);
  const elapsed = performance.now() - from;
  if (elapsed < COARSE_MS) return elapsed;
  const { user, system } = process.cpuUsage(used);
  return Math.min(elapsed, (user + system) / 1000);
}

/** Below this the processor time is too coarse, and no other process had the processor. */
const COARSE_MS = 1;

/** The best of some runs, until one is short enough: the first ones compile. Too few runs only cost a test of more text, and hide nothing. */
function time(pattern, { before, pump, after }, length, { runs, enough }) {
  const room = Math.max(1, length - before.length - after.length);
  const text = before + pump.repeat(Math.ceil(room / pump.length)).slice(0, room) + after;
  let best = run(pattern, text);
  for (let done = 1; done < runs && best > enough && best < ENOUGH_MS; done++)
    best = Math.min(best, run(pattern, text));
  return best;
}

/** Parts of the length. The whole is tried only if it may take long, assuming that the time grows with the square of the length, or worse. */
const PARTS = [
  { part: 16, runs: 1 },
  { part: 4, runs: 2 },
];
const QUICK_MS = 0.02;
const LONG_MS = 8;
/** Shorter times are not meaningful. */
const SHORTEST_MS = 0.01;
/** Longer is too long, whatever other texts take. */
const ENOUGH_MS = 250;

process.on('message', ({ source, flags, attacks, length }) => {
  const pattern = new RegExp(source, flags);
  const tried = [];
  let worst = { milliseconds: -1, growth: 0, attack: null };
  const tryWhole = (attack) => {
    const milliseconds = time(pattern, attack, length, { runs: 10, enough: QUICK_MS });
    if (milliseconds > worst.milliseconds) worst = { milliseconds, growth: 0, attack };
  };
  const mayBeLong = (attack) => {
    for (const { part, runs } of PARTS) {
      const enough = LONG_MS / (part * part);
      const milliseconds = time(pattern, attack, Math.floor(length / part), { runs, enough });
      if (milliseconds > enough) continue;
      tried.push({ attack, expected: milliseconds * part });
      return false;
    }
    return true;
  };
  for (const attack of attacks) {
    if (length / PARTS[0].part < 1_000 || mayBeLong(attack)) tryWhole(attack);
    if (worst.milliseconds > ENOUGH_MS) break;
  }
  const slowest = tried.reduce((most, one) => (one.expected > most.expected ? one : most), { expected: -1 });
  if (slowest.attack && worst.milliseconds < ENOUGH_MS) tryWhole(slowest.attack);
  if (worst.milliseconds >= COARSE_MS) {
    const quarter = time(pattern, worst.attack, Math.floor(length / 4), { runs: 10, enough: 0 });
    worst.growth = worst.milliseconds / Math.max(quarter, SHORTEST_MS);
  }
  process.send(worst);
});
