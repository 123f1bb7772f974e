import {
  appendFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checksumOf } from '../../../src/history/checksum';
import {
  decodeLine,
  encodeRecord,
  journalBase,
  journalFile,
  parseJournalName,
} from '../../../src/history/journal/journal-format';
import { createJournalFollower, listJournals, readJournal } from '../../../src/history/journal/journal-reader';
import {
  type JournalFile,
  type JournalWriter,
  createJournalWriter,
  openJournalFile,
} from '../../../src/history/journal/journal-writer';
import type { StoreRecord } from '../../../src/history/journal/records';
import { T0, folder, incident } from './support/make';

const remove = (id: string): StoreRecord => ({ k: 'remove', id, at: T0, reopened: 0 });
let unique = 0;
const writers: JournalWriter[] = [];
afterEach(async () => {
  for (const writer of writers.splice(0)) await writer.seal();
});
const writerOn = (path: string, openFile = openJournalFile) => {
  const writer = createJournalWriter({
    folder: path,
    counts: folder(),
    window: 'one',
    self: { host: 'aa', boot: 'bb', pid: 7, start: '1' },
    now: () => T0,
    uniqueId: () => `ID${String(unique++).padStart(6, '0')}`,
    openFile,
  });
  writers.push(writer);
  return writer;
};
const idsOf = async (path: string) => {
  const ids: string[] = [];
  for (const name of await listJournals(path)) {
    await readJournal(join(path, journalFile(name.base, name.sealed)), 0, (record) => {
      if (record.k === 'remove') ids.push(record.id);
    });
  }
  return ids;
};

describe('a journal line', () => {
  it('is read back as it was', () => {
    const record: StoreRecord = {
      k: 'incident',
      incident: incident({ title: 'ü\u2028\n"\\ 🙂 \ud800' }),
      stateAt: T0,
      mute: null,
    };
    const line = encodeRecord(record);
    expect(line.endsWith('\n')).toBe(true);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(decodeLine(line.slice(0, -1))).toEqual(record);
  });

  it('fails its checksum wherever it is torn or changed', () => {
    const line = encodeRecord(remove('a')).slice(0, -1);
    for (let length = 0; length < line.length; length++) expect(decodeLine(line.slice(0, length))).toBe('damaged');
    for (let i = 0; i < line.length; i++)
      expect(decodeLine(`${line.slice(0, i)}~${line.slice(i + 1)}`)).toBe('damaged');
  });

  it('is damaged if its checksum is right but it contains no JSON', () => {
    expect(decodeLine(`${checksumOf('{"k":')} {"k":`)).toBe('damaged');
  });

  it('is not used if it is intact but of an unknown kind', () => {
    const line = encodeRecord({ k: 'later' } as unknown as StoreRecord).slice(0, -1);
    expect(decodeLine(line)).toBe('unknown');
    const half = encodeRecord({
      k: 'incident',
      stateAt: 1,
      mute: null,
      incident: { id: 'x' },
    } as unknown as StoreRecord).slice(0, -1);
    expect(decodeLine(half)).toBe('unknown');
  });
});

describe('a journal name', () => {
  it('names its writer', () => {
    const writer = { host: '0a1b2c3d', boot: '4e5f6a7b', pid: 4711, start: '99' };
    const base = journalBase('01JD', writer);
    expect(parseJournalName(journalFile(base, false))).toEqual({ base, writer, sealed: false });
    expect(parseJournalName(journalFile(base, true))).toEqual({ base, writer, sealed: true });
    for (const other of ['x.jsonl', `${base}.jsonl.corrupt-2026`, `${base}.tmp`, '../a.aa.bb.1.1.jsonl', ''])
      expect(parseJournalName(other)).toBeUndefined();
  });
});

describe('a journal', () => {
  it('keeps everything but the line that was torn', async () => {
    const path = folder();
    await writerOn(path).append([remove('a'), remove('b')]);
    const file = join(path, readdirSync(path)[0] ?? '');
    const whole = readFileSync(file);
    truncateSync(file, whole.length - 5);
    expect(await idsOf(path)).toEqual(['a']);
    // And waits for the rest of a line that is only half there.
    writeFileSync(file, whole);
    expect(await idsOf(path)).toEqual(['a', 'b']);
  });

  it('is read on from where the last reading ended, over any cut', async () => {
    const path = folder();
    const follower = createJournalFollower(path, () => false);
    const file = join(path, journalFile(journalBase('X', { host: 'aa', boot: 'bb', pid: 1, start: '1' }), false));
    const seen: string[] = [];
    const text = Buffer.from(['ä', 'b', '🙂', 'd'].map((id) => encodeRecord(remove(id))).join(''));
    for (let i = 0; i < text.length; i += 3) {
      appendFileSync(file, text.subarray(i, i + 3));
      await follower.read((record) => record.k === 'remove' && seen.push(record.id));
    }
    expect(seen).toEqual(['ä', 'b', '🙂', 'd']);
    // Sealed meanwhile: nothing is read twice.
    appendFileSync(file, encodeRecord(remove('e')));
    renameSync(file, file.replace('.jsonl', '.sealed.jsonl'));
    await follower.read((record) => record.k === 'remove' && seen.push(record.id));
    expect(seen).toEqual(['ä', 'b', '🙂', 'd', 'e']);
  });

  it('has lines longer than a chunk read, and one that is too long to be valid skipped', async () => {
    const path = folder();
    const long = 'x'.repeat(700_000);
    await writerOn(path).append([remove(long), remove('b')]);
    expect(await idsOf(path)).toEqual([long, 'b']);
    const hostile = join(path, journalFile(journalBase('Z', { host: 'aa', boot: 'bb', pid: 1, start: '1' }), false));
    writeFileSync(hostile, Buffer.alloc(6_000_000, 120));
    expect(await readJournal(hostile, 0, () => {})).toEqual({ end: 6_000_000, damaged: 1, lines: 0, newer: false });
    // What follows it is read, even if it came later.
    appendFileSync(hostile, `xx\n${encodeRecord(remove('c'))}`);
    const seen: string[] = [];
    const note = (record: StoreRecord) => void (record.k === 'remove' && seen.push(record.id));
    expect(await readJournal(hostile, 6_000_000, note)).toMatchObject({ damaged: 1 });
    expect(await readJournal(hostile, 0, note)).toMatchObject({ damaged: 1 });
    expect(seen).toEqual(['c', 'c']);
  });

  it('of a newer version is not used at all', async () => {
    const path = folder();
    const file = join(path, journalFile(journalBase('X', { host: 'aa', boot: 'bb', pid: 1, start: '1' }), false));
    writeFileSync(file, encodeRecord({ k: 'journal', v: 2, window: 'w', at: 1 }) + encodeRecord(remove('a')));
    expect(await idsOf(path)).toEqual([]);
    expect(await readJournal(file, 0, () => {})).toMatchObject({ newer: true });
  });
});

describe('a journal writer', () => {
  it('begins its file with the first record, exclusively, and a new one after sealing', async () => {
    const path = join(folder(), 'journal');
    const writer = writerOn(path);
    expect(existsSync(path)).toBe(false);
    await writer.append([remove('a')]);
    expect(readdirSync(path)).toHaveLength(1);
    await writer.seal();
    await writer.append([remove('b')]);
    await writer.append([remove('c')]);
    expect(readdirSync(path).filter((name) => name.includes('.sealed.'))).toHaveLength(1);
    expect(await idsOf(path)).toEqual(['a', 'b', 'c']);
    await writer.seal();
    await writer.seal();
    expect(readdirSync(path).filter((name) => name.includes('.sealed.'))).toHaveLength(2);
  });

  it('rewrites what went into a file that was removed', async () => {
    const path = folder();
    const writer = writerOn(path);
    await writer.append([remove('a')]);
    const taken = join(path, readdirSync(path)[0] ?? '');
    const elsewhere = `${taken}.taken`;
    renameSync(taken, elsewhere);
    await writer.append([remove('b')]);
    expect(await idsOf(path)).toEqual(['b']);
    rmSync(path, { recursive: true });
    await writer.append([remove('c')]);
    expect(await idsOf(path)).toEqual(['c']);
  });

  it('never writes after a half-written line', async () => {
    const path = folder();
    let isFull = false;
    const limited = async (file: string): Promise<JournalFile> => {
      const real = await openJournalFile(file);
      return {
        ...real,
        async append(data) {
          if (!isFull) return real.append(data);
          await real.append(data.subarray(0, data.length - 10));
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        },
      };
    };
    const writer = writerOn(path, limited);
    await writer.append([remove('a')]);
    isFull = true;
    await expect(writer.append([remove('b')])).rejects.toMatchObject({ code: 'ENOSPC' });
    isFull = false;
    await writer.append([remove('c')]);
    expect(await idsOf(path)).toEqual(['a', 'c']);
    expect(readdirSync(path)).toHaveLength(2);
  });

  it('does not report success when the sync failed', async () => {
    const path = folder();
    const failing = async (file: string): Promise<JournalFile> => ({
      ...(await openJournalFile(file)),
      sync: () => Promise.reject(Object.assign(new Error('i/o error'), { code: 'EIO' })),
    });
    await expect(writerOn(path, failing).append([remove('a')])).rejects.toMatchObject({ code: 'EIO' });
  });
});
