import { CAPACITY, codes, load } from './codes';

/** Finds all occurrences of several words in a text in one pass, whatever their number, ignoring case. */
export interface WordIndex {
  /** Calls back for each word at each place, in the order of their ends. `found` must not load a text into `codes`. */
  scan(text: string, found: (word: number, start: number) => void): void;
}

/**
 * Builds the index. Source of the method: Aho and Corasick, "Efficient string matching", 1975; here with all steps precomputed, so that each
 * character takes one look-up.
 */
export function wordIndex(words: readonly string[]): WordIndex {
  // Character class by code unit; 64 KB, so that a look-up needs no bounds check.
  const classes = new Uint8Array(65_536);
  let classCount = 1;
  for (const letter of words.join('').toLowerCase().split('')) {
    const code = letter.charCodeAt(0);
    if (classes[code] !== 0) continue;
    const upper = letter.toUpperCase();
    if (upper.length === 1) classes[upper.charCodeAt(0)] = classCount;
    classes[code] = classCount++;
  }

  // A state is the part of words read so far, with its children by class and the words that end with it.
  const children: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  for (const [id, word] of words.entries()) {
    let state = 0;
    for (const code of codesOf(word)) {
      const one = classes[code] as number;
      const child = children[state]?.get(one) ?? children.push(new Map()) - 1;
      if (child === ends.length) ends.push([]);
      children[state]?.set(one, child);
      state = child;
    }
    ends[state]?.push(id);
  }

  // A step points to the beginning of the next state's row. A step that ends words is stored as its complement, so that all others take a single
  // look-up.
  const rows = new Int32Array(ends.length * classCount);
  const fallback = new Int32Array(ends.length);
  const queue = [0];
  for (const state of queue) {
    const row = state * classCount;
    const behind = (fallback[state] as number) * classCount;
    if (state > 0) rows.copyWithin(row, behind, behind + classCount);
    for (const [one, child] of children[state] as Map<number, number>) {
      const step = state > 0 ? (rows[behind + one] as number) : 0;
      const other = (step < 0 ? ~step : step) / classCount;
      fallback[child] = other;
      const endsHere = ends[child] as number[];
      endsHere.push(...(ends[other] as number[]));
      rows[row + one] = endsHere.length > 0 ? ~(child * classCount) : child * classCount;
      queue.push(child);
    }
  }

  const lengths = words.map((word) => word.length);
  return {
    scan(text, found) {
      let row = 0;
      for (let from = 0; from < text.length; from += CAPACITY) {
        const length = load(from === 0 ? text : text.slice(from));
        for (let index = 0; index < length; index++) {
          const code = codes[index] as number;
          const step = rows[row + (classes[code] as number)] as number;
          if (step >= 0) {
            row = step;
            continue;
          }
          row = ~step;
          const here = ends[row / classCount] as number[];
          for (let one = 0; one < here.length; one++) {
            const word = here[one] as number;
            found(word, from + index + 1 - (lengths[word] as number));
          }
        }
      }
    },
  };
}

const codesOf = (word: string): readonly number[] => Array.from(word.toLowerCase(), (letter) => letter.charCodeAt(0));
