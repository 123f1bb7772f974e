import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copilot } from '../../../../src/agents/copilot/adapter';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const own = transcriptsBelow('.jsonl', 'copilot');
const fixtures = transcriptsBelow('.jsonl', 'public', 'fixtures-many-agents', 'jazzyalex-agent-sessions', 'copilot');

describe.skipIf(own.length === 0)('every collected Copilot CLI transcript', () => {
  it('is understood to the last line, and each call in its bytes is seen', async () => {
    const rows: Row[] = [];
    for (const file of [...own, ...fixtures]) rows.push(await rowOf(copilot, file));
    console.log(printRows(rows));
    for (const row of rows) {
      const name = basename(row.file);
      expect(row.decoded.problems, name).toEqual([]);
      expect(strayResults(row.decoded), name).toEqual([]);
      expect(row.calls, name).toBeGreaterThan(0);
      // A fixture with a call of a version that did not write when it started.
      expect(row.decoded.marked - row.calls, `calls of ${name} that were missed`).toBe(name === 'large.jsonl' ? -1 : 0);
      expect(row.recognised, name).toBe('yes');
    }
  });
});
