import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../../src/history';
import { createBreather } from '../../../../src/history/breathe';
import type { StoreRecord } from '../../../../src/history/journal/records';
import { readSnapshot } from '../../../../src/history/snapshot/snapshot';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import { silentLog } from '../../../../src/base/util/log';
import { FakeClock } from '../support/fake-clock';
import { MINUTE, T0, WASM, incident, recovered } from '../support/make';

/** Damage that a disk does to a file: the history must detect it, and return whatever is still intact. */
const INCIDENTS = 60;
const PAGE = 16_384;
/** Most rows on a page; damage of 4 KB reaches two pages at most. */
const ROWS_OF_A_PAGE = 9;

const engine = createSqlEngine(WASM);
let folder: string;
let bytes: Buffer;
/** Everything that was written, as JSON. */
let written: ReadonlySet<string>;

/** A number below `most` for each seed and place. */
function pick(seed: number, most: number): number {
  const mixed = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(seed + 7, 0x85ebca6b);
  return (mixed >>> 0) % most;
}

interface Read {
  readonly damaged: number;
  readonly incidents: number | null;
  /** Number of different incidents that were found. */
  readonly found: number;
  /** Records that were found but never written. */
  readonly wrong: readonly StoreRecord[];
  /** Number of records of all kinds that were found. */
  readonly all: ReadonlySet<string>;
}

async function readAs(damagedBytes: Uint8Array): Promise<Read> {
  const path = join(folder, 'damaged.sqlite');
  writeFileSync(path, damagedBytes);
  const all = new Set<string>();
  const wrong: StoreRecord[] = [];
  const ids = new Set<string>();
  const take = (record: StoreRecord) => {
    const text = JSON.stringify(record);
    all.add(text);
    if (written && !written.has(text)) wrong.push(record);
    if (record.k === 'incident') ids.add(record.incident.id);
  };
  const { damaged, incidents } = await readSnapshot(path, engine, take, createBreather());
  return { damaged, incidents, found: ids.size, wrong, all };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unstuck-damaged-'));
  const store = await openStore({
    folder,
    wasm: WASM,
    clock: new FakeClock(T0 + 20 * MINUTE),
    window: 'one',
    log: silentLog,
    settleMs: 0,
    stays: false,
  });
  // Every tenth is long: its row continues on further pages.
  const text = (number: number) => `${number} ${'ü"\\🙂 '.repeat(number % 10 === 0 ? 600 : 40)}`;
  const some = Array.from({ length: INCIDENTS }, (_, number) =>
    (number % 3 === 0 ? recovered : incident)({
      session: `s${number % 7}`,
      why: text(number),
      openedAt: T0 + number,
      ...(number % 10 === 0 && { firstSample: { text: text(number), ignored: [] } as never }),
    }),
  );
  await Promise.all(some.map((one) => store.save(one)));
  store.sawSession({ agent: 'codex', session: 's1', firstAt: T0, lastAt: T0 + MINUTE });
  await store.remove([some[1]?.id ?? '', some[2]?.id ?? '']);
  await store.close();
  const again = await openStore({
    folder,
    wasm: WASM,
    clock: new FakeClock(T0 + 21 * MINUTE),
    window: 'two',
    log: silentLog,
    settleMs: 0,
    stays: false,
  });
  expect(await again.compact()).toMatchObject({ done: true });
  await again.close();
  bytes = readFileSync(join(folder, 'incidents.sqlite'));
  written = new Set();
  const whole = await readAs(bytes);
  written = whole.all;
  expect(whole).toMatchObject({ damaged: 0, incidents: INCIDENTS - 2, found: INCIDENTS - 2 });
  expect([...whole.all].some((record) => record.includes('"k":"remove"'))).toBe(true);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a snapshot that the disk changed', () => {
  it('by one bit anywhere shows nothing that was not written, and reports when something is missing', async () => {
    const outcomes = { whole: 0, unsaid: 0, wrong: 0, most: 0 };
    for (let seed = 0; seed < 200; seed++) {
      const copy = Buffer.from(bytes);
      const bit = pick(seed, copy.length * 8);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const read = await readAs(copy);
      const missing = INCIDENTS - 2 - read.found;
      if (missing === 0 && read.all.size === written.size) outcomes.whole++;
      else if (read.damaged === 0) outcomes.unsaid++;
      outcomes.wrong += read.wrong.length;
      outcomes.most = Math.max(outcomes.most, missing);
    }
    expect(outcomes).toMatchObject({ unsaid: 0, wrong: 0 });
    expect(outcomes.most).toBeLessThanOrEqual(1);
  });

  it('by one bit in the text of each incident loses that incident alone', async () => {
    for (const id of [5, 25, 55]) {
      const copy = Buffer.from(bytes);
      const at = copy.indexOf(`"why":"${id} ü`);
      expect(at).toBeGreaterThan(0);
      copy[at + 7] = (copy[at + 7] ?? 0) ^ 1;
      const read = await readAs(copy);
      expect(read).toMatchObject({ damaged: 1, incidents: INCIDENTS - 2, found: INCIDENTS - 3, wrong: [] });
    }
  });

  it('and cut off at random yields what lies before the cut, and still knows how much there was', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const length = pick(seed, bytes.length);
      const read = await readAs(bytes.subarray(0, length));
      expect(read.damaged).toBeGreaterThan(0);
      expect(read.wrong).toEqual([]);
      // The first pages are the roots of the tables.
      const pages = Math.floor(length / PAGE) - 12;
      const share = Math.max(0, pages) / (bytes.length / PAGE - 12);
      expect(read.found).toBeGreaterThanOrEqual(Math.floor(share * (INCIDENTS - 2)) - 2 * ROWS_OF_A_PAGE);
      if (pages > 0) expect(read.incidents).toBe(INCIDENTS - 2);
    }
  });

  it('and zeroed for 4 KB anywhere loses at most the rows of the page', async () => {
    for (let start = 0; start < bytes.length; start += 4096) {
      const copy = Buffer.from(bytes);
      copy.fill(0, start, start + 4096);
      const read = await readAs(copy);
      expect(read.wrong).toEqual([]);
      expect(INCIDENTS - 2 - read.found).toBeLessThanOrEqual(ROWS_OF_A_PAGE);
      if (read.all.size < written.size) expect(read.damaged).toBeGreaterThan(0);
    }
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['no database', Buffer.from('this is not a database')],
    ['nothing but zeros', Buffer.alloc(3 * PAGE)],
    ['nothing but ones', Buffer.alloc(3 * PAGE, 0xff)],
    ['pages that say they hold rows', Buffer.alloc(3 * PAGE, 13)],
  ])('and is %s is damaged, and nothing is found', async (_, content) => {
    expect(await readAs(content)).toMatchObject({ incidents: null, found: 0, wrong: [] });
    expect((await readAs(content)).damaged).toBeGreaterThan(0);
  });

  it('and is a folder, or absent', async () => {
    const none = () => expect.unreachable('no record');
    mkdirSync(join(folder, 'folder'));
    expect(await readSnapshot(join(folder, 'folder'), engine, none, createBreather())).toEqual({
      damaged: 1,
      incidents: null,
    });
    expect(await readSnapshot(join(folder, 'absent'), engine, none, createBreather())).toEqual({
      damaged: 0,
      incidents: null,
    });
  });

  it('in pages that a database engine skips is detected by the number of its rows', async () => {
    // The number of rows of a page, at its head: without the last of them SQLite sees nothing wrong.
    for (let page = 2 * PAGE; page < bytes.length; page += PAGE) {
      if (bytes[page] !== 13 || bytes.readUInt16BE(page + 3) < 3) continue;
      const copy = Buffer.from(bytes);
      copy.writeUInt16BE(bytes.readUInt16BE(page + 3) - 2, page + 3);
      const read = await readAs(copy);
      expect(read.damaged).toBeGreaterThanOrEqual(2);
      expect(read.wrong).toEqual([]);
    }
  });
});
