import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AgentAdapter } from '../../../src/agents/adapter';
import { decodeFile, type Decoded } from '../../golden/support';
import { shared } from '../support/shared';

/** Files with this ending below a folder of the collected transcripts; none if the collection is absent. */
export function transcriptsBelow(ending: string, ...parts: string[]): readonly string[] {
  const folder = shared('transcripts', ...parts);
  if (folder === undefined) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(folder, file));
}

export interface Row {
  readonly file: string;
  readonly decoded: Decoded;
  readonly recognised: 'yes' | 'maybe' | 'no';
  readonly calls: number;
  readonly results: number;
  readonly failures: number;
  readonly usages: number;
  readonly compactions: number;
}

/** One row of the table of all files that an adapter reads. */
export async function rowOf(adapter: AgentAdapter, file: string): Promise<Row> {
  const decoded = await decodeFile(adapter, file);
  const count = (type: string): number => decoded.events.filter((event) => event.type === type).length;
  return {
    file,
    decoded,
    recognised: adapter.recognises(readFileSync(file, 'utf8').slice(0, 65_536), file),
    calls: count('tool_call'),
    results: count('tool_result'),
    failures: decoded.events.filter((event) => event.type === 'tool_result' && event.isError).length,
    usages: count('usage'),
    compactions: count('compaction'),
  };
}

export function printRows(rows: readonly Row[]): string {
  const head = ['events', 'seen', 'there', 'results', 'failed', 'usages', 'compacted', 'skipped'];
  const columns = (values: readonly (string | number)[]): string =>
    values.map((value) => String(value).padStart(10)).join('');
  return [
    'transcript'.padEnd(48) + columns(head),
    ...rows.map(
      (row) =>
        basename(row.file).slice(0, 46).padEnd(48) +
        columns([
          row.decoded.events.length,
          row.calls,
          row.decoded.marked,
          row.results,
          row.failures,
          row.usages,
          row.compactions,
          row.decoded.problems.length,
        ]),
    ),
  ].join('\n');
}

/** Ids of results that answer no earlier call, or answer one a second time. */
export function strayResults(decoded: Decoded): readonly string[] {
  const open = new Set<string>();
  const stray: string[] = [];
  for (const event of decoded.events) {
    if (event.type === 'tool_call') open.add(`${event.session} ${event.id}`);
    if (event.type === 'tool_result' && !open.delete(`${event.session} ${event.id}`)) stray.push(event.id);
  }
  return stray;
}
