import { wordsOf } from './words';

/** A text of a document, and how much a word in it counts. */
export interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

interface IndexHit {
  readonly key: string;
  readonly score: number;
  /** Words of the query that were found. */
  readonly matched: readonly string[];
}

/** Full-text search by BM25 over some thousand short documents. Stock sql.js has no FTS5, and FTS4 does not rank. */
export interface RecallIndex {
  /** Takes a document in, or in the place of the one with the same key. */
  put(key: string, texts: readonly WeightedText[]): void;
  drop(key: string): void;
  search(query: string, limit: number): readonly IndexHit[];
  readonly size: number;
}

/** The usual constants: how fast repetition of a word saturates, and how much long documents pay. */
const K1 = 1.2;
const B = 0.6;
/** A word that only begins like a word of the query is worth so much of it. */
const PREFIX = 0.5;
const SHORTEST_PREFIX = 3;

interface Document {
  readonly key: string;
  readonly length: number;
}

/** Document numbers and weighted counts by turns. */
type Postings = number[];

export function createRecallIndex(): RecallIndex {
  let documents: (Document | undefined)[] = [];
  let numbers = new Map<string, number>();
  let postings = new Map<string, Postings>();
  let totalLength = 0;

  function drop(key: string): void {
    const number = numbers.get(key);
    if (number === undefined) return;
    totalLength -= documents[number]?.length ?? 0;
    documents[number] = undefined;
    numbers.delete(key);
    if (documents.length > 256 && numbers.size < documents.length / 2) squeeze();
  }

  /** Postings of dropped documents are skipped until they are the half of all. */
  function squeeze(): void {
    const moved = new Map<number, number>();
    const kept: Document[] = [];
    documents.forEach((document, number) => {
      if (!document) return;
      moved.set(number, kept.length);
      kept.push(document);
    });
    const squeezed = new Map<string, Postings>();
    for (const [word, list] of postings) {
      const rest: Postings = [];
      for (let i = 0; i < list.length; i += 2) {
        const number = moved.get(list[i] as number);
        if (number !== undefined) rest.push(number, list[i + 1] as number);
      }
      if (rest.length > 0) squeezed.set(word, rest);
    }
    documents = kept;
    postings = squeezed;
    numbers = new Map(kept.map((document, number) => [document.key, number]));
  }

  function addScores(scores: Map<number, Map<string, number>>, queryWord: string, word: string, share: number): void {
    const list = postings.get(word);
    if (!list) return;
    const count = list.length / 2;
    const rarity = Math.log(1 + (numbers.size - Math.min(count, numbers.size) + 0.5) / (count + 0.5));
    const average = totalLength / Math.max(1, numbers.size);
    for (let i = 0; i < list.length; i += 2) {
      const number = list[i] as number;
      const document = documents[number];
      if (!document) continue;
      const frequency = list[i + 1] as number;
      const score =
        (share * rarity * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * document.length) / average));
      let ofDocument = scores.get(number);
      if (!ofDocument) scores.set(number, (ofDocument = new Map()));
      // The best form of a word counts, not all its forms together.
      ofDocument.set(queryWord, Math.max(ofDocument.get(queryWord) ?? 0, score));
    }
  }

  return {
    put(key, texts) {
      drop(key);
      const counts = new Map<string, number>();
      let length = 0;
      for (const { text, weight } of texts) {
        for (const word of wordsOf(text)) {
          counts.set(word, (counts.get(word) ?? 0) + weight);
          length++;
        }
      }
      const number = documents.length;
      documents.push({ key, length });
      numbers.set(key, number);
      totalLength += length;
      for (const [word, count] of counts) {
        const list = postings.get(word);
        if (list) list.push(number, count);
        else postings.set(word, [number, count]);
      }
    },
    drop,
    search(query, limit) {
      const scores = new Map<number, Map<string, number>>();
      for (const queryWord of new Set(wordsOf(query, 32))) {
        addScores(scores, queryWord, queryWord, 1);
        if (queryWord.length < SHORTEST_PREFIX) continue;
        for (const word of postings.keys()) {
          if (word.length > queryWord.length && word.startsWith(queryWord)) addScores(scores, queryWord, word, PREFIX);
        }
      }
      const hits: IndexHit[] = [];
      for (const [number, byWord] of scores) {
        const document = documents[number];
        if (!document) continue;
        let score = 0;
        for (const part of byWord.values()) score += part;
        hits.push({ key: document.key, score, matched: [...byWord.keys()] });
      }
      // More of the words first: "stuck repeating" asks for both.
      hits.sort((a, b) => b.matched.length - a.matched.length || b.score - a.score || (a.key < b.key ? 1 : -1));
      return hits.slice(0, Math.max(0, limit));
    },
    get size() {
      return numbers.size;
    },
  };
}
