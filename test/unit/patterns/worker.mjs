import { parentPort } from 'node:worker_threads';

/** How the project uses a pattern: all matches of one with the flag g, the first of another. */
function run(pattern, text) {
  pattern.lastIndex = 0;
  const from = performance.now();
  if (pattern.global) text.replace(pattern, '');
  else pattern.test(text);
  return performance.now() - from;
}

function textOf({ before, pump, after }, length) {
  const room = Math.max(1, length - before.length - after.length);
  return before + pump.repeat(Math.ceil(room / pump.length)).slice(0, room) + after;
}

/** Parts of the length that are tried; the next one only where the last took suspiciously long. */
const PARTS = [32, 4, 1];
const SUSPICIOUS_MS = 0.4;
/** Longer is too long, whatever other texts take. */
const ENOUGH_MS = 250;

parentPort.on('message', ({ source, flags, attacks, length }) => {
  const pattern = new RegExp(source, flags);
  let worst = { milliseconds: 0, attack: null };
  for (const attack of attacks) {
    let milliseconds = 0;
    // Longer step by step, so that a slow pattern is found before it takes minutes.
    for (const part of PARTS) {
      if (part > 1 && length / part < 1_000) continue;
      const text = textOf(attack, Math.floor(length / part));
      // The best of three: another process may have the processor.
      milliseconds = run(pattern, text);
      for (let again = 0; again < 2 && milliseconds > SUSPICIOUS_MS && milliseconds < ENOUGH_MS * 4; again++)
        milliseconds = Math.min(milliseconds, run(pattern, text));
      if (milliseconds > ENOUGH_MS || milliseconds < SUSPICIOUS_MS) break;
    }
    if (milliseconds > worst.milliseconds) worst = { milliseconds, attack };
    if (milliseconds > ENOUGH_MS) break;
  }
  parentPort.postMessage(worst);
});
