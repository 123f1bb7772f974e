import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sweAgent } from '../../../../src/agents/swe-agent/adapter';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const files = transcriptsBelow('.traj', 'public', 'swe-agent');

describe.skipIf(files.length === 0)('every collected SWE-agent trajectory', () => {
  it('is understood to its last step, and each call in its bytes is seen', async () => {
    const rows: Row[] = [];
    for (const file of files) rows.push(await rowOf(sweAgent, file));
    console.log(printRows(rows));
    for (const row of rows) {
      const name = basename(row.file);
      expect(row.decoded.problems, name).toEqual([]);
      expect(strayResults(row.decoded), name).toEqual([]);
      expect(row.calls, name).toBeGreaterThan(0);
      // The harness ended one run at its cost limit: its last step is no call.
      expect(row.decoded.marked - row.calls, `calls of ${name} that were missed`).toBe(name === 't0194.traj' ? 1 : 0);
      expect(row.recognised, name).toBe('yes');
    }
  });
});
