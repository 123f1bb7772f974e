import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/agents/registry';
import { recognise } from '../../../src/engine/engine';
import { type Row, rowOf, transcriptsBelow } from './support';

/** Recorded beside transcripts, by the authors of a viewer for agents that have no adapter, or made from transcripts. */
const NO_TRANSCRIPT =
  /README|\.meta\.json$|flush-timing|hook-payloads|session-registry|example_model_output|\.rows\.jsonl$|\/fixtures-many-agents\/.*\/opencode\/|\/(?:antigravity|cursor|droid|grok|hermes|kimi|openclaw)\/|visualstudio-copilot|\/iflow\/|\/claude\/schema_drift|session\.json$|\/\d\.json$|duplicate-assistant-response|labels|\.csv$/;
const files = ['.jsonl', '.json', '.traj', '.log', '.md']
  .flatMap((ending) => transcriptsBelow(ending))
  .filter((file) => !NO_TRANSCRIPT.test(file));

describe.skipIf(files.length === 0)('all collected transcripts together', () => {
  it('are each read by an adapter, and none that holds calls is left without steps', async () => {
    const rows = new Map<string, Row[]>();
    const unknown: string[] = [];
    for (const file of files) {
      const adapter = recognise(registry, readFileSync(file, 'utf8').slice(0, 65_536), file);
      if (!adapter || adapter.unit === 'database') {
        unknown.push(file);
        continue;
      }
      const row = await rowOf(adapter, file);
      rows.set(adapter.id, [...(rows.get(adapter.id) ?? []), row]);
      if (row.decoded.marked > 0) expect(row.calls, file).toBeGreaterThan(0);
    }
    console.log(printTable(rows));
    expect(unknown.map((file) => basename(file))).toEqual([]);
  });
});

function printTable(rows: ReadonlyMap<string, readonly Row[]>): string {
  const columns = ['files', 'events', 'seen', 'there', 'failed', 'usages', 'compacted', 'skipped'];
  const line = (name: string, values: readonly (string | number)[]): string =>
    name.padEnd(16) + values.map((value) => String(value).padStart(10)).join('');
  return [
    line('agent', columns),
    ...[...rows].map(([agent, list]) => {
      const sum = (pick: (row: Row) => number): number => list.reduce((total, row) => total + pick(row), 0);
      return line(agent, [
        list.length,
        sum((row) => row.decoded.events.length),
        sum((row) => row.calls),
        sum((row) => Math.max(row.decoded.marked, row.calls)),
        sum((row) => row.failures),
        sum((row) => row.usages),
        sum((row) => row.compactions),
        sum((row) => row.decoded.problems.length),
      ]);
    }),
  ].join('\n');
}
