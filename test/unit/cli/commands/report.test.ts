import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../../src/cli/command-line';

const GOLDEN = join(__dirname, '../../../golden/fixtures');
let folder = '';
let store = '';

async function run(...args: string[]) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const output = {
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    isTerminal: false,
  };
  return { code: await runCommandLine(args, output, new Promise(() => {}), Readable.from([])), lines, notes };
}

const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unstuck-report-'));
  store = join(folder, 'store');
  const runs = ['claude-code/b-edit-pytest-interleaved.jsonl', 'codex/cm_b_edit_test.jsonl'];
  await run('scan', ...runs.map((name) => join(GOLDEN, name)), '--store', store);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first incident of an agent, as it is in the history. */
async function incidentOf(agent: string) {
  const [incident] = parsed((await run('recall', `agent:${agent}`, '--store', store, '--json')).lines);
  if (!incident) throw new Error(`no incident of ${agent}`);
  return incident;
}

describe('unstuck fixture', () => {
  it.each(['claude-code', 'codex'])('prints what raises the alarm of a real run of %s again', async (agent) => {
    const incident = await incidentOf(agent);
    const { code, lines, notes } = await run('fixture', String(incident['id']), '--store', store);
    expect(code).toBe(0);
    expect(notes.join('\n')).toMatch(/^Scanning the fixture raises .* again\./);
    // The output is what is saved: the shell only writes it into a file.
    const file = join(folder, `${agent}.agent.jsonl`);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    const found = parsed((await run('scan', file, '--json')).lines).filter(({ kind }) => kind === 'incident');
    const alarm = ({ detector, rule, level }: Record<string, unknown>) => ({ detector, rule, level });
    expect(found.map(alarm)).toContainEqual(alarm(incident));
    expect((await run('check', file)).code).toBe(0);
  });

  it('prints nothing and gives the reason if the incident cannot be reproduced', async () => {
    const lost = join(folder, 'lost.agent.jsonl');
    const lines = Array.from({ length: 70 }, (_, n) => {
      const t = new Date(Date.UTC(2026, 10, 20, 12) + n * 240_000).toISOString();
      const call = { v: 1, t, type: 'tool_call', id: `${n}`, name: 'bash', args: { command: `cat f${n}` } };
      return [call, { v: 1, t, type: 'tool_result', id: `${n}`, output: `text ${n}` }];
    }).flat();
    writeFileSync(lost, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const other = join(folder, 'other');
    await run('scan', lost, '--store', other);
    rmSync(lost);
    const [incident] = parsed((await run('recall', 'rule:max_runtime', '--store', other, '--json')).lines);
    const { code, lines: printed, notes } = await run('fixture', String(incident?.['id']), '--store', other);
    expect({ code, printed }).toEqual({ code: 1, printed: [] });
    expect(notes[0]).toMatch(/^unstuck fixture: The incident could not be reproduced: its transcript is gone/);
  });

  it('requires an incident that exists', async () => {
    expect((await run('fixture', '--store', store)).notes[0]).toContain('name one incident by its id');
    const { code, notes } = await run('fixture', '01J', '--store', store);
    expect({ code, notes }).toEqual({ code: 2, notes: ['unstuck fixture: the history has no incident "01J".'] });
  });
});

it('unstuck report prints Markdown; recall shows the id that it takes', async () => {
  const { lines: found } = await run('recall', 'agent:codex', '--store', store);
  const id = /\[(\w+)\]$/.exec(found[0] ?? '')?.[1] ?? '';
  const { code, lines } = await run('report', id, '--store', store);
  expect(code).toBe(0);
  expect(lines[0]).toMatch(/^# /);
  expect(lines).toContain('## Evidence');
});

it('recall describes in words how an incident ended, and in one line what was learned', async () => {
  const { lines } = await run('recall', 'stuck', 'npm', 'test', '--store', store);
  expect(lines.join('\n')).not.toMatch(/\((?:unknown|ended)[,)]/);
  expect(lines.join('\n')).toContain('(ended while stuck)');
  const learned = lines.find((line) => /^\S+ {2}learned /.test(line)) ?? '';
  expect(learned).toMatch(/ {2}\[\w+\]$/);
  // The rule, the task and the result appear once.
  expect(learned).not.toContain('Agent stuck:');
});
