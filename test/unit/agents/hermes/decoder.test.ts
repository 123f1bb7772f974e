import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDecoder } from '../../../../src/agents/decoders';
import type { DatabaseSink, SessionHead } from '../../../../src/agents/decoder';
import { hermes } from '../../../../src/agents/hermes/adapter';
import { registry } from '../../../../src/agents/registry';
import type { AgentEvent, Problem } from '../../../../src/core/model';
import { recognise } from '../../../../src/engine/follow/recognise';
import { decodeFile, localSqlite } from '../../../golden/support';
import { only, types } from '../events';
import { strayResults, transcriptsBelow } from '../support';
import { databaseOfHermes, makeHermes, START } from './database';

const folder = mkdtempSync(join(tmpdir(), 'unstuck-hermes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const collected = transcriptsBelow('.jsonl', 'public', 'irrlicht', 'hermes');

describe.skipIf(collected.length === 0)('every collected session of Hermes', () => {
  it('shows each call in its rows, and its outcome', async () => {
    let [calls, failures] = [0, 0];
    for (const rows of collected) {
      const file = join(folder, 'state.db');
      const database = await databaseOfHermes(rows);
      writeFileSync(file, database.bytes());
      database.close();
      const decoded = await decodeFile(hermes, file);
      const name = basename(rows);
      expect(decoded.problems, name).toEqual([]);
      expect(strayResults(decoded), name).toEqual([]);
      expect(only(decoded.events, 'tool_call').length, name).toBe(decoded.marked);
      expect(only(decoded.events, 'tool_result').length, name).toBe(decoded.marked);
      expect(decoded.events.at(-1), name).toMatchObject({ type: 'turn_end', reason: 'done' });
      calls += decoded.marked;
      failures += only(decoded.events, 'tool_result').filter(({ isError }) => isError).length;
    }
    console.log(`Hermes: ${calls} calls in ${collected.length} sessions, ${failures} failed`);
    expect(failures).toBe(2);
  });
});

const call = (id: string, args: object, name = 'terminal') => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

function listener() {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const heads: SessionHead[] = [];
  let marked = 0;
  const sink: DatabaseSink = {
    event: (event) => void events.push(event),
    problem: (problem) => void problems.push(problem),
    wants: (head) => heads.push(head) > 0,
    read: (_, __, calls) => void (marked += calls),
  };
  return { events, problems, heads, sink, marked: () => marked };
}

function open() {
  const decoder = createDecoder(hermes, {
    file: '/home/u/.hermes/state.db',
    readSmall: () => undefined,
    sqlite: localSqlite,
  });
  if (decoder.unit !== 'database') throw new Error('no database');
  return decoder;
}

const asks = { role: 'user', content: 'build it', at: START + 1 };
const makes = { role: 'assistant', calls: [call('c1', { command: 'make' })], finish: 'tool_calls', at: START + 2 };
const fails = {
  role: 'tool',
  answers: 'c1',
  content: JSON.stringify({ output: 'no rule\nto make it', exit_code: 2, error: null }),
  at: START + 3,
};

describe('a database of Hermes', () => {
  it('is followed as rows are added, and shows a failed command by its exit code', async () => {
    const database = await makeHermes();
    const { events, problems, heads, sink, marked } = listener();
    const decoder = open();
    database.session({ id: 's1', cwd: '/work/app', title: 'Build it' });
    database.put('s1', asks, makes);
    await decoder.decode(database.bytes(), null, sink);
    database.put('s1', fails, { role: 'assistant', content: 'It fails.', finish: 'stop', at: START + 4 });
    database.session({ id: 's1', cwd: '/work/app', title: 'Build it', endReason: 'user_exit' });
    await decoder.decode(database.bytes(), null, sink);
    database.close();
    expect(problems).toEqual([]);
    expect(heads).toEqual([{ session: 's1', cwd: '/work/app', modifiedAt: (START + 2) * 1000 }]);
    expect(types(events)).toEqual([
      'session_info',
      'session_info',
      'user',
      'tool_call',
      'tool_result',
      'assistant',
      'turn_end',
      'session_end',
    ]);
    expect(only(events, 'tool_result')).toMatchObject([{ isError: true, exitCode: 2, output: 'no rule\nto make it' }]);
    expect(only(events, 'tool_call')).toMatchObject([{ command: 'make', source: { line: 2 } }]);
    expect(marked()).toBe(1);
  });

  it('shows a session that begins after the clock was set back', async () => {
    const database = await makeHermes();
    const { heads, sink } = listener();
    const decoder = open();
    database.session({ id: 's1', cwd: '/work/app' });
    database.put('s1', { ...asks, at: START + 3_600 });
    await decoder.decode(database.bytes(), null, sink);
    database.session({ id: 's2', cwd: '/work/app' });
    database.put('s2', asks);
    await decoder.decode(database.bytes(), null, sink);
    database.close();
    expect(heads.map(({ session }) => session)).toEqual(['s1', 's2']);
  });

  it('counts only once what a compaction writes again', async () => {
    const database = await makeHermes();
    const { events, sink, marked } = listener();
    const summary = { role: 'user', content: 'So far: make fails.', at: START + 9, isSummary: true };
    database.session({ id: 's1', cwd: '/work/app' });
    database.put('s1', asks, makes, fails, summary, makes, fails);
    await open().decode(database.bytes(), null, sink);
    database.close();
    expect(types(events).slice(2)).toEqual(['user', 'tool_call', 'tool_result', 'compaction']);
    expect(marked()).toBe(1);
  });

  it('names the parent of a sub-agent, not the session that another continues, and shows no report of its own as a prompt', async () => {
    const database = await makeHermes();
    const { events, sink } = listener();
    database.session({ id: 's1' });
    database.session({ id: 's2', parent: 's1', source: 'subagent' });
    database.session({ id: 's3', parent: 's1' });
    database.put('s1', { role: 'user', content: '[ASYNC DELEGATION BATCH COMPLETE — deleg_1]', at: START + 1 });
    database.put('s1', { role: 'user', content: 'go', at: START + 2 });
    database.put('s1', { role: 'user', content: 'It has ended.', display: 'process_complete', at: START + 3 });
    await open().decode(database.bytes(), null, sink);
    database.close();
    const parents = only(events, 'session_info').map(({ session, parent }) => [session, parent]);
    expect(parents.filter(([, parent]) => parent !== undefined)).toEqual([['s2', 's1']]);
    expect(only(events, 'user').map(({ automated }) => automated)).toEqual([true, false, true]);
  });

  it('shows what was denied, what is no tool, and what cannot be read', async () => {
    const database = await makeHermes(true);
    const { events, problems, sink } = listener();
    const denied = { output: '', exit_code: -1, error: 'BLOCKED: User denied this command.', status: 'blocked' };
    database.session({ id: 's1' });
    database.put(
      's1',
      { role: 'assistant', calls: [call('c1', { command: 'rm x' }), call('c2', {}, 'nothing')], at: START + 1 },
      { role: 'tool', answers: 'c1', content: JSON.stringify(denied), at: START + 2 },
      {
        role: 'tool',
        answers: 'c2',
        content: "Tool 'nothing' does not exist. Available tools: terminal",
        at: START + 3,
      },
      { role: 'assistant', calls: '[{"id": "c3", "arguments": ', at: START + 4 },
    );
    await open().decode(database.bytes(), null, sink);
    database.close();
    expect(only(events, 'tool_result')).toMatchObject([
      { isError: true, denied: 'user' },
      { isError: true, validation: { kind: 'unknown_tool', received: 'nothing' } },
    ]);
    expect(problems).toMatchObject([{ line: 4, call: true }]);
  });

  it('is distinguished from the database of Crush, even as a young file in its home', async () => {
    const database = await makeHermes();
    const head = Buffer.from(database.bytes()).subarray(0, 65_536).toString('latin1');
    database.close();
    expect(recognise(registry, head, '/data/state.db')?.id).toBe('hermes');
    expect(hermes.recognises('', '/home/u/.hermes/profiles/coder/state.db')).toBe('yes');
    expect(hermes.recognises('', '/data/state.db')).toBe('no');
    const [usual, profiles] = hermes.locate({ home: 'C:/Users/u', env: {}, platform: 'win32' });
    expect(usual?.path).toBe('C:/Users/u/AppData/Local/hermes');
    expect(profiles?.matches('coder/state.db')).toBe(true);
    expect(hermes.locate({ home: '/home/u', env: {}, platform: 'linux' })[0]?.path).toBe('/home/u/.hermes');
  });
});
