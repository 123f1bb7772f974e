import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gemini, geminiDocument } from '../../../../src/agents/gemini/adapter';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const viewer = ['public', 'fixtures-many-agents', 'jazzyalex-agent-sessions', 'gemini'];
const lines = [
  ...transcriptsBelow('.jsonl', 'gemini'),
  ...transcriptsBelow('.jsonl', 'public', 'gemini-cli'),
  ...transcriptsBelow('.jsonl', ...viewer),
];
const documents = [
  ...transcriptsBelow('.json', 'public', 'fixtures-many-agents', 'gemini-cli-native'),
  ...transcriptsBelow('.json', ...viewer),
];
/** Runs and fixtures without a tool call. */
const WITHOUT_CALLS = ['f_mono.jsonl', 'loop_chant.jsonl', 'schema_drift.json', 'small.json'];

describe.skipIf(lines.length === 0)('every collected Gemini CLI transcript', () => {
  it('is understood to the last line, and each call in its bytes is seen', async () => {
    const rows: Row[] = [];
    for (const file of lines) rows.push(await rowOf(gemini, file));
    for (const file of documents) rows.push(await rowOf(geminiDocument, file));
    console.log(printRows(rows));
    for (const row of rows) {
      const name = basename(row.file);
      expect(row.decoded.problems, name).toEqual([]);
      expect(strayResults(row.decoded), name).toEqual([]);
      expect(row.calls === 0, name).toBe(WITHOUT_CALLS.includes(name));
      expect(row.decoded.marked - row.calls, `calls of ${name} that were missed`).toBe(0);
      expect(row.recognised, name).toBe(name === 'schema_drift.json' ? 'maybe' : 'yes');
    }
  });
});
