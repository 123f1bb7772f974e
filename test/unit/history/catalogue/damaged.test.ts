import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SqlJsStatic } from 'sql.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCatalogue } from '../../../../src/history/catalogue/catalogue';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import { DAY, T0, WASM, folder, incident, recovered, snapshotOf } from '../support/make';

let engine: SqlJsStatic;
let written: Buffer;

beforeAll(async () => {
  engine = await createSqlEngine(WASM)();
  written = await snapshotOf(async (store) => {
    await store.save(recovered({ id: 'A' }));
    await store.save(incident({ id: 'B', key: 'other' }));
    await store.save(incident({ id: 'C', key: 'gone' }));
    await store.remove('C');
    store.sawSession({ agent: 'codex', session: 's1', firstAt: T0, lastAt: T0 + 1, steps: 7 });
    await store.appendEvent({ t: T0, type: 'Observation', session: 's1', agent: 'codex', data: { n: 1 } });
  });
});

/** True if the history can be queried after this was done to its file. */
function opens(harm: string): boolean {
  const database = new engine.Database(written);
  database.run(harm);
  const path = join(folder(), 'harmed.sqlite');
  writeFileSync(path, database.export());
  database.close();
  const catalogue = createCatalogue(engine);
  onTestFinished(() => catalogue.close());
  const isOpen = catalogue.open(path);
  if (!isOpen) expect(() => catalogue.incidents({})).toThrow('not open');
  return isOpen;
}

describe('a snapshot', () => {
  it('can be queried if it is what was written', () => {
    expect(opens('SELECT 1')).toBe(true);
  });

  it.each([
    ['a changed record', "UPDATE incidents SET data = replace(data, 'pytest', 'pytets') WHERE id = 'A'"],
    ['a changed event', "UPDATE events SET data = '{}'"],
    ['a changed column', `UPDATE incidents SET opened_at = opened_at - ${DAY} WHERE id = 'B'`],
    ['a changed column of a session', 'UPDATE sessions SET steps = 8'],
    ['a changed checksum', "UPDATE learnings SET sum = '0000000000000000'"],
    ['a changed tombstone', 'UPDATE removed SET reopened = 5'],
    ['a row that is missing', "DELETE FROM incidents WHERE id = 'B'"],
    ['a tombstone that is missing', 'DELETE FROM removed'],
    [
      'a row too many',
      "INSERT INTO events SELECT id || 'x', t, type, session, agent, incident, facts, data, sum FROM events",
    ],
    ['a changed count', "UPDATE counts SET row_count = 1 WHERE id = 'incidents'"],
    ['a count that is missing', "DELETE FROM counts WHERE id = 'sessions'"],
    ['no counts', 'DROP TABLE counts'],
    ['a table that is missing', 'DROP TABLE events'],
    ['another layout', 'PRAGMA user_version = 2'],
    ['a layout to come', 'PRAGMA user_version = 99'],
  ])('with %s cannot be queried', (_, harm) => {
    expect(opens(harm)).toBe(false);
  });

  it('that is no database cannot be queried', () => {
    const path = join(folder(), 'harmed.sqlite');
    writeFileSync(path, 'this is not a database');
    const catalogue = createCatalogue(engine);
    expect(catalogue.open(path)).toBe(false);
    expect(catalogue.open(null)).toBe(true);
    catalogue.close();
  });
});
