import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AgentAdapter } from '../../../src/agents/adapter';
import { crush } from '../../../src/agents/crush/adapter';
import { hermes } from '../../../src/agents/hermes/adapter';
import { opencode } from '../../../src/agents/opencode/adapter';
import { registry } from '../../../src/agents/registry';
import { recognise } from '../../../src/engine/follow/recognise';
import { shared } from '../support/shared';
import { databaseOfHermes } from './hermes/database';
import { databaseOf, readRows } from './opencode/database';
import { type Row, rowOf, transcriptsBelow } from './support';

/** Files recorded beside transcripts, made by the authors of a viewer for agents that have no adapter, or derived from transcripts. */
const NO_TRANSCRIPT =
  /README|\.meta\.json$|flush-timing|hook-payloads|session-registry|example_model_output|\.rows\.jsonl$|\/fixtures-many-agents\/.*\/opencode\/|\/(?:grok|hermes|openclaw)\/|stream_json_|settings\.json$|cursor\/schema_drift|visualstudio-copilot|\/iflow\/|\/claude\/schema_drift|session\.json$|(?:^|[./])state\.json$|\/context\.jsonl$|\/kiro\/[^/]*\.json$|antigravity\/small\.md$|\/\d\.json$|duplicate-assistant-response|labels|\.csv$|\/vscode-chat\/.*\/hooks\.jsonl$/;
/** Folders of agents that have no adapter, and of Continue, of which only chats without a call are collected. */
const NO_ADAPTER = /\/(?:amp|continue|repairagent)\//;
const files = ['.jsonl', '.json', '.traj', '.log', '.md']
  .flatMap((ending) => transcriptsBelow(ending))
  .filter((file) => !NO_TRANSCRIPT.test(file) && !NO_ADAPTER.test(file));
/** Runs of other agents, converted into the generic form: the collection has none of its own. */
const GENERIC = /^(?:aider|ra_|t)\w+\.agent\.jsonl$/;
const GENERIC_FILES = 40;
/**
 * Minimum share of the calls in the raw bytes that are decoded. SWE-agent's last step is no call if the harness ended the run, an answer of
 * mini-swe-agent may contain no command, and one file of Codex, written by hand, has calls without an id (docs/agents.md). Lines of Antigravity are
 * damaged, and one file of Kimi ends while two calls are being written.
 */
const SEEN_AT_LEAST: Readonly<Record<string, number>> = {
  codex: 0.99,
  'swe-agent': 0.9,
  'mini-swe-agent': 0.9,
  antigravity: 0.99,
  kimi: 0.98,
};

const COLUMNS = ['files', 'events', 'seen', 'there', 'failed', 'usages', 'compacted', 'skipped'] as const;
type Sums = Readonly<Record<(typeof COLUMNS)[number], number>>;

const made = mkdtempSync(join(tmpdir(), 'unstuck-table-'));
afterAll(() => rmSync(made, { recursive: true, force: true }));

async function databaseFile(rows: string, isHermes = false): Promise<string> {
  const database = isHermes ? await databaseOfHermes(rows) : await databaseOf(readRows(rows));
  const path = join(made, basename(rows).replace(/(?:\.rows)?\.jsonl$/, '.db'));
  writeFileSync(path, database.bytes());
  database.close();
  return path;
}

function genericFiles(): readonly string[] {
  const folder = shared('eval', 'dev');
  if (folder === undefined) return [];
  return transcriptsBelow('.agent.jsonl', '..', 'eval', 'dev')
    .filter((file) => GENERIC.test(basename(file)))
    .slice(0, GENERIC_FILES);
}

describe.skipIf(files.length === 0)('all collected transcripts together', async () => {
  /** Rows by agent, then by the form in which it writes. */
  const rows = new Map<string, Map<AgentAdapter, Row[]>>();
  const unknown: string[] = [];
  const add = async (adapter: AgentAdapter, file: string) => {
    const forms = rows.get(adapter.id) ?? new Map<AgentAdapter, Row[]>();
    rows.set(adapter.id, forms.set(adapter, [...(forms.get(adapter) ?? []), await rowOf(adapter, file)]));
  };
  for (const file of [...files, ...(files.length > 0 ? genericFiles() : [])]) {
    const adapter = recognise(registry, readFileSync(file, 'utf8').slice(0, 65_536), file);
    if (!adapter || adapter.unit === 'database') unknown.push(basename(file));
    else await add(adapter, file);
  }
  for (const file of transcriptsBelow('.rows.jsonl', 'opencode')) await add(opencode, await databaseFile(file));
  for (const file of transcriptsBelow('.jsonl', 'public', 'irrlicht', 'hermes'))
    await add(hermes, await databaseFile(file, true));
  // An agent without collected transcripts has its transcript among the golden ones. (What is skipped is still read up to here.)
  for (const adapter of files.length > 0 ? registry : []) {
    const folder = join(__dirname, '../../golden/fixtures', adapter.id);
    if (rows.has(adapter.id) || !existsSync(folder)) continue;
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      await add(adapter, name.endsWith('.rows.jsonl') ? await databaseFile(file) : file);
    }
  }
  for (const file of transcriptsBelow('.db', 'public', 'crush')) await add(crush, file);
  const formsOf = (id: string): readonly (readonly [AgentAdapter, readonly Row[]])[] => [...(rows.get(id) ?? [])];

  it('are printed as a table', () => {
    console.log(`\n${printTable(formsOf)}\n`);
    expect(unknown).toEqual([]);
  });

  const ids = [...new Set(registry.map((adapter) => adapter.id))];

  it.each(ids)('%s: no form of its transcripts is without steps', (id) => {
    const forms = formsOf(id);
    expect(forms.length, 'no transcript of it is collected').toBeGreaterThan(0);
    for (const [adapter, list] of forms) {
      const sums = sumsOf(list);
      expect(sums.seen, `${adapter.id}, ${adapter.unit}`).toBeGreaterThan(0);
      expect(sums.seen / sums.there, `${adapter.id}, ${adapter.unit}`).toBeGreaterThanOrEqual(SEEN_AT_LEAST[id] ?? 1);
      for (const row of list) if (row.decoded.marked > 0) expect(row.calls, row.file).toBeGreaterThan(0);
    }
  });
});

function sumsOf(list: readonly Row[]): Sums {
  const sum = (pick: (row: Row) => number): number => list.reduce((total, row) => total + pick(row), 0);
  return {
    files: list.length,
    events: sum((row) => row.decoded.events.length),
    seen: sum((row) => row.calls),
    there: sum((row) => Math.max(row.decoded.marked, row.calls)),
    failed: sum((row) => row.failures),
    usages: sum((row) => row.usages),
    compacted: sum((row) => row.compactions),
    skipped: sum((row) => row.decoded.problems.length),
  };
}

function printTable(formsOf: (id: string) => readonly (readonly [AgentAdapter, readonly Row[]])[]): string {
  const line = (name: string, values: readonly (string | number)[]): string =>
    name.padEnd(26) + values.map((value) => String(value).padStart(10)).join('');
  const lines = [line('agent', COLUMNS)];
  for (const id of new Set(registry.map((adapter) => adapter.id))) {
    const forms = formsOf(id);
    if (forms.length === 0) lines.push(`${id.padEnd(26)}  no transcript of it was found`);
    for (const [adapter, list] of forms) {
      const sums = sumsOf(list);
      const name = forms.length > 1 ? `${id} (${adapter.unit})` : id;
      lines.push(
        line(
          name,
          COLUMNS.map((column) => sums[column]),
        ),
      );
    }
  }
  return lines.join('\n');
}
