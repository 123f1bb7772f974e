import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atif } from '../../../../src/agents/atif/adapter';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const files = transcriptsBelow('.json', 'public', 'harbor-viewer');

describe.skipIf(files.length === 0)('every collected trajectory of the viewer', () => {
  it('is understood to its last step, and each call in its bytes is seen', async () => {
    const rows: Row[] = [];
    for (const file of files) rows.push(await rowOf(atif, file));
    console.log(printRows(rows));
    for (const row of rows) {
      const name = basename(row.file);
      expect(row.decoded.problems, name).toEqual([]);
      expect(strayResults(row.decoded), name).toEqual([]);
      expect(row.calls, name).toBeGreaterThan(0);
      expect(row.decoded.marked - row.calls, `calls of ${name} that were missed`).toBe(0);
      expect(row.recognised, name).toBe('yes');
    }
  });
});
