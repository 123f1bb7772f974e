import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { SqlJsStatic } from 'sql.js';
import type { SearchTexts } from '../queries/search-texts';
import { type Document, type SearchIndex, createSearchIndex, documentKey } from './search';

/** Source of the search. */
export interface Searched {
  /** Yields all documents, oldest first. */
  documents(): Iterable<Document>;
  /** Returns the searched texts of a document; null if it cannot be found. */
  texts(document: Document): SearchTexts | null;
}

/**
 * The search index of a history. It is made once and kept in a file next to the history, so that the next window has to add only what is new. The
 * file may be deleted at any time.
 */
export interface KeptIndex {
  /** Adds a part of what is not in it yet. True once everything is. */
  prepare(): boolean;
  /** Returns the index with all documents. */
  whole(): SearchIndex;
  /** Called when the documents are different ones now: new ones are found with the next query. */
  renew(): void;
  /** Called when a document was changed or deleted. */
  changed(document: Document): void;
  /** Frees its memory. The next query reads or makes it again. */
  close(): void;
}

/** Documents in one batch, about 30 ms of work: other queries need not wait longer than that. */
const BATCH = 50;
/** Number of new documents that are worth writing. */
const WORTH_WRITING = 200;
const DIGEST_LENGTH = 64;

/** @param path of its file; null to keep none */
export function createKeptIndex(
  engine: Pick<SqlJsStatic, 'Database'>,
  path: string | null,
  searched: Searched,
): KeptIndex {
  let index: SearchIndex | null = null;
  /** Documents not indexed yet, oldest last. Null: not known yet. */
  let waiting: Document[] | null = null;
  let unwritten = 0;
  /** It still contains words of what was deleted, and so is no longer written. */
  let isStale = false;

  function look(): Document[] {
    const all = [...searched.documents()];
    const keys = new Set(all.map(({ kind, id }) => documentKey(kind, id)));
    const isGone = ({ kind, id }: Document) => !keys.has(documentKey(kind, id));
    let known = index ?? read();
    if (index) for (const gone of [...index.documents()].filter(isGone)) drop(index, gone);
    else if ([...known.documents()].some(isGone)) {
      known.close();
      known = createSearchIndex(engine, null);
    }
    index = known;
    return all.filter(({ kind, id, sum }) => known.sumOf(kind, id) !== sum).reverse();
  }

  function read(): SearchIndex {
    try {
      if (path !== null) {
        const bytes = readFileSync(path);
        const kept = bytes.subarray(DIGEST_LENGTH);
        if (bytes.toString('latin1', 0, DIGEST_LENGTH) === digestOf(kept)) return createSearchIndex(engine, kept);
      }
    } catch {
      // Start with an empty index.
    }
    return createSearchIndex(engine, null);
  }

  function write(known: SearchIndex): void {
    if (path === null || isStale || unwritten < WORTH_WRITING) return;
    const part = `${path}.${process.pid}.tmp`;
    try {
      const bytes = known.bytes();
      writeFileSync(part, Buffer.concat([Buffer.from(digestOf(bytes), 'latin1'), bytes]), { mode: 0o600 });
      renameSync(part, path);
    } catch {
      // A full disk, for example: the next window builds it again.
      rmSync(part, { force: true });
    }
    unwritten = 0;
  }

  /** Drops a document, so that the words of what a person deleted leave the disk. */
  function drop(known: SearchIndex, { kind, id }: Document): void {
    if (known.sumOf(kind, id) === undefined) return;
    known.take(kind, id);
    isStale = true;
    try {
      if (path !== null) rmSync(path, { force: true });
    } catch {
      // The folder is read-only: a process that can write it will find the document gone.
    }
  }

  function put(known: SearchIndex, documents: readonly Document[]): void {
    const found: (readonly [Document, SearchTexts])[] = [];
    for (const document of documents) {
      const texts = searched.texts(document);
      if (texts) found.push([document, texts]);
      else drop(known, document);
    }
    known.put(found);
    unwritten += found.length;
  }

  function prepare(): boolean {
    waiting ??= look();
    if (!index) return false;
    put(index, waiting.splice(-BATCH).reverse());
    if (waiting.length > 0) return false;
    write(index);
    return true;
  }

  return {
    prepare,
    whole() {
      while (!prepare());
      return index ?? createSearchIndex(engine, null);
    },
    renew() {
      waiting = null;
    },
    changed(document) {
      // Before the first query it is found with all others.
      if (index && waiting) put(index, [document]);
    },
    close() {
      index?.close();
      index = null;
      waiting = null;
    },
  };
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
