import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { CataloguePort } from '../../../../src/history/catalogue/port';
import { storeError } from '../../../../src/history/errors';
import type { StoreRecord } from '../../../../src/history/journal/records';
import { storePaths } from '../../../../src/history/store-paths';
import { createHistory } from '../../../../src/history/snapshot/history';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import { WASM, folder, recovered, snapshotOf } from '../support/make';

/** A snapshot of one incident, `A`. */
let written: Buffer;
beforeAll(async () => {
  written = await snapshotOf((store) => store.save(recovered({ id: 'A' })));
});

const removed = (id: string): StoreRecord => ({ k: 'remove', id, at: 1, reopened: 0 });

/** A history with a catalogue that only records its calls. */
function history(snapshot: Uint8Array | null, options: { readonly stays?: boolean } = {}) {
  const places = storePaths(folder());
  if (snapshot) writeFileSync(places.snapshot, snapshot);
  const told: string[] = [];
  const problems: (string | null)[] = [];
  const known: StoreRecord[] = [];
  const news: StoreRecord[] = [];
  const waiting: { readonly after: number; readonly run: () => void }[] = [];
  const state = { opens: true, applies: true, mends: false, pieces: 0, compactions: 0 };
  let ended = () => {};
  const idsOf = (records: readonly StoreRecord[]) => records.map((one) => (one.k === 'remove' ? one.id : one.k)).join();
  /** Holds back the answer of the catalogue to what is passed on to it. */
  let held: Promise<void> = Promise.resolve();
  const hold = (): (() => void) => {
    let release = () => {};
    held = new Promise((resolve) => (release = resolve));
    return release;
  };
  const catalogue: Partial<CataloguePort> = {
    open: (path) => {
      told.push(path === null ? 'open empty' : 'open');
      return Promise.resolve(path === null || state.opens);
    },
    apply: (records) => {
      if (!state.applies) return Promise.reject(storeError('engine_missing'));
      told.push(idsOf(records));
      return held;
    },
    prepareSearch: () => Promise.resolve(--state.pieces <= 0),
    onDidEnd: (listener) => (ended = listener),
  };
  const loaded = createHistory({
    places,
    engine: createSqlEngine(WASM),
    catalogue: catalogue as CataloguePort,
    readOthers: () => Promise.resolve(void told.push('others')),
    take: (record) => void known.push(record),
    known: () => known,
    news: () => news.splice(0),
    compact: () => {
      state.compactions++;
      if (!state.mends) return Promise.resolve({ done: false, reason: 'locked' });
      writeFileSync(places.snapshot, written);
      return Promise.resolve({ done: true, bytes: 1, longestBlockMs: 0 });
    },
    onLoaded: () => void told.push('loaded'),
    after: options.stays === false ? null : (after, run) => void waiting.push({ after, run }),
    onProblem: (error) => void problems.push(error?.code ?? null),
  });
  return {
    places,
    problems,
    known,
    news,
    waiting,
    state,
    end: () => ended(),
    /** The calls of the catalogue meanwhile. */
    load: async () => {
      const isOpen = await loaded.load();
      return [...told.splice(0), isOpen];
    },
    hold,
    ask: () => loaded.load(),
    both: () => Promise.all([loaded.load(), loaded.load()]),
    told,
  };
}

describe('the history of a folder without a snapshot', () => {
  it('is what the windows know, passed on once; then only what is news', async () => {
    const { known, news, load, problems } = history(null);
    known.push(removed('a'));
    news.push(removed('a'));
    expect(await load()).toEqual(['others', 'open empty', 'a', true]);
    expect(await load()).toEqual(['others', true]);
    news.push(removed('b'), removed('c'));
    expect(await load()).toEqual(['others', 'b,c', true]);
    expect(problems).toEqual([]);
  });

  it('is passed on in pieces of fifty', async () => {
    const { known, load } = history(null);
    known.push(...Array.from({ length: 101 }, () => removed('x')));
    const told = await load();
    expect(told.slice(2, -1).map((piece) => String(piece).split(',').length)).toEqual([50, 50, 1]);
  });

  it('is read once for two callers at the same time', async () => {
    const { both, told } = history(null);
    expect(await both()).toEqual([true, true]);
    expect(told).toEqual(['others', 'open empty']);
  });
});

describe('the history of a folder with a snapshot', () => {
  it('has what was saved just before a query, even if that came while another query waited', async () => {
    const { news, load, ask, hold, told } = history(written);
    await load();
    news.push(removed('a'));
    const release = hold();
    const first = ask();
    await vi.waitFor(() => expect(told).toEqual(['others', 'a']));
    // The thread is busy with a search, say; meanwhile an incident is saved, and the list asks again.
    news.push(removed('b'));
    const second = ask();
    release();
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(told.filter((one) => one !== 'others')).toEqual(['a', 'b']);
  });

  it('is the snapshot, and on top of it what the windows know; it is reopened only when it has changed', async () => {
    const { known, news, load, places, problems } = history(written);
    known.push(removed('a'));
    expect(await load()).toEqual(['others', 'open', 'a', 'loaded', true]);
    news.push(removed('b'));
    expect(await load()).toEqual(['others', 'b', true]);
    const copy = `${places.snapshot}.copy`;
    copyFileSync(places.snapshot, copy);
    rmSync(places.snapshot);
    writeFileSync(places.snapshot, Buffer.concat([readFileSync(copy)]));
    expect((await load()).slice(0, 3)).toEqual(['others', 'open', 'a']);
    expect(problems).toEqual([null, null]);
  });

  it('is reopened when the catalogue has ended', async () => {
    const { load, end } = history(written);
    await load();
    end();
    expect(await load()).toEqual(['others', 'open', 'loaded', true]);
  });

  it('is read row by row if it cannot be queried, and again with each query until it is repaired', async () => {
    const { known, load, state, problems } = history(written);
    state.opens = false;
    expect(await load()).toEqual(['others', 'open', 'open empty', 'incident,event,learning', 'loaded', true]);
    expect(known).toHaveLength(3);
    expect(problems).toEqual([null]);
    expect(state.compactions).toBe(0);
    // Intact, but not to be queried: it is not read again.
    expect(await load()).toEqual(['others', true]);
  });

  it('is repaired if it is damaged: at once if no other window is doing so', async () => {
    const { load, state, problems } = history(Buffer.from('no database'));
    state.mends = true;
    expect(await load()).toEqual(['others', 'open', 'loaded', true]);
    expect(state.compactions).toBe(1);
    expect(problems).toEqual(['corrupt', null, null]);
  });

  it('is read as far as possible while it stays damaged, and retried with the next query', async () => {
    const harmed = Buffer.from(written);
    const at = harmed.indexOf('"title":"Fix the failing test');
    harmed.write('X', at + 10);
    const { load, state, problems } = history(harmed);
    state.opens = false;
    expect(await load()).toContain('open empty');
    expect(state.compactions).toBe(1);
    expect(problems).toEqual(['corrupt']);
    await load();
    expect(state.compactions).toBe(2);
    state.mends = true;
    state.opens = true;
    await load();
    expect(problems.at(-1)).toBeNull();
  });

  it('of an earlier layout is read row by row, without being opened', async () => {
    const earlier = Buffer.from(written);
    earlier.writeUInt32BE(2, 60);
    const { load, state, problems } = history(earlier);
    expect(await load()).toEqual(['others', 'open empty', 'incident,event,learning', 'loaded', true]);
    expect([state.compactions, problems]).toEqual([0, [null]]);
  });

  it('that a newer version wrote is read and not touched', async () => {
    const newer = Buffer.from(written);
    newer.writeUInt32BE(99, 60);
    const { load, state, problems, known } = history(newer);
    expect(await load()).toEqual(['others', 'open empty', 'incident,event,learning', 'loaded', true]);
    expect(known).toHaveLength(3);
    expect([state.compactions, problems]).toEqual([0, []]);
    expect(await load()).toEqual(['others', true]);
  });

  it('reports why it cannot be queried, and is passed on completely once it can', async () => {
    const { known, load, state, problems } = history(written);
    known.push(removed('a'));
    state.applies = false;
    expect(await load()).toEqual(['others', 'open', false]);
    expect(problems).toEqual(['engine_missing']);
    state.applies = true;
    expect(await load()).toEqual(['others', 'open', 'a', 'loaded', true]);
  });
});

describe('the search of a history', () => {
  it('is prepared half a second after the first query, piece by piece, once', async () => {
    const { load, waiting, state } = history(written);
    state.pieces = 3;
    await load();
    await load();
    expect(waiting.map(({ after }) => after)).toEqual([500]);
    waiting[0]?.run();
    await new Promise((done) => setImmediate(done));
    expect(state.pieces).toBe(0);
    await load();
    expect(waiting).toHaveLength(2);
  });

  it('is not prepared by a command that queries once, nor if nothing can be queried', async () => {
    const once = history(written, { stays: false });
    expect((await once.load()).at(-1)).toBe(true);
    const broken = history(written);
    broken.state.applies = false;
    broken.known.push(removed('a'));
    await broken.load();
    expect(broken.waiting).toEqual([]);
  });
});
