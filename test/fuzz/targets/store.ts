import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBreather } from '../../../src/history/breathe';
import { allIncidents, applyRecord, createContents } from '../../../src/history/contents/contents';
import { decodeLine, encodeRecord } from '../../../src/history/journal/journal-format';
import type { StoreRecord } from '../../../src/history/journal/records';
import { retain, RETENTION } from '../../../src/history/snapshot/retention';
import { buildSnapshot, readSnapshot } from '../../../src/history/snapshot/snapshot';
import { createSqlEngine } from '../../../src/history/snapshot/sql-engine';
import { parseJson } from '../../../src/base/util/json';
import { mutateRecord, mutateText } from '../mutate';
import { projectRoot } from '../project-root';
import type { FuzzTarget } from '../target';
import { attempt, incident, T0 } from '../../unit/history/support/incidents';

const records: readonly StoreRecord[] = [
  { k: 'journal', v: 1, window: 'one', at: T0 },
  { k: 'incident', incident: incident(), stateAt: T0, mute: null },
  { k: 'incident', incident: incident({ attempts: [attempt()] }), stateAt: T0, mute: { on: true, at: T0 } },
  { k: 'remove', id: incident().id, at: T0, reopened: 0 },
];

/** Lines of a journal: damaged ones, and forged ones with the right checksum. */
export const journal: FuzzTarget = {
  name: 'journal',
  counts: 'inputs',
  seeds: records.map((record) => JSON.stringify(record)),
  mutate: (input, other, random) => mutateRecord(random.once(20) ? other : input, random),
  run(input, stopwatch) {
    const contents = createContents();
    for (const record of records) applyRecord(contents, record);
    decodeLine(input);
    const value = parseJson(input);
    if (typeof value !== 'object' || value === null) return 1;
    stopwatch.step(() => {
      const record = decodeLine(encodeRecord(value as StoreRecord).trimEnd());
      if (typeof record === 'string') return;
      for (const _ of [1, 2]) applyRecord(contents, record);
      for (const { count } of allIncidents(contents)) if (typeof count !== 'number') throw new Error('no count');
    });
    return 1;
  },
};

/** A snapshot whose bytes or rows were changed: what can be read is read, and nothing is thrown. */
export async function snapshotTarget(): Promise<FuzzTarget & { dispose(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-fuzz-'));
  const file = join(folder, 'incidents.sqlite');
  const wasm = createRequire(join(projectRoot, 'package.json')).resolve('sql.js/dist/sql-wasm.wasm');
  const engine = createSqlEngine(wasm);
  const contents = createContents();
  for (let index = 0; index < 20; index++)
    applyRecord(contents, { k: 'incident', incident: incident({ openedAt: T0 + index }), stateAt: T0, mute: null });
  const { rows } = await retain(contents, RETENTION, T0, createBreather());
  const bytes = await buildSnapshot(contents, rows, engine, createBreather());
  return {
    name: 'snapshot',
    counts: 'inputs',
    // A text with one character for each byte.
    seeds: [Buffer.from(bytes).toString('latin1')],
    mutate(input, _other, random) {
      let text = input;
      for (let times = 1 + random.below(8); times > 0; times--) {
        const at = random.below(text.length);
        text = random.once(12)
          ? mutateText(text, random)
          : text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1);
      }
      return text;
    },
    async run(input) {
      writeFileSync(file, Buffer.from(input, 'latin1'));
      const read = createContents();
      await readSnapshot(file, engine, (record) => void applyRecord(read, record), createBreather());
      for (const { id } of allIncidents(read))
        if (typeof id !== 'string') throw new Error('an incident without its id');
      return 1;
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
