import type { SqlJsStatic } from 'sql.js';
import type { SearchTexts } from '../queries/search-texts';
import { searchWords } from '../queries/words';
import { type Sql, createSql } from './sql';
import { type Meaning, type Variant, createVocabulary } from './vocabulary';

type Kind = 'incident' | 'learning';

export interface SearchHit {
  readonly kind: Kind;
  readonly id: string;
  /** Greater is better; comparable within one answer only. */
  readonly score: number;
  /** Words of the query that were found. */
  readonly matched: readonly string[];
}

/** An indexed document. `sum` changes with its content. */
export interface Document {
  readonly kind: Kind;
  readonly id: string;
  readonly sum: string;
}

/**
 * Full-text search: a separate database whose index is SQLite's FTS4, the version that sql.js has. FTS4 returns the figures of a match, which are
 * ranked by BM25F, the formula that its documentation names for them. It holds no texts, only their words; replaced or removed documents are no
 * longer found, but their words stay in the index until it is rebuilt.
 */
export interface SearchIndex {
  /** Adds documents, or replaces those with the same kinds and ids. Newest last: of very many hits the last are ranked. */
  put(documents: Iterable<readonly [Document, SearchTexts]>): void;
  take(kind: Kind, id: string): void;
  /** @param allows true for ids that may be found; null for all */
  search(question: string, allows: ((id: string) => boolean) | null, limit: number): readonly SearchHit[];
  documents(): Iterable<Document>;
  sumOf(kind: Kind, id: string): string | undefined;
  /** Returns the index as a file, from which it can be made again. */
  bytes(): Uint8Array;
  close(): void;
}

/** Weight of a word in each column: rule, call, title, who and where, everything else. */
const WEIGHTS = [3, 3, 2, 1, 1];
/** The usual constants of BM25: how fast repetition of a word saturates, and how much long documents are penalised. */
const K1 = 1.2;
const B = 0.5;
const MOST_WORDS = 12;
/** A learning is short and repeats the words of its incident, which comes first. */
const LEARNING = 0.75;
/** Longest list to rank: if more documents match, only the newest are ranked. */
const MOST_RANKED = 1_000;
/** A word in more than a fifth of all documents carries no information; in a small history no word is considered common. */
const COMMON_PART = 0.2;
const COMMON_LEAST = 200;

const TABLES = `
  CREATE TABLE documents (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, sum TEXT NOT NULL, UNIQUE (kind, id));
  CREATE VIRTUAL TABLE words USING fts4(rule, call, title, place, text, content="", order=desc);
  CREATE VIRTUAL TABLE vocabulary USING fts4aux(words);
`;

const PUT = 'INSERT INTO words (docid, rule, call, title, place, text) VALUES (?, ?, ?, ?, ?, ?)';
const MATCH = `SELECT docid, matchinfo(words, 'pcnalx') FROM words WHERE words MATCH ? AND allowed(docid) LIMIT ${MOST_RANKED}`;

interface QueryWord extends Meaning {
  readonly word: string;
}

/** @param bytes the result of `bytes()`; null for an empty index. Throws for anything else. */
export function createSearchIndex({ Database }: Pick<SqlJsStatic, 'Database'>, bytes: Uint8Array | null): SearchIndex {
  const database = new Database(bytes);
  const vocabulary = createVocabulary();
  const documents = new Map<number, Document>();
  const numbers = new Map<string, number>();
  let allowed: (number: number) => boolean = () => false;
  let next = 1;
  let sql: Sql = createSql(database);

  /** Prepares statements and functions, which a database loses when it is exported. */
  function connect(): void {
    sql = createSql(database);
    database.create_function('allowed', (number: number) => (allowed(number) ? 1 : 0));
  }

  if (bytes === null) database.run(TABLES);
  connect();
  database.run('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384');
  if (bytes !== null) {
    for (const [number, kind, id, sum] of sql.rows('SELECT number, kind, id, sum FROM documents'))
      know(Number(number), { kind: kind === 'learning' ? kind : 'incident', id: String(id), sum: String(sum) });
    for (const [word, times] of sql.rows("SELECT term, documents FROM vocabulary WHERE col = '*'"))
      vocabulary.add(String(word), Number(times));
  }

  function know(number: number, document: Document): void {
    documents.set(number, document);
    numbers.set(documentKey(document.kind, document.id), number);
    next = Math.max(next, number + 1);
  }

  function take(kind: Kind, id: string): void {
    const number = numbers.get(documentKey(kind, id));
    if (number === undefined) return;
    sql.run('DELETE FROM documents WHERE number = ?', [number]);
    documents.delete(number);
    numbers.delete(documentKey(kind, id));
  }

  function put(document: Document, texts: SearchTexts): void {
    take(document.kind, document.id);
    const number = next;
    const columns = texts.map((text) => searchWords(text).map(indexed));
    for (const word of new Set(columns.flat())) vocabulary.add(word, 1);
    const { kind, id, sum } = document;
    sql.run('INSERT INTO documents (number, kind, id, sum) VALUES (?, ?, ?, ?)', [number, kind, id, sum]);
    sql.run(PUT, [number, ...columns.map((words) => words.join(' '))]);
    know(number, document);
  }

  /** Returns the matches, each with the figures of all phrases. */
  function ranked(queryWords: readonly QueryWord[], joined: ' ' | ' OR ', of: number): SearchHit[] {
    const phrases = queryWords.flatMap(({ variants }, index) => variants.map((variant) => ({ ...variant, of: index })));
    const question = queryWords
      .map(({ variants }) => `(${variants.map(({ phrase }) => `"${phrase}"`).join(' OR ')})`)
      .join(joined);
    const found: SearchHit[] = [];
    for (const [number, figures] of sql.rows(MATCH, [question])) {
      const document = documents.get(Number(number));
      if (!document || !(figures instanceof Uint8Array)) continue;
      const scores = scoresOf(figures, phrases, queryWords.length);
      const matched = queryWords.filter((_, index) => (scores[index] ?? 0) > 0).map(({ word }) => word);
      const sum = scores.reduce((total, score) => total + score, 0);
      const score = sum * (matched.length / of) ** 2 * (document.kind === 'learning' ? LEARNING : 1);
      found.push({ kind: document.kind, id: document.id, score, matched });
    }
    return found;
  }

  return {
    put(several) {
      sql.run('BEGIN');
      for (const [document, texts] of several) put(document, texts);
      sql.run('COMMIT');
    },
    take,
    search(question, allows, limit) {
      const words = [...new Set(searchWords(question, MOST_WORDS).map(indexed))];
      const queryWords = words.map((word): QueryWord => ({ word, ...vocabulary.meaningOf(word) }));
      allowed = (number) => {
        const document = documents.get(number);
        return document !== undefined && (allows === null || allows(document.id));
      };
      const known = queryWords.filter(({ variants }) => variants.length > 0);
      const least = Math.ceil(queryWords.length / 2);
      const found =
        known.length === queryWords.length && queryWords.length > 0 ? ranked(queryWords, ' ', queryWords.length) : [];
      // Documents with all words come before those with only some.
      if (found.length < limit && queryWords.length > 1 && known.length >= least) {
        const common = Math.max(COMMON_LEAST, documents.size * COMMON_PART);
        const rarer = known.filter(({ count }) => count <= common);
        const some = rarer.length > 0 ? rarer : known;
        const enough = Math.max(1, least - (known.length - some.length));
        const all = new Set(found.map(({ kind, id }) => documentKey(kind, id)));
        for (const hit of ranked(some, ' OR ', queryWords.length))
          if (hit.matched.length >= enough && !all.has(documentKey(hit.kind, hit.id))) found.push(hit);
      }
      found.sort((a, b) => b.matched.length - a.matched.length || b.score - a.score || (a.id < b.id ? 1 : -1));
      return found.slice(0, limit).map((hit) => ({ ...hit, matched: hit.matched.map(spelled) }));
    },
    documents: () => documents.values(),
    sumOf: (kind, id) => documents.get(numbers.get(documentKey(kind, id)) ?? 0)?.sum,
    bytes() {
      const made = database.export();
      connect();
      return made;
    },
    close: () => sql.close(),
  };
}

/** Returns the score of each word of the query: that of its best variant. */
function scoresOf(
  figures: Uint8Array,
  phrases: readonly (Variant & { readonly of: number })[],
  words: number,
): number[] {
  const numbers = new Uint32Array(figures.buffer.slice(figures.byteOffset, figures.byteOffset + figures.byteLength));
  const [, columns = 0, documents = 0] = numbers;
  const average = 3;
  const lengths = average + columns;
  const hits = lengths + columns;
  const scores = Array.from({ length: words }, () => 0);
  phrases.forEach(({ weight, of }, phrase) => {
    let frequency = 0;
    let within = 0;
    for (let column = 0; column < columns; column++) {
      const at = hits + 3 * (phrase * columns + column);
      const usual = Math.max(1, numbers[average + column] ?? 1);
      const length = 1 - B + (B * (numbers[lengths + column] ?? 0)) / usual;
      frequency += ((WEIGHTS[column] ?? 1) * (numbers[at] ?? 0)) / Math.max(length, 1 - B);
      within = Math.max(within, numbers[at + 2] ?? 0);
    }
    if (frequency === 0) return;
    const rarity = Math.log(1 + (documents - within + 0.5) / (within + 0.5));
    const score = (weight * rarity * frequency * (K1 + 1)) / (K1 + frequency);
    scores[of] = Math.max(scores[of] ?? 0, score);
  });
  return scores;
}

export function documentKey(kind: Kind, id: string): string {
  return `${kind} ${id}`;
}

/**
 * FTS4's simple tokenizer, twice as fast as the others, takes ASCII letters and digits and all non-ASCII characters as parts of words, but splits
 * words at `_`.
 */
const UNDERSCORE = '·';

function indexed(word: string): string {
  return word.replaceAll('_', UNDERSCORE);
}

function spelled(word: string): string {
  return word.replaceAll(UNDERSCORE, '_');
}
