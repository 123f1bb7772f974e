import { expect, it } from 'vitest';
import type { DatabaseSink } from '../../../../src/agents/decoder';
import { createSessionsDecoder } from '../../../../src/agents/sqlite/sessions-decoder';
import type { SqlReader } from '../../../../src/agents/sqlite/reader';
import { fail, ok } from '../../../../src/base/util/result';

const HOUR = 3_600_000;
const T0 = 1_700_000_000_000;

it('a session that has been quiet for long and could not be read once is read with the next change of the database', async () => {
  const sqlite: SqlReader = { open: async () => ok({ rows: async () => ok([]), close: async () => undefined }) };
  const rows = [
    { row: 1, id: 'old', parent: undefined, title: '', updated: T0 },
    { row: 2, id: 'new', parent: undefined, title: '', updated: T0 + HOUR },
  ];
  const done: string[] = [];
  let isDamaged = true;
  const decoder = createSessionsDecoder(sqlite, {
    rowsOf: () => ({ sessions: async (since: number) => ok(rows.filter(({ updated }) => updated >= since)) }),
    cwdOf: () => '',
    follow: ({ id, updated }) => {
      let changedAt = 0;
      return {
        get changedAt() {
          return changedAt;
        },
        read: async () => {
          // The log was emptied between the reading of the database and that of its log.
          if (isDamaged) return fail('database disk image is malformed');
          changedAt = updated;
          done.push(id);
          return ok(undefined);
        },
      };
    },
    activeFor: HOUR / 2,
  });
  const problems: string[] = [];
  const sink = {
    wants: () => true,
    problem: ({ why }: { why: string }) => problems.push(why),
  } as unknown as DatabaseSink;
  const decode = () => decoder.decode(new Uint8Array(), null, sink);
  await decode();
  expect([done, problems]).toEqual([[], ['a session could not be read: database disk image is malformed']]);
  isDamaged = false;
  await decode();
  expect(done).toEqual(['old', 'new']);
  await decode();
  expect(done).toEqual(['old', 'new', 'new']);
});
