import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../../src/agents/codex/adapter';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const own = transcriptsBelow('.jsonl', 'codex');
const real = transcriptsBelow('.jsonl', 'public', 'codex');
const fixtures = transcriptsBelow('.jsonl', 'public', 'fixtures-many-agents', 'jazzyalex-agent-sessions', 'codex');

describe.skipIf(own.length === 0)('every collected Codex transcript', () => {
  it('is understood to the last line, and each call in its bytes is seen', async () => {
    const rows: Row[] = [];
    for (const file of [...own, ...real, ...fixtures]) rows.push(await rowOf(codex, file));
    console.log(printRows(rows));
    for (const row of rows) {
      const name = basename(row.file);
      expect(row.decoded.problems, name).toEqual([]);
      expect(strayResults(row.decoded), name).toEqual([]);
      // The only run without a call: six turns of prose.
      expect(row.calls > 0 || name === 'f_mono.jsonl', name).toBe(true);
      // A fixture whose author replaced all ids by one text: the same call again and again.
      expect(row.decoded.marked - row.calls, `calls of ${name} that were missed`).toBe(name === 'small.jsonl' ? 3 : 0);
      expect(row.recognised, name).toBe('yes');
    }
  });
});
