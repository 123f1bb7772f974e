/** Numbers from 0 to below 1 that depend only on a text, so that each run of the tests draws the same. */
export function randomOf(text: string): () => number {
  let state = 0;
  for (const sign of text) state = (Math.imul(state, 31) + sign.codePointAt(0)!) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
