import { describe, expect, it } from 'vitest';
import { checksumOf } from '../../../../src/history/checksum';
import { isIntact, looseRow, rowRecord, withSum } from '../../../../src/history/snapshot/rows';
import { T0, incident } from '../support/make';

const kept = { incident: incident({ id: 'A' }), stateAt: T0, mute: null };
const session = { agent: 'pi', session: 's', firstAt: 1, lastAt: 2 };
const event = { id: 'E', t: 1, type: 'Recovery', session: 's', agent: 'pi', data: {} };
const learning = {
  id: 'A',
  at: 1,
  session: 's',
  agent: 'pi',
  title: '',
  content: '',
  confidence: 'high',
  sourceTask: '',
  tags: [],
  state: 'recovered',
  tried: 'nudge',
};
const RECORDS = [
  ['incidents', kept, { k: 'incident', ...kept }],
  ['events', event, { k: 'event', event }],
  ['learnings', learning, { k: 'learning', learning }],
  ['sessions', session, { k: 'session', session }],
] as const;

describe('the record of a row', () => {
  it.each(RECORDS)('of %s is in its data', (table, value, record) => {
    expect(rowRecord(table, [JSON.stringify(value)])).toEqual(record);
    expect(rowRecord(table, ['{}'])).toBeUndefined();
    expect(rowRecord(table, ['no JSON'])).toBeUndefined();
  });

  it('of a removal is in its columns', () => {
    expect(rowRecord('removed', ['A', 5, 2])).toEqual({ k: 'remove', id: 'A', at: 5, reopened: 2 });
    expect(rowRecord('removed', ['A', null, 2])).toBeUndefined();
  });
});

describe('a checksum', () => {
  it('covers the data of a row, or all of its columns', () => {
    expect(withSum(['{"a":1}'])).toEqual(['{"a":1}', checksumOf('{"a":1}')]);
    expect(withSum(['A', 5])).toEqual(['A', 5, checksumOf('["A",5]')]);
    expect(withSum([5])).toEqual([5, checksumOf('[5]')]);
    expect(isIntact(['A', 5], checksumOf('["A",5]'))).toBe(true);
    expect(isIntact(['A', 6], checksumOf('["A",5]'))).toBe(false);
  });
});

describe('a row without its table', () => {
  const summed = (value: unknown) => {
    const data = JSON.stringify(value);
    return [data, checksumOf(data)];
  };

  it.each(RECORDS)('is a record of %s by its data, with or without columns and checksum', (_, value, record) => {
    const data = JSON.stringify(value);
    expect(looseRow(['A', 7, ...summed(value)])).toEqual({ record });
    expect(looseRow(summed(value))).toEqual({ record });
    // In the first layout, which has no checksums.
    expect(looseRow(['A', 7, data])).toEqual({ record });
    expect(looseRow(['A', 7, data, checksumOf(`${data} `)])).toBeUndefined();
    expect(looseRow(['A', 7, `[${data}]`, checksumOf(`[${data}]`)])).toBeUndefined();
  });

  it('is a tombstone by its three columns', () => {
    const record = { k: 'remove', id: 'A', at: 5, reopened: 2 };
    expect(looseRow(withSum(['A', 5, 2]))).toEqual({ record });
    expect(looseRow(['A', 5, 2])).toEqual({ record });
    expect(looseRow(['A', 5, 2, checksumOf('["A",5,3]')])).toBeUndefined();
    expect(looseRow(['A', null, 2])).toBeUndefined();
    expect(looseRow(['A', 5, 2, 1])).toBeUndefined();
  });

  it('is a count by its name, its number and its checksum', () => {
    expect(looseRow(withSum(['incidents', 7]))).toEqual({ table: 'incidents', count: 7 });
    expect(looseRow(['incidents', 7])).toBeUndefined();
    expect(looseRow(withSum<string | number>([7, 7]))).toBeUndefined();
    expect(looseRow(withSum<string | null>(['incidents', null]))).toBeUndefined();
    expect(looseRow(withSum<string | number>(['incidents', 1, 2, 7]))).toBeUndefined();
  });

  it('is nothing if it is empty, or of another kind', () => {
    for (const cells of [[], [null], ['text'], ['x'.repeat(16)], [`0${checksumOf('')}`], ['{"k":1}']])
      expect(looseRow(cells)).toBeUndefined();
  });
});
