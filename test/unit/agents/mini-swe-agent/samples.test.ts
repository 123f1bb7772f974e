import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { miniSweAgent, miniSweAgentLog } from '../../../../src/agents/mini-swe-agent/adapter';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const logs = transcriptsBelow('.log', 'public', 'mini-swe-agent');
const documents = transcriptsBelow('.traj.json', 'public', 'fixtures-many-agents', 'mini-swe-agent');

describe.skipIf(logs.length === 0)('every collected mini-swe-agent run', () => {
  it('is understood to its last step, and each call in its bytes is seen', async () => {
    const rows: Row[] = [];
    for (const file of logs) rows.push(await rowOf(miniSweAgentLog, file));
    for (const file of documents) rows.push(await rowOf(miniSweAgent, file));
    console.log(printRows(rows));
    for (const row of rows) {
      const name = basename(row.file);
      expect(row.decoded.problems, name).toEqual([]);
      expect(strayResults(row.decoded), name).toEqual([]);
      expect(row.calls, name).toBeGreaterThan(0);
      expect(row.decoded.marked - row.calls, `calls of ${name} that were missed`).toBe(0);
    }
  });
});
