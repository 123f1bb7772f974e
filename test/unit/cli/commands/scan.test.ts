import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../../src/cli/command-line';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A transcript of these lines. Returns its path. */
function transcript(name: string, lines: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-scan-'));
  folders.push(folder);
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

async function run(...args: string[]) {
  const lines: string[] = [];
  const output = { line: (text: string) => void lines.push(text), note: () => {}, isTerminal: false };
  const code = await runCommandLine(args, output, new Promise(() => {}));
  return { code, lines };
}

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();

/** A session of Claude Code in this mode that ends in a call without a result, 2 s after noon. */
function claude(permissionMode: string, name: string, input: object, entrypoint = 'cli'): string {
  const sessionId = '11111111-0000-4000-8000-0000000000aa';
  const base = { isSidechain: false, sessionId, version: '2.1.62', cwd: '/home/dev/project', entrypoint };
  const content = [{ type: 'tool_use', id: 't1', name, input }];
  return transcript(`${sessionId}.jsonl`, [
    { ...base, uuid: 'u1', type: 'user', permissionMode, timestamp: at(1), message: { role: 'user', content: 'Go' } },
    {
      ...base,
      uuid: 'u2',
      type: 'assistant',
      timestamp: at(2),
      message: { id: 'm1', type: 'message', role: 'assistant', model: 'claude-opus-4-5', content },
    },
  ]);
}

/** A thread of Codex with this approval policy that ends in a call without a result, 2 s after noon. */
function codex(approval_policy: string, sandbox: string): string {
  const id = '01a1fa5a-0c22-7fe3-8e12-b68cba6a4921';
  const call = { type: 'function_call', name: 'shell', arguments: '{"command":["npm","publish"]}', call_id: 'c1' };
  return transcript(`rollout-2026-11-20T12-00-00-${id}.jsonl`, [
    { timestamp: at(0), type: 'session_meta', payload: { id, cwd: '/home/dev/project', source: 'cli' } },
    { timestamp: at(1), type: 'event_msg', payload: { type: 'task_started', turn_id: 't' } },
    {
      timestamp: at(1),
      type: 'turn_context',
      payload: { cwd: '/home/dev/project', approval_policy, sandbox_policy: { type: sandbox }, model: 'gpt-5.5' },
    },
    { timestamp: at(2), type: 'response_item', payload: call },
  ]);
}

async function stateAt(file: string, second: number) {
  const { lines } = await run('scan', file, '--json', '--now', at(second));
  const records = lines.map((line) => JSON.parse(line));
  const { state, for: what, probable } = records.find(({ kind }) => kind === 'file');
  return { state, for: what, probable, incidents: records.filter(({ kind }) => kind === 'incident').length };
}

const WAITS = { state: 'waiting', for: 'permission', probable: true, incidents: 0 };
const WORKS = { state: 'working', for: undefined, probable: undefined, incidents: 0 };

describe('scan of a call that was silent for a given time', () => {
  const publish = { command: 'npm publish', description: 'Publish' };

  it.each([
    ['default', 21, WORKS],
    ['default', 23, WAITS],
    ['acceptEdits', 23, WAITS],
    ['bypassPermissions', 600, WORKS],
    ['auto', 600, WORKS],
  ])('Claude Code in the mode %s, a command, second %i: %o', async (mode, second, expected) => {
    expect(await stateAt(claude(mode, 'Bash', publish), second)).toEqual(expected);
  });

  it('Claude Code: an edit needs permission in the default mode, and none if edits are accepted', async () => {
    const edit = { file_path: '/home/dev/project/a.ts', old_string: 'a', new_string: 'b' };
    expect(await stateAt(claude('default', 'Edit', edit), 30)).toEqual(WAITS);
    expect(await stateAt(claude('acceptEdits', 'Edit', edit), 30)).toEqual(WORKS);
  });

  it('Claude Code without a person asks no one', async () => {
    expect(await stateAt(claude('default', 'Bash', publish, 'sdk-cli'), 30)).toEqual(WORKS);
  });

  it.each([
    ['untrusted', 'workspace-write', WAITS],
    ['on-request', 'workspace-write', WORKS],
    ['on-request', 'read-only', WORKS],
    ['never', 'danger-full-access', WORKS],
  ])('Codex with the policy %s in %s: %o', async (policy, sandbox, expected) => {
    expect(await stateAt(codex(policy, sandbox), 30)).toEqual(expected);
  });

  it('puts it in words, and says that it is a guess', async () => {
    const { lines } = await run('scan', claude('default', 'Bash', publish), '--now', at(30));
    expect(lines[0]).toMatch(/ {2}waiting \(permission, probably\)$/);
  });
});

describe('scan of a moment before the last record', () => {
  const make = { type: 'tool_call', name: 'bash', args: { command: 'make' } };
  const failing = (index: number) => [
    { v: 1, t: at(2 * index), ...make, id: `c${index}` },
    { v: 1, t: at(2 * index + 1), type: 'tool_result', id: `c${index}`, output: 'no rule', isError: true },
  ];
  const looping = [0, 1, 2, 3, 4].flatMap(failing);

  it('shows nothing that was recorded later', async () => {
    const file = transcript('loop.agent.jsonl', [...looping, { v: 1, t: at(20), type: 'turn_end', reason: 'done' }]);
    expect(await stateAt(file, 3)).toEqual(WORKS);
    expect(await stateAt(file, 9)).toMatchObject({ state: 'stuck', incidents: 1 });
    expect(await stateAt(file, 20)).toMatchObject({ state: 'waiting', for: 'turn_end' });
  });

  it('counts no line and no call that came later', async () => {
    const { lines } = await run('scan', transcript('loop.agent.jsonl', looping), '--json', '--now', at(3));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ lines: 4, actions: 2 });
  });

  it('misses no call of a document, whose records are all in one text', async () => {
    const step = (index: number) => ({
      step_id: index + 2,
      timestamp: at(index + 2),
      source: 'agent',
      message: 'On it.',
      tool_calls: [{ tool_call_id: `c${index}`, function_name: 'bash', arguments: { command: `ls ${index}` } }],
      observation: { results: [{ source_call_id: `c${index}`, content: `file ${index}` }] },
    });
    const agent = { name: 'terminus', version: '1' };
    const asked = { step_id: 1, timestamp: at(1), source: 'user', message: 'List the files' };
    const steps = [asked, step(0), step(1), step(2), step(3)];
    const file = transcript('trajectory.json', [{ schema_version: 'ATIF-v1.6', session_id: 's', agent, steps }]);
    expect(await stateAt(file, 1)).toEqual(WORKS);
  });
});

describe('scan of an answer without a call', () => {
  it('leaves the move to Cline’s extension, whose turns all end with a question or a claim', async () => {
    const entry = (second: number, say: string, text: string) => ({
      ts: Date.parse(at(second)),
      type: 'say',
      say,
      text,
    });
    const begun = [
      entry(0, 'text', 'Fix the cart'),
      entry(0, 'api_req_started', '{}'),
      entry(2, 'text', 'I look at it.'),
    ];
    const file = (entries: readonly object[]) => transcript('ui_messages.json', [entries]);
    expect(await stateAt(file(begun), 30)).toEqual(WORKS);
    const done = [...begun, entry(9, 'completion_result', 'The cart is fixed.')];
    expect(await stateAt(file(done), 30)).toMatchObject({ state: 'waiting', for: 'turn_end' });
  });
});

describe('scan', () => {
  it('shows people the counts; how often such an alert is right is in --json only', async () => {
    const begin = Date.parse('2026-11-20T12:00:00Z');
    const file = transcript(
      'one.agent.jsonl',
      Array.from({ length: 5 }, (_, index) => [
        { v: 1, t: begin + index * 2000, type: 'tool_call', id: `c${index}`, name: 'bash', args: { command: 'make' } },
        { v: 1, t: begin + index * 2000, type: 'tool_result', id: `c${index}`, output: 'no rule', isError: true },
      ]).flat(),
    );
    const { lines } = await run('scan', file);
    expect(lines[1]).toBe('  stuck repeating_action  warned at line 6, stuck at line 8, still open  (counted)');
    const [incident] = (await run('scan', file, '--json')).lines.map((line) => JSON.parse(line));
    expect(incident).toMatchObject({ kind: 'incident', certainty: 'counted', confidence: 1 });
  });
});
