import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentAdapter } from '../../../src/agents/adapter';
import { copilot } from '../../../src/agents/copilot/adapter';
import { gemini, geminiDocument } from '../../../src/agents/gemini/adapter';
import { miniSweAgent, miniSweAgentLog } from '../../../src/agents/mini-swe-agent/adapter';
import { pi } from '../../../src/agents/pi/adapter';
import { qwen } from '../../../src/agents/qwen/adapter';
import { sweAgent } from '../../../src/agents/swe-agent/adapter';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from './support';

const many = (...parts: string[]) => ['public', 'fixtures-many-agents', ...parts];
const viewer = (agent: string) => many('jazzyalex-agent-sessions', agent);

/** Each adapter with the ending and the folders of its transcripts. */
const COLLECTED: readonly (readonly [AgentAdapter, ending: string, folders: readonly (readonly string[])[]])[] = [
  [copilot, '.jsonl', [['copilot'], viewer('copilot')]],
  [gemini, '.jsonl', [['gemini'], ['public', 'gemini-cli'], viewer('gemini')]],
  [geminiDocument, '.json', [many('gemini-cli-native'), viewer('gemini')]],
  [miniSweAgentLog, '.log', [['public', 'mini-swe-agent']]],
  [miniSweAgent, '.traj.json', [many('mini-swe-agent')]],
  [pi, '.jsonl', [viewer('pi')]],
  [qwen, '.jsonl', [['qwen'], viewer('qwen')]],
  [sweAgent, '.traj', [['public', 'swe-agent']]],
];
/** Runs without a call, and fixtures of single records. */
const WITHOUT_CALLS =
  /^(?:gemini-cli (?:f_mono\.jsonl|loop_chant\.jsonl|schema_drift\.json|small\.json)|pi small\.jsonl|qwen-code .*0{9}[235]\.jsonl)$/;
/** Files whose head does not show their agent beyond doubt. */
const MAYBE = /^(?:gemini-cli schema_drift\.json|mini-swe-agent .*\.agent\.log)$/;
/** Calls in the bytes beyond those that are seen. */
const MISSED: Readonly<Record<string, number>> = {
  // A fixture with a call of a version that did not write when it started.
  'copilot-cli large.jsonl': -1,
  // The harness ended this run at its cost limit: its last step is no call.
  'swe-agent t0194.traj': 1,
};

describe.each(COLLECTED)('the collected transcripts of $id', (adapter, ending, folders) => {
  const files = folders.flatMap((folder) => transcriptsBelow(ending, ...folder));

  it.skipIf(files.length === 0)('are understood to the last line, and each call in their bytes is seen', async () => {
    const rows: Row[] = [];
    for (const file of files) rows.push(await rowOf(adapter, file));
    console.log(printRows(rows));
    for (const { file, decoded, calls, recognised } of rows) {
      const name = `${adapter.id} ${basename(file)}`;
      expect(decoded.problems, name).toEqual([]);
      expect(strayResults(decoded), name).toEqual([]);
      expect(calls === 0, name).toBe(WITHOUT_CALLS.test(name));
      expect(decoded.marked - calls, `calls of ${name} that were missed`).toBe(MISSED[name] ?? 0);
      expect(MAYBE.test(name) ? ['yes', 'maybe'] : ['yes'], name).toContain(recognised);
    }
  });
});
