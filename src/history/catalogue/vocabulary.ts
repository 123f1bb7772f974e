import { distance } from 'fastest-levenshtein';

/** One reading of a word in the index: the word, or with `*` all words that begin with it. */
export interface Variant {
  readonly phrase: string;
  /** Weight of a match, 0 to 1. */
  readonly weight: number;
}

/** Possible readings of a word in a query. */
export interface Meaning {
  readonly variants: readonly Variant[];
  /** Approximate number of documents that contain it. */
  readonly count: number;
}

/** All words of the documents, for beginnings of words and typing errors. */
export interface Vocabulary {
  /** @param times number of documents that contain it */
  add(word: string, times: number): void;
  /** Returns the word itself and the words that begin with it; if there are none, the words most similar to it by their letters. */
  meaningOf(word: string): Meaning;
}

const SHORTEST_BEGINNING = 3;
const BEGINNING = 0.6;
const MOST_NEAR = 6;

/** Returns how many letters may be missing, extra or wrong; two swapped letters count as two. */
function mostErrors({ length }: string): number {
  return length < 4 ? 0 : length < 5 ? 1 : 2;
}

export function createVocabulary(): Vocabulary {
  const counts = new Map<string, number>();

  function nearest(word: string): Meaning {
    let least = mostErrors(word);
    if (least === 0) return { variants: [], count: 0 };
    let near: [word: string, count: number][] = [];
    for (const [known, count] of counts) {
      if (Math.abs(known.length - word.length) > least) continue;
      const errors = distance(word, known);
      if (errors > least) continue;
      if (errors < least) near = [];
      least = errors;
      near.push([known, count]);
    }
    const most = near.sort((a, b) => b[1] - a[1]).slice(0, MOST_NEAR);
    // A corrected word ranks like a word typed correctly.
    const variants = most.map(([phrase]) => ({ phrase, weight: 1 }));
    return { variants, count: most.reduce((sum, [, count]) => sum + count, 0) };
  }

  return {
    add(word, times) {
      counts.set(word, (counts.get(word) ?? 0) + times);
    },
    meaningOf(word) {
      const exact = counts.get(word) ?? 0;
      let longer = 0;
      if (word.length >= SHORTEST_BEGINNING)
        for (const [known, count] of counts) if (known.length > word.length && known.startsWith(word)) longer += count;
      if (exact === 0 && longer === 0) return nearest(word);
      const variants = exact > 0 ? [{ phrase: word, weight: 1 }] : [];
      if (longer > 0) variants.push({ phrase: `${word}*`, weight: exact > 0 ? BEGINNING : 1 });
      return { variants, count: exact + longer };
    },
  };
}
