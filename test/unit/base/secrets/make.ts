/** Makes fake secrets: at run time, so that no scanner takes a list of them for a leak. */

/** The same sequence in every run (Mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Values of the same sequence in every run, in the form of a certain kind of secret. */
export function maker(seed: number) {
  const random = numbers(seed);
  const pick = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
  /** Begins and ends with a letter, and contains digits. */
  const mixed = (length: number): string =>
    `${pick(UPPER, 1)}${pick(LOWER, 1)}7${pick(LOWER + UPPER + DIGITS, length - 5)}4${pick(LOWER, 1)}`;
  const hex = (length: number): string => `a1${pick('0123456789abcdef', length - 4)}7f`;
  return {
    pick,
    mixed,
    hex,
    small: (length: number): string => `k9${pick(LOWER + DIGITS, length - 4)}3q`,
    big: (length: number): string => `K${pick(`${UPPER}234567`, length - 2)}7`,
    base64: (length: number): string => Buffer.from(mixed(length)).toString('base64'),
    uuid: (): string => [8, 4, 4, 4, 12].map((length) => hex(length)).join('-'),
    /** Password as a generator makes it. */
    strong: (length: number): string => `${pick(UPPER, 1)}4${pick(`${LOWER}${UPPER}${DIGITS}!#%^*_+~-`, length - 3)}w`,
    password: (): string => `tr0ub4dor-${pick(LOWER, 4)}9`,
  };
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
export const DIGITS = '0123456789';

/** A secret of a list: its name, the text before it, the secret, the text after it. */
export type Row = readonly [kind: string, before: string, secret: string, after?: string];

/** A token that is recognised by its form. Its prefix is written in pieces, so that no scanner takes the list for a leak. */
export const token = (kind: string, prefix: readonly string[], rest: string): Row => [
  kind,
  'found ',
  prefix.join('') + rest,
  ' here',
];
