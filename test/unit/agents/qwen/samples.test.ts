import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { qwen } from '../../../../src/agents/qwen/adapter';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const own = transcriptsBelow('.jsonl', 'qwen');
const fixtures = transcriptsBelow('.jsonl', 'public', 'fixtures-many-agents', 'jazzyalex-agent-sessions', 'qwen');
/** Fixtures of single records. */
const WITHOUT_CALLS = ['000000000002.jsonl', '000000000005.jsonl', '0000000003.jsonl'];

describe.skipIf(own.length === 0)('every collected Qwen Code transcript', () => {
  it('is understood to the last line, and each call in its bytes is seen', async () => {
    const rows: Row[] = [];
    for (const file of [...own, ...fixtures]) rows.push(await rowOf(qwen, file));
    console.log(printRows(rows));
    for (const row of rows) {
      const name = basename(row.file);
      expect(row.decoded.problems, name).toEqual([]);
      expect(strayResults(row.decoded), name).toEqual([]);
      expect(row.calls === 0, name).toBe(WITHOUT_CALLS.some((end) => name.endsWith(end)));
      expect(row.decoded.marked - row.calls, `calls of ${name} that were missed`).toBe(0);
      expect(row.recognised, name).toBe('yes');
    }
  });
});
