import { systemClock } from '../../../src/base/clock';
import { silentLog } from '../../../src/base/util/log';
import { openStore } from '../../../src/history';
import { T0, incident } from '../history/support/incidents';
import { WASM } from '../history/support/make';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line';
import * as fleet from '../../../src/fleet/bundle';
import type { RelayNews } from '../../../src/fleet/connection/run-relay';
import { schemaProblem } from '../../../src/base/schema/json-schema';
import { RECORDED_AGENT_IDS, PRESETS } from '../../../src/core/model';
import { PATIENCE } from '../../support/patience';

type Record_ = Readonly<Record<string, unknown>>;
const read = (path: string) => readFileSync(join(__dirname, '../../..', path), 'utf8');
const schema = JSON.parse(read('docs/records.schema.json')) as {
  readonly $defs: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  readonly properties: { readonly kind: { readonly enum: readonly string[] } };
};
/** Kinds of records that a command has printed here. */
const seen = new Set<unknown>();
let folder = '';
let loop = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unstuck-records-'));
  mkdirSync(join(folder, 'w'));
  loop = join(folder, 'w', 'loop.agent.jsonl');
  const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
  const step = (index: number, command: string, output: string, isError: boolean) => [
    { v: 1, t: at(index * 10), session: 's', type: 'tool_call', id: `${index}`, name: 'bash', args: { command } },
    { v: 1, t: at(index * 10 + 5), session: 's', type: 'tool_result', id: `${index}`, output, isError },
  ];
  const lines = [
    { v: 1, t: at(0), session: 's', type: 'user', text: 'Build x' },
    ...Array.from({ length: 6 }, (_, index) => step(index, 'make x', 'error: no rule to make x', true)).flat(),
    { v: 1, t: at(90), session: 's', type: 'session_end', reason: 'clean' },
  ];
  const blind = { name: 'edit_file', args: { path: 'src/a.ts', old_str: 'a', new_str: 'b' } };
  const unread = [
    { v: 1, t: at(0), session: 's', type: 'user', text: 'Fix the prices' },
    { v: 1, t: at(1), session: 's', type: 'tool_call', id: 'e', ...blind },
    { v: 1, t: at(2), session: 's', type: 'tool_result', id: 'e', output: 'edited', isError: false },
  ];
  writeFileSync(join(folder, 'w', 'unread.agent.jsonl'), unread.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const nearly = [...step(0, 'make y', 'error: no rule', true), ...step(1, 'make y', 'error: no rule', true)];
  writeFileSync(join(folder, 'w', 'near.agent.jsonl'), nearly.map((line) => `${JSON.stringify(line)}\n`).join(''));
  writeFileSync(loop, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record_);

async function records(args: readonly string[], stopped = new Promise<void>(() => {}), lines: string[] = []) {
  const notes: string[] = [];
  const output = {
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    isTerminal: false,
  };
  await runCommandLine([...args, '--json'], output, stopped, Readable.from([]));
  return { lines: parsed(lines), notes };
}

/** Checks that every record fits its schema; returns the kinds in order, each once. */
function kindsOf(lines: readonly Record_[]): unknown[] {
  for (const line of lines) {
    expect(schemaProblem(line, schema), JSON.stringify(line)).toBeNull();
    seen.add(line['kind']);
  }
  return [...new Set(lines.map(({ kind }) => kind))];
}

/** A history that has the learning of an incident, but not its end. */
async function unfinished(): Promise<string> {
  const path = join(folder, 'unfinished');
  const store = await openStore({
    folder: path,
    wasm: WASM,
    clock: systemClock,
    window: 'w',
    log: silentLog,
    settleMs: 0,
  });
  await store.save(incident({ state: 'unknown', resolvedAt: T0 + 900_000, cleared: 'different_result' }));
  await store.close();
  return path;
}

describe('records of --json fit docs/records.schema.json', () => {
  it('of scan, and of a file that is no transcript', async () => {
    const { lines } = await records(['scan', join(folder, 'w'), '--why']);
    expect(kindsOf(lines)).toEqual(expect.arrayContaining(['incident', 'hint', 'near_miss', 'file', 'total']));
    const hinted = lines.filter(({ file }) => String(file).endsWith('unread.agent.jsonl'));
    expect(hinted).toMatchObject([
      { kind: 'hint', detector: 'premature_action', level: 'warn', certainty: 'guessed', firstLine: 2 },
      { kind: 'file', incidents: 0 },
    ]);
    const poem = join(folder, 'poem.txt');
    writeFileSync(poem, 'A rose is a rose.\n');
    expect(kindsOf((await records(['scan', loop, poem])).lines)).toContain('file');
  });

  it('of check', async () => {
    const broken = join(folder, 'broken.jsonl');
    writeFileSync(broken, '{"v":1}\n');
    expect(kindsOf((await records(['check', broken])).lines)).toEqual(['problem', 'check']);
  });

  it('of backtest, and of an alarm that it explains', async () => {
    const { lines } = await records(['backtest', loop]);
    expect(kindsOf(lines)).toEqual(['backtest', 'alarm', 'total']);
    const id = String(lines.find(({ kind }) => kind === 'alarm')?.['id']);
    expect(kindsOf((await records(['backtest', loop, '--explain', id])).lines)).toEqual(['explanation']);
  });

  it('of the history: recall, events, stats, report, fixture', async () => {
    const store = join(folder, 'store');
    await records(['scan', loop, '--store', store]);
    expect(existsSync(store)).toBe(true);
    const found = await records(['recall', 'make', '--store', store]);
    expect(kindsOf(found.lines)).toEqual(expect.arrayContaining(['incident', 'learning']));
    expect(kindsOf((await records(['events', '--store', store])).lines)).toEqual(['event']);
    expect(kindsOf((await records(['events', '--check', '--store', store])).lines)).toEqual([]);
    expect(kindsOf((await records(['events', '--check', '--store', await unfinished()])).lines)).toEqual([
      'contradiction',
    ]);
    expect(kindsOf((await records(['stats', '--store', store])).lines)).toEqual(['statistics']);
    const id = String(found.lines.find(({ kind }) => kind === 'incident')?.['id']);
    expect(kindsOf((await records(['report', id, '--store', store])).lines)).toEqual(['report']);
    expect(kindsOf((await records(['fixture', id, '--store', store])).lines)).toEqual(['fixture']);
  });

  it('of the inbox', async () => {
    const own = ['--folder', folder, '--session', 's'];
    const sent = await records(['inbox', 'send', ...own, 'Read', 'the', 'error.']);
    expect(kindsOf(sent.lines)).toEqual(['delivery']);
    expect(kindsOf((await records(['inbox', 'list', ...own])).lines)).toEqual(['delivery']);
    expect(kindsOf((await records(['inbox', 'take', ...own])).lines)).toEqual(['message']);
    const again = await records(['inbox', 'send', ...own, 'And', 'again.']);
    const { id } = (again.lines[0]?.['message'] ?? {}) as { id?: string };
    expect(kindsOf((await records(['inbox', 'withdraw', ...own, String(id)])).lines)).toEqual(['withdrawn']);
  });

  it('of discover, and of watch', async () => {
    expect(kindsOf((await records(['discover', join(folder, 'w')])).lines)).toEqual(['agent', 'total']);
    let stop = () => {};
    const printed: string[] = [];
    const watching = records(['watch', join(folder, 'w')], new Promise((resolve) => (stop = resolve)), printed);
    await vi.waitFor(() => expect(parsed(printed).map(({ kind }) => kind)).toContain('state'), PATIENCE);
    stop();
    expect(kindsOf((await watching).lines)).toContain('state');
  });

  it('of run, on standard error', async () => {
    const notes: string[] = [];
    const output = { line: () => {}, note: (text: string) => void notes.push(text), isTerminal: false };
    const args = ['run', '--agent', 'generic', '--session', 's', '--folder', folder, '--json'];
    await runCommandLine([...args, '--', process.execPath, '-e', '0'], output, Promise.resolve());
    expect(kindsOf(parsed(notes))).toEqual(['supervisor']);
  });

  it('of fleet, and of relay', async () => {
    const lines: string[] = [];
    const output = { line: (text: string) => void lines.push(text), note: () => undefined, isTerminal: false };
    const news: readonly RelayNews[] = [
      { kind: 'connected', server: 'box:4222', machine: 'alpha' },
      { kind: 'disconnected', failure: { problem: 'unreachable', detail: '' } },
      { kind: 'state', state: 'standby' },
    ];
    // Its output without a server.
    const runRelay: typeof fleet.runRelay = async ({ onNews }) => {
      for (const one of news) onNews(one);
      return null;
    };
    const run = (...words: string[]) =>
      runCommandLine([...words, '--json'], output, Promise.resolve(), Readable.from([]), () => ({
        ...fleet,
        runRelay,
      }));
    const made = join(folder, 'fleet');
    await run('fleet', 'init', made, '--machines', 'alpha', '--viewers', 'me');
    await run('relay', folder, '--servers', 'tls://127.0.0.1', '--creds', join(made, 'alpha.creds'));
    expect(kindsOf(parsed(lines))).toEqual(['fleet', 'relay']);
  });

  it('include each kind in the schema', () => {
    expect(new Set(schema.properties.kind.enum)).toEqual(seen);
  });
});

describe('the schema itself', () => {
  it('names the existing agents and presets', () => {
    expect([...(schema.$defs['agentId']?.enum ?? [])].sort()).toEqual([...RECORDED_AGENT_IDS].sort());
    expect(schema.$defs['preset']?.enum).toEqual(PRESETS);
  });

  it('rejects what is no record, or lacks a field', () => {
    expect(schemaProblem({ kind: 'party' }, schema)).not.toBeNull();
    expect(schemaProblem({ kind: 'withdrawn' }, schema)?.error).toBe('"id" is missing');
    expect(schemaProblem({ kind: 'withdrawn', id: 'x', more: 1 }, schema)?.error).toBe('"more" is not a field of it');
  });

  it('has each kind in docs/command-line.md', () => {
    const page = read('docs/command-line.md');
    for (const kind of schema.properties.kind.enum) expect(page).toContain(`\`${kind}\``);
  });
});
