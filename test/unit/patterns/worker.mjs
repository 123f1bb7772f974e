/**
 * Finds out what a pattern takes at worst. A process of its own, because then its processor time is known: what others do on a busy
 * machine does not count.
 */

/** How the project uses a pattern: all matches of one with the flag g, the first of another. Milliseconds. */
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

/** Below it the processor time is too coarse, and nobody else had the processor. */
const COARSE_MS = 1;

/** The best of some runs: the first ones compile. Too few of them cost a look at more text, and hide nothing. */
function time(pattern, { before, pump, after }, length, runs) {
  const room = Math.max(1, length - before.length - after.length);
  const text = before + pump.repeat(Math.ceil(room / pump.length)).slice(0, room) + after;
  let best = run(pattern, text);
  for (let done = 1; done < runs && best > QUICK_MS && best < ENOUGH_MS; done++)
    best = Math.min(best, run(pattern, text));
  return best;
}

/** Parts of the length. The whole is tried only where it may take long if the time grows with the square of the length, or worse. */
const PARTS = [16, 4];
const QUICK_MS = 0.02;
const LONG_MS = 8;
/** Longer is too long, whatever other texts take. */
const ENOUGH_MS = 250;

process.on('message', ({ source, flags, attacks, length }) => {
  const pattern = new RegExp(source, flags);
  const tried = [];
  let worst = { milliseconds: -1, attack: null };
  const tryWhole = (attack) => {
    const milliseconds = time(pattern, attack, length, 10);
    if (milliseconds > worst.milliseconds) worst = { milliseconds, attack };
  };
  const mayBeLong = (attack) => {
    for (const part of PARTS) {
      const milliseconds = time(pattern, attack, Math.floor(length / part), 2);
      if (milliseconds * part * part > LONG_MS) continue;
      tried.push({ attack, expected: milliseconds * part });
      return false;
    }
    return true;
  };
  for (const attack of attacks) {
    if (length / PARTS[0] < 1_000 || mayBeLong(attack)) tryWhole(attack);
    if (worst.milliseconds > ENOUGH_MS) break;
  }
  const slowest = tried.reduce((most, one) => (one.expected > most.expected ? one : most), { expected: -1 });
  if (slowest.attack && worst.milliseconds < ENOUGH_MS) tryWhole(slowest.attack);
  process.send(worst);
});
