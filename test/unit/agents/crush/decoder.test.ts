import { createDecoder } from '../../../../src/agents/decoders';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import initialise, { type Database } from 'sql.js';
import { describe, expect, it } from 'vitest';
import type { DatabaseSink } from '../../../../src/agents/decoder';
import { crush } from '../../../../src/agents/crush/adapter';
import type { AgentEvent, Problem } from '../../../../src/core/model';
import { decodeFile, localSqlite } from '../../../golden/support';
import { only, types } from '../events';
import { strayResults, transcriptsBelow } from '../support';

const collected = transcriptsBelow('.db', 'public', 'crush');

describe.skipIf(collected.length === 0)('every collected database of Crush', () => {
  it('shows each call in its rows, and its outcome', async () => {
    let [calls, failures, seen] = [0, 0, 0];
    for (const file of collected) {
      const decoded = await decodeFile(crush, file);
      const name = basename(file);
      expect(crush.recognises(readFileSync(file).subarray(0, 65_536).toString('utf8'), file), name).toBe('yes');
      expect(decoded.problems, name).toEqual([]);
      expect(strayResults(decoded), name).toEqual([]);
      expect(only(decoded.events, 'tool_call').length, name).toBe(decoded.marked);
      calls += decoded.marked;
      seen += only(decoded.events, 'tool_result').length;
      failures += only(decoded.events, 'tool_result').filter(({ isError }) => isError).length;
    }
    console.log(`Crush: ${calls} calls in ${collected.length} databases, ${seen} with an outcome, ${failures} failed`);
    expect(seen).toBeGreaterThanOrEqual(calls - 1);
    expect(failures).toBeGreaterThan(20);
  });
});

const wasm = readFileSync(join(__dirname, '../../../../node_modules/sql.js/dist/sql-wasm.wasm'));
const FILE = '/home/u/app/.crush/crush.db';

async function makeDatabase(): Promise<Database> {
  const { Database: Make } = await initialise({
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength),
  });
  const database = new Make();
  database.run(`CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER,
    prompt_tokens INTEGER, completion_tokens INTEGER, cost REAL, updated_at INTEGER, created_at INTEGER, summary_message_id TEXT)`);
  database.run(`CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER,
    updated_at INTEGER, finished_at INTEGER, provider TEXT)`);
  return database;
}

const START = 1_754_315_000;
const session = (database: Database, id: string, more: { parent?: string; tokens?: number; updated?: number } = {}) =>
  database.run('INSERT OR REPLACE INTO sessions VALUES (?,?,?,?,?,?,?,?,?,?)', [
    id,
    more.parent ?? null,
    'Fix it',
    1,
    more.tokens ?? 0,
    0,
    0,
    START + (more.updated ?? 0),
    START,
    null,
  ]);
const put = (database: Database, id: string, role: string, second: number, parts: readonly object[], of = 's1') =>
  database.run(
    'INSERT INTO messages VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET parts=excluded.parts, updated_at=excluded.updated_at',
    [
      id,
      of,
      role,
      JSON.stringify(parts),
      role === 'assistant' ? 'qwen' : '',
      START + second,
      START + second,
      null,
      null,
    ],
  );
const text = (words: string) => ({ type: 'text', data: { text: words } });
const call = (id: string, input: object | string, finished = true) => ({
  type: 'tool_call',
  data: { id, name: 'bash', input: typeof input === 'string' ? input : JSON.stringify(input), finished },
});
const result = (id: string, content: string, failed = false, metadata: object = {}) => ({
  type: 'tool_result',
  data: { tool_call_id: id, name: '', content, metadata: JSON.stringify(metadata), is_error: failed },
});
const finish = (reason: string, more: object = {}) => ({ type: 'finish', data: { reason, time: 0, ...more } });

function listener() {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  let marked = 0;
  const sink: DatabaseSink = {
    event: (event) => void events.push(event),
    problem: (problem) => void problems.push(problem),
    wants: () => true,
    read: (_, __, calls) => void (marked += calls),
  };
  return { events, problems, sink, marked: () => marked };
}

function open() {
  const decoder = createDecoder(crush, { file: FILE, readSmall: () => undefined, sqlite: localSqlite });
  if (decoder.unit !== 'database') throw new Error('no database');
  return decoder;
}

describe('a database of Crush', () => {
  it('shows each call of a server that uses their ids again, even within a second', async () => {
    const database = await makeDatabase();
    session(database, 's1');
    put(database, 'm1', 'user', 1, [text('test it'), finish('stop')]);
    for (const nth of [1, 2]) {
      put(database, `c${nth}`, 'assistant', 2, [call('call_0', { command: 'npm test' }), finish('tool_use')]);
      put(database, `r${nth}`, 'tool', 2, [result('call_0', `no ${nth}\n\nExit code 1`), finish('stop')]);
    }
    const { events, sink } = listener();
    await open().decode(database.export(), null, sink);
    database.close();
    expect(only(events, 'tool_call')).toHaveLength(2);
    expect(only(events, 'tool_result').map(({ output }) => output.slice(0, 4))).toEqual(['no 1', 'no 2']);
  });

  it('shows a failed command by the words at its end, and how long it took', async () => {
    const database = await makeDatabase();
    session(database, 's1', { tokens: 100 });
    put(database, 'm1', 'user', 1, [text('test it'), finish('stop')]);
    put(database, 'm2', 'assistant', 2, [text('I run it.'), call('c1', { command: 'npm test' }), finish('tool_use')]);
    const times = { start_time: 1_754_315_003_000, end_time: 1_754_315_005_500 };
    put(database, 'm3', 'tool', 5, [
      result('c1', 'no\n\nExit code 1\n\n<cwd>/home/u/app</cwd>', false, times),
      finish('stop'),
    ]);
    put(database, 'm4', 'assistant', 6, [text('It fails.'), finish('end_turn')]);
    const { events, problems, sink, marked } = listener();
    await open().decode(database.export(), null, sink);
    database.close();
    expect(problems).toEqual([]);
    expect(types(events)).toEqual([
      'session_info',
      'user',
      'session_info',
      'request',
      'assistant',
      'tool_call',
      'tool_result',
      'request',
      'assistant',
      'turn_end',
      'usage',
    ]);
    expect(only(events, 'session_info')[0]).toMatchObject({ cwd: '/home/u/app', title: 'Fix it' });
    expect(only(events, 'tool_result')[0]).toMatchObject({
      isError: true,
      exitCode: 1,
      durationMs: 2500,
      output: 'no\n\nExit code 1',
    });
    expect(marked()).toBe(1);
  });

  it('reports a row that is changed in place once, when it is complete', async () => {
    const database = await makeDatabase();
    const { events, sink, marked } = listener();
    const decoder = open();
    const read = () => decoder.decode(database.export(), null, sink);
    session(database, 's1');
    put(database, 'm1', 'user', 1, [text('go'), finish('stop')]);
    put(database, 'm2', 'assistant', 2, [text('I r'), call('c1', '{"comma', false)]);
    await read();
    expect(types(events)).toEqual(['session_info', 'user', 'session_info', 'request']);
    put(database, 'm2', 'assistant', 4, [text('I run it.'), call('c1', { command: 'ls' }), finish('tool_use')]);
    await read();
    await read();
    put(database, 'm3', 'tool', 5, [result('c1', 'a')]);
    await read();
    expect(types(events).slice(4)).toEqual(['assistant', 'tool_call', 'tool_result']);
    expect(only(events, 'tool_call')[0]).toMatchObject({ command: 'ls', source: { line: 2 } });
    expect(only(events, 'tool_call')[0]?.malformed).toBeUndefined();
    expect(marked()).toBe(1);
    database.close();
  });

  it('is read on after the clock was set back', async () => {
    const database = await makeDatabase();
    const { events, sink, marked } = listener();
    const decoder = open();
    const read = () => decoder.decode(database.export(), null, sink);
    session(database, 's1', { updated: 3600 });
    put(database, 'm1', 'user', 3600, [text('go'), finish('stop')]);
    put(database, 'm2', 'assistant', 3601, [call('c1', { command: 'ls' }), finish('tool_use')]);
    await read();
    put(database, 'm3', 'tool', 5, [result('c1', 'a')]);
    put(database, 'm4', 'assistant', 6, [text('Th')]);
    await read();
    put(database, 'm4', 'assistant', 7, [text('There it is.'), finish('end_turn')]);
    await read();
    expect(types(events).slice(-4)).toEqual(['tool_result', 'request', 'assistant', 'turn_end']);
    expect(marked()).toBe(1);
    database.close();
  });

  it('reports a call that its row holds twice once, as it was written last', async () => {
    const database = await makeDatabase();
    const { events, sink } = listener();
    session(database, 's1');
    put(database, 'm1', 'user', 1, [text('go')]);
    put(database, 'm2', 'assistant', 2, [call('c1', '{"comma'), call('c1', { command: 'ls' }), finish('tool_use')]);
    put(database, 'm3', 'tool', 3, [result('c1', 'a')]);
    await open().decode(database.export(), null, sink);
    database.close();
    expect(only(events, 'tool_call')).toMatchObject([{ id: 'c1', command: 'ls' }]);
    expect(only(events, 'tool_call')[0]?.malformed).toBeUndefined();
  });

  it('ends the turn if its user refuses a call, and at a failure of the model', async () => {
    const database = await makeDatabase();
    session(database, 's1');
    put(database, 'm1', 'user', 1, [text('go')]);
    put(database, 'm2', 'assistant', 2, [call('c1', { command: 'rm x' }), finish('permission_denied')]);
    put(database, 'm3', 'tool', 3, [result('c1', 'Permission denied', true)]);
    put(database, 'm4', 'user', 4, [text('go on')]);
    put(database, 'm5', 'assistant', 5, [finish('error', { message: 'API Error', details: '429 Too Many Requests' })]);
    const { events, sink } = listener();
    await open().decode(database.export(), null, sink);
    database.close();
    expect(only(events, 'tool_result')[0]).toMatchObject({ isError: true, denied: 'user' });
    expect(only(events, 'turn_end').map(({ reason }) => reason)).toEqual(['interrupted', 'error']);
    expect(only(events, 'error')[0]).toMatchObject({ kind: 'rate_limit' });
  });

  it('names a sub-agent after the call that started it', async () => {
    const database = await makeDatabase();
    session(database, 's1');
    session(database, 'c9', { parent: 's1' });
    put(database, 'm1', 'user', 1, [text('look')], 'c9');
    put(database, 'm2', 'assistant', 2, [text('seen'), finish('end_turn')], 'c9');
    const { events, sink } = listener();
    await open().decode(database.export(), null, sink);
    database.close();
    const own = events.filter((event) => event.session === 'c9');
    expect(own[0]).toMatchObject({ type: 'session_info', parent: 's1' });
    expect(own.at(-1)).toMatchObject({ type: 'session_end', reason: 'clean' });
  });

  it('reports one problem if it is not a database, and if a row is damaged', async () => {
    const database = await makeDatabase();
    session(database, 's1');
    database.run("INSERT INTO messages VALUES ('m1','s1','user','[{', '', 1, 1, 1, '')");
    const { problems, sink } = listener();
    const decoder = open();
    await decoder.decode(new Uint8Array([1, 2, 3]), null, sink);
    await decoder.decode(new Uint8Array([1, 2, 3]), null, sink);
    expect(problems).toHaveLength(1);
    await decoder.decode(database.export(), null, sink);
    await decoder.decode(database.export(), null, sink);
    expect(problems.map(({ why }) => why)[1]).toBe('a message whose parts are no JSON list');
    expect(problems).toHaveLength(2);
    database.run('DROP TABLE sessions');
    await decoder.decode(database.export(), null, sink);
    expect(problems[2]?.why).toBe('the sessions could not be read: no table of sessions as Crush writes it');
    database.close();
  });

  it('is recognised by its place, even while all of it is in its log', () => {
    expect(crush.recognises('', FILE)).toBe('yes');
    expect(crush.recognises('SQLite format 3\u0000', FILE)).toBe('yes');
    expect(crush.recognises('SQLite format 3\u0000', '/home/u/other.db')).toBe('no');
    expect(crush.recognises('text', FILE)).toBe('no');
  });
});
