import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../../src/agents/pi/adapter';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const files = transcriptsBelow('.jsonl', 'public', 'fixtures-many-agents', 'jazzyalex-agent-sessions', 'pi');

describe.skipIf(files.length === 0)('every collected pi transcript', () => {
  it('is understood to the last line, and each call in its bytes is seen', async () => {
    const rows: Row[] = [];
    for (const file of files) rows.push(await rowOf(pi, file));
    console.log(printRows(rows));
    for (const row of rows) {
      const name = basename(row.file);
      expect(row.decoded.problems, name).toEqual([]);
      expect(strayResults(row.decoded), name).toEqual([]);
      expect(row.decoded.marked - row.calls, `calls of ${name} that were missed`).toBe(0);
      expect(row.recognised, name).toBe('yes');
    }
  });
});
