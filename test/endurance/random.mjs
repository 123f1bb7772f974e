/** Repeatable numbers: the same seed writes the same transcripts (mulberry32). */

/** @param {number} seed @returns {() => number} from 0 to below 1 */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** @template T @param {() => number} random @param {readonly T[]} list @returns {T} one of them */
export function pick(random, list) {
  return list[Math.floor(random() * list.length)];
}
