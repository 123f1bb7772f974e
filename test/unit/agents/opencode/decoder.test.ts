import { createDecoder } from '../../../../src/agents/decoders';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionHead } from '../../../../src/agents/decoder';
import { opencode, opencodeExport, opencodeStream } from '../../../../src/agents/opencode/adapter';
import type { AgentEvent, Problem } from '../../../../src/core/model';
import { localSqlite } from '../../../golden/support';
import { fc, test } from '../shared/property';
import { type DumpedRow, databaseOf, makeDatabase, readRows } from './database';

const folder = join(__dirname, '../../../golden/fixtures/opencode');
const dumps = readdirSync(folder).filter((name) => name.endsWith('.rows.jsonl'));

function listener(wants: (head: SessionHead) => boolean = () => true) {
  const events: AgentEvent[] = [];
  const problems: Problem[] = [];
  const counts = { records: 0, calls: 0 };
  const decoder = createDecoder(opencode, {
    file: '/data/opencode.db',
    readSmall: () => undefined,
    sqlite: localSqlite,
  });
  if (decoder.unit !== 'database') throw new Error('not a database');
  const decode = (bytes: Uint8Array) =>
    decoder.decode(bytes, null, {
      event: (event) => void events.push(event),
      problem: (problem) => void problems.push(problem),
      wants,
      read: (_session, records, calls) => {
        counts.records += records;
        counts.calls += calls;
      },
    });
  return { events, problems, counts, decode };
}

const told = (events: readonly AgentEvent[]) => events.map(({ type, at, source }) => `${type} ${at} ${source.line}`);
const SESSION = 'ses_one';
const TIME = 1_795_201_000_000;

function message(id: string, at: number, data: Record<string, unknown>, completed?: number): DumpedRow {
  const time = { created: at, ...(completed !== undefined && { completed }) };
  const role = data['role'] ?? 'assistant';
  return {
    _table: 'message',
    id,
    session_id: SESSION,
    time_created: at,
    time_updated: completed ?? at,
    data: { role, time, ...data },
  };
}
function part(id: string, of: string, at: number, data: Record<string, unknown>, updated = at): DumpedRow {
  return { _table: 'part', id, message_id: of, session_id: SESSION, time_created: at, time_updated: updated, data };
}
const tool = (status: string, more: Record<string, unknown> = {}) => ({
  type: 'tool',
  tool: 'bash',
  callID: 'call_1',
  state: { status, input: { command: 'npm test' }, ...more },
});

describe('a session of OpenCode that is followed', () => {
  it.each(dumps)('yields the same row by row as it does at once: %s', async (name) => {
    const rows = readRows(join(folder, name));
    const whole = listener();
    const full = await databaseOf(rows);
    await whole.decode(full.bytes());
    full.close();

    // As OpenCode writes: a message without its end, a tool that runs, then both again in place when they have ended.
    const live = listener();
    const database = await makeDatabase();
    const id = rows[0]?.session_id ?? '';
    const created = Math.min(...rows.map((row) => row.time_updated)) - 60_000;
    database.session({ id, created, updated: created });
    const steps = rows
      .flatMap((row) => [unfinished(row), row])
      .filter((row) => row !== null)
      .sort((one, other) => one.time_updated - other.time_updated || (one._table === 'message' ? -1 : 1));
    // A message is in the table before its parts.
    const messages = new Set<string>();
    for (const row of steps) {
      const of = row.message_id;
      const owner = of !== undefined && !messages.has(of) ? rows.find((one) => one.id === of) : undefined;
      if (owner) database.put(unfinished(owner) ?? owner);
      messages.add(of ?? row.id);
      database.put(row);
      await live.decode(database.bytes());
    }
    database.close();
    // A question counts while it is open.
    const withoutInfo = (events: readonly AgentEvent[]) =>
      told(events.filter(({ type }) => type !== 'session_info' && type !== 'request' && type !== 'waiting'));
    expect(withoutInfo(live.events).sort()).toEqual(withoutInfo(whole.events).sort());
    expect(live.counts).toEqual(whole.counts);
    expect(live.problems).toEqual([]);
  });

  it('reports a call when it runs, and its result once when it has ended', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    database.put(message('msg_1', TIME, {}));
    database.put(part('prt_1', 'msg_1', TIME, tool('pending')));
    await decode(database.bytes());
    expect(events.map(({ type }) => type)).toEqual(['session_info', 'turn_start', 'request']);
    database.put(part('prt_1', 'msg_1', TIME, tool('running', { time: { start: TIME + 5 } }), TIME + 5));
    await decode(database.bytes());
    await decode(database.bytes());
    expect(events.map(({ type }) => type).slice(3)).toEqual(['tool_call']);
    const done = { output: 'no', metadata: { exit: 2 }, time: { start: TIME + 5, end: TIME + 9 } };
    database.put(part('prt_1', 'msg_1', TIME, tool('completed', done), TIME + 9));
    await decode(database.bytes());
    await decode(database.bytes());
    expect(events.slice(4)).toMatchObject([
      { type: 'tool_result', id: 'prt_1', at: TIME + 9, isError: true, exitCode: 2, durationMs: 4, output: 'no' },
    ]);
    database.close();
  });

  it('is read on, and one that begins then is read, after the clock was set back by an hour', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    database.put(message('msg_1', TIME, {}));
    database.put(part('prt_1', 'msg_1', TIME, tool('running', { time: { start: TIME } })));
    await decode(database.bytes());
    const back = TIME - 3_600_000;
    database.put(part('prt_1', 'msg_1', TIME, tool('completed', { output: 'ok' }), back));
    await decode(database.bytes());
    expect(events.at(-1)).toMatchObject({ type: 'tool_result', output: 'ok' });
    database.put(message('msg_2', back + 1_000, {}));
    database.put(part('prt_2', 'msg_2', back + 1_000, { type: 'text', text: 'Done.', time: { end: back + 1_000 } }));
    await decode(database.bytes());
    expect(events.filter(({ type }) => type === 'assistant')).toHaveLength(1);

    database.session({ id: 'ses_two', created: back + 2_000 });
    await decode(database.bytes());
    database.put({ ...message('msg_3', back + 3_000, {}), session_id: 'ses_two' });
    database.put({
      ...part('prt_3', 'msg_3', back + 3_000, { type: 'text', text: 'Hello.', time: { end: back + 3_000 } }),
      session_id: 'ses_two',
    });
    await decode(database.bytes());
    database.close();
    expect(events.filter(({ type }) => type === 'assistant').map(({ session }) => session)).toEqual([
      SESSION,
      'ses_two',
    ]);
  });

  it('counts the parts and calls that exist with a query of its own', async () => {
    const { decode, counts } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    database.put(message('msg_1', TIME, {}));
    // An unknown state is not reported as a call, but counts as one.
    database.put(part('prt_1', 'msg_1', TIME, tool('dreaming')));
    database.put(part('prt_2', 'msg_1', TIME, { type: 'text', text: 'he wrote "callID":"x" into a file' }));
    await decode(database.bytes());
    await decode(database.bytes());
    expect(counts).toEqual({ records: 2, calls: 1 });
    database.close();
  });

  it('reports turns correctly when a message comes into a running one', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    database.put(message('msg_1', TIME, { role: 'user' }));
    database.put(part('prt_1', 'msg_1', TIME, { type: 'text', text: 'go' }));
    database.put(message('msg_2', TIME + 10, { finish: 'stop' }, TIME + 50));
    database.put(message('msg_3', TIME + 30, { role: 'user' }));
    const nudge = 'Stop repeating. [unstuck 01JD9Z4Q7N8VXK2M5T0R3W6Y1B]';
    database.put(part('prt_3', 'msg_3', TIME + 30, { type: 'text', text: nudge }));
    database.put(message('msg_4', TIME + 60, { finish: 'stop' }, TIME + 90));
    await decode(database.bytes());
    expect(events.slice(1).map((event) => [event.type, event.at - TIME])).toEqual([
      ['user', 0],
      ['request', 10],
      ['user', 30],
      ['turn_end', 50],
      ['turn_start', 60],
      ['message_taken', 60],
      ['request', 60],
      ['turn_end', 90],
    ]);
    expect(events.find((event) => event.type === 'user' && event.at === TIME + 30)).toMatchObject({ automated: true });
    database.close();
  });

  it('reports a message as read with the request that carries it, after the results of the step into which it came', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    database.put(message('msg_1', TIME, { finish: 'tool-calls' }, TIME + 20));
    const done = { output: 'no', metadata: { exit: 1 }, time: { start: TIME + 1, end: TIME + 12 } };
    database.put(message('msg_2', TIME + 10, { role: 'user' }));
    database.put(part('prt_2', 'msg_2', TIME + 10, { type: 'text', text: 'x [unstuck 01JD9Z4Q7N8VXK2M5T0R3W6Y1B]' }));
    await decode(database.bytes());
    database.put(part('prt_1', 'msg_1', TIME + 1, tool('completed', done), TIME + 12));
    await decode(database.bytes());
    database.put(message('msg_3', TIME + 30, {}));
    await decode(database.bytes());
    const types = events.map(({ type }) => type);
    expect(types.slice(types.indexOf('user'))).toEqual([
      'user',
      'tool_call',
      'tool_result',
      'message_taken',
      'request',
    ]);
    database.close();
  });

  it('reports an answer without text, calls and tokens as an empty one', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    const tokens = (output: number) => ({ finish: 'unknown', tokens: { input: 0, output, reasoning: 0 } });
    database.put(message('msg_1', TIME, tokens(0), TIME + 20));
    database.put(message('msg_2', TIME + 30, tokens(12), TIME + 50));
    await decode(database.bytes());
    expect(events.filter(({ type }) => type === 'assistant')).toMatchObject([{ at: TIME + 20, text: '' }]);
    database.close();
  });

  it('shows what was refused, and by whom', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    database.put(message('msg_1', TIME, {}));
    const errors = [
      'The user rejected permission to use this specific tool call.',
      'The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules []',
      'You have run this before. [unstuck 01JD9Z4Q7N8VXK2M5T0R3W6Y1B]',
      'Tool execution aborted',
    ];
    for (const [index, error] of errors.entries()) {
      database.put(
        part(
          `prt_${index}`,
          'msg_1',
          TIME + index,
          tool('error', { error, time: { start: TIME + index, end: TIME + index } }),
        ),
      );
    }
    await decode(database.bytes());
    const results = events.filter((event) => event.type === 'tool_result');
    expect(results).toMatchObject([
      { denied: 'user' },
      { denied: 'policy' },
      { denied: 'hook' },
      { interrupted: true },
    ]);
    expect(events.filter((event) => event.type === 'message_taken')).toHaveLength(1);
    // OpenCode stops once its person has refused something, but not if a rule did.
    expect(events.filter((event) => event.type === 'turn_end')).toMatchObject([{ at: TIME, reason: 'interrupted' }]);
    database.close();
  });

  it('shows errors of the provider, retries, and interruptions', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    const overloaded = { name: 'APIError', data: { message: 'Overloaded', statusCode: 529, isRetryable: true } };
    database.put(
      message('msg_1', TIME, { error: { name: 'ProviderAuthError', data: { message: 'no key' } } }, TIME + 5),
    );
    database.put(
      part('prt_1', 'msg_1', TIME + 2, { type: 'retry', attempt: 1, error: overloaded, time: { created: TIME + 2 } }),
    );
    database.put(
      message('msg_2', TIME + 6, { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } }, TIME + 9),
    );
    await decode(database.bytes());
    expect(events.filter(({ type }) => type === 'error' || type === 'turn_end')).toMatchObject([
      { type: 'error', kind: 'rate_limit', message: 'Overloaded' },
      { type: 'error', kind: 'api', message: 'no key' },
      { type: 'turn_end', reason: 'error' },
      { type: 'turn_end', reason: 'interrupted' },
    ]);
    database.close();
  });

  it('keeps sub-agents apart: their session names its parent and ends with its turn', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: 'ses_parent' });
    database.session({ id: SESSION, parent: 'ses_parent', agent: 'general', title: 'Child session - 2026-11-20' });
    database.put(message('msg_1', TIME, { finish: 'stop' }, TIME + 5));
    await decode(database.bytes());
    const own = events.filter((event) => event.session === SESSION);
    expect(own[0]).toMatchObject({ type: 'session_info', parent: 'ses_parent', role: 'general' });
    expect(own[0]).not.toHaveProperty('title');
    expect(own.at(-1)).toMatchObject({ type: 'session_end', reason: 'clean' });
    database.close();
  });

  it('recognises `opencode run` by the questions that it may not ask', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION, permission: '[{"permission":"question","pattern":"*","action":"deny"}]' });
    database.session({ id: 'ses_two', permission: 'null' });
    await decode(database.bytes());
    expect(events.map((event) => event.type === 'session_info' && event.mode)).toEqual(['print', 'interactive']);
    database.close();
  });

  it('reads nothing of unwanted sessions until they are wanted', async () => {
    const asked: SessionHead[] = [];
    let wanted = false;
    const { decode, events, counts } = listener((head) => {
      asked.push(head);
      return wanted;
    });
    const database = await makeDatabase();
    database.session({ id: SESSION, directory: '/home/dev/other', updated: TIME + 7 });
    database.put(message('msg_1', TIME, {}));
    database.put(part('prt_1', 'msg_1', TIME, tool('running')));
    await decode(database.bytes());
    expect(asked).toEqual([{ session: SESSION, cwd: '/home/dev/other', modifiedAt: TIME + 7 }]);
    expect([events.length, counts.records]).toEqual([0, 0]);
    wanted = true;
    await decode(database.bytes());
    expect(events.map(({ type }) => type)).toEqual(['session_info', 'turn_start', 'request', 'tool_call']);
    database.close();
  });

  it('reports once what cannot be read, and continues when it can be read again', async () => {
    const { decode, events, problems } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    await decode(new Uint8Array(8192));
    await decode(new Uint8Array(8192));
    expect(problems.map(({ why }) => why)).toEqual(['the database could not be read: not a SQLite database']);
    await decode(database.bytes());
    expect(events).toHaveLength(1);
    const other = await makeDatabase();
    other.run('DROP TABLE session');
    await decode(other.bytes());
    expect(problems[1]?.why).toContain('sessions could not be read');
    database.close();
    other.close();
  });

  it('is absent if its row has no id', async () => {
    const { decode, events, problems } = listener();
    const database = await makeDatabase();
    database.session({ id: '' });
    database.run(
      'INSERT INTO session SELECT NULL, project_id, NULL, directory, title, version, NULL, NULL, 1, 1 FROM session',
    );
    database.session({ id: SESSION });
    await decode(database.bytes());
    expect(new Set(events.map(({ session }) => session))).toEqual(new Set([SESSION]));
    expect(problems).toEqual([]);
    database.close();
  });

  it('reports one problem for a row that is not JSON', async () => {
    const { decode, events, problems } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    database.put(message('msg_1', TIME, {}));
    database.put(part('prt_1', 'msg_1', TIME, tool('running')));
    database.run('UPDATE part SET data = \'{"type":\'');
    database.put(part('prt_2', 'msg_1', TIME, tool('running')));
    await decode(database.bytes());
    await decode(database.bytes());
    expect(problems).toEqual([{ line: 1, offset: 0, why: 'a part that is not valid JSON' }]);
    expect(events.at(-1)).toMatchObject({ type: 'tool_call', id: 'prt_2', source: { line: 2, offset: 1 } });
    database.close();
  });

  it('shortens long outputs before they leave the thread of the database', async () => {
    const { decode, events } = listener();
    const database = await makeDatabase();
    database.session({ id: SESSION });
    database.put(message('msg_1', TIME, {}));
    database.put(
      part(
        'prt_1',
        'msg_1',
        TIME,
        tool('completed', { output: 'y'.repeat(400_000), time: { start: TIME, end: TIME } }),
      ),
    );
    await decode(database.bytes());
    const result = events.find((event) => event.type === 'tool_result');
    expect(result).toMatchObject({ size: 400_000 });
    expect(result?.output.length).toBeLessThan(10_000);
    database.close();
  });
});

/** A row as it was before it was finished, if it has an end. */
function unfinished(row: DumpedRow): DumpedRow | null {
  if (row._table === 'message') {
    const { finish: _finish, error: _error, ...data } = row.data;
    const { completed: _completed, ...time } = (data['time'] ?? {}) as Record<string, unknown>;
    return { ...row, time_updated: row.time_created, data: { ...data, time } };
  }
  const time = row.data['time'] as { start?: number; end?: number } | undefined;
  if (row.data['type'] === 'text' && time?.end !== undefined) {
    return { ...row, time_updated: row.time_created, data: { ...row.data, time: { start: time.start } } };
  }
  const state = row.data['state'] as Record<string, unknown> | undefined;
  if (row.data['type'] === 'tool' && state) {
    const time = state['time'] as { start: number };
    const running = { status: 'running', input: state['input'], time: { start: time.start } };
    return { ...row, time_updated: time.start, data: { ...row.data, state: running } };
  }
  return null;
}

describe('damaged databases of OpenCode', async () => {
  const images: Uint8Array[] = [];
  for (const name of dumps.slice(0, 3)) {
    const database = await databaseOf(readRows(join(folder, name)));
    images.push(database.bytes());
    database.close();
  }
  const change = fc.record({ at: fc.nat(200_000), to: fc.nat(255) });
  test.asyncProp([fc.constantFrom(...images), fc.array(change, { maxLength: 60 }), fc.nat(200_000)], 120)(
    'give problems, never exceptions',
    async (image, changes, end) => {
      const bytes = end % 4 === 0 ? image.slice(0, end) : image.slice();
      for (const { at, to } of changes) if (bytes.length > 0) bytes[at % bytes.length] = to;
      const { decode, problems, events } = listener();
      await decode(bytes);
      await decode(image.slice());
      expect(problems.length + events.length).toBeGreaterThan(0);
    },
  );

  const junk = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.string(),
    fc.constant([]),
    fc.constant({}),
    fc.constant([{}]),
  );
  test.asyncProp([fc.constantFrom(...dumps), fc.array(fc.tuple(fc.nat(500), fc.nat(20), junk), { maxLength: 30 })], 60)(
    'give events for rows with any values inside',
    async (name, changes) => {
      const rows = readRows(join(folder, name)).map((row) => structuredClone(row));
      for (const [row, place, value] of changes) {
        const data = rows[row % rows.length]?.data as Record<string, unknown>;
        const holders = [data, data['state'], data['time'], data['tokens']].filter(
          (holder): holder is Record<string, unknown> => typeof holder === 'object' && holder !== null,
        );
        const holder = holders[place % holders.length] ?? data;
        const keys = Object.keys(holder);
        holder[keys[place % Math.max(1, keys.length)] ?? 'x'] = value;
      }
      const database = await databaseOf(rows);
      const { decode, events } = listener();
      await decode(database.bytes());
      database.close();
      expect(events.length).toBeGreaterThan(0);
    },
  );
});

it('an exported message that appears twice counts once, in its last form', () => {
  const part = (state: object) => ({ id: 'prt_1', type: 'tool', tool: 'bash', callID: 'call_1', state });
  const message = (state: object) => ({
    info: { id: 'msg_1', role: 'assistant', time: { created: 1_700_000_000_000 } },
    parts: [part(state)],
  });
  const running = { status: 'running', input: { command: 'make' } };
  const done = { status: 'completed', input: { command: 'make' }, output: 'ok' };
  const text = JSON.stringify({ info: { id: 'ses_1' }, messages: [message(running), message(done), message(done)] });
  const events: AgentEvent[] = [];
  const decoder = createDecoder(opencodeExport, { file: '/tmp/x.json', readSmall: () => undefined });
  if (decoder.unit !== 'document') throw new Error('an export is a document');
  decoder.decode(text, { event: (event) => events.push(event), problem() {} });
  expect(events.filter((event) => event.type.startsWith('tool_')).map((event) => event.type)).toEqual([
    'tool_call',
    'tool_result',
  ]);
  expect(opencodeExport.createOwnCalls?.()(text, 3)).toBe(1);
});

it.each([
  ['no start', { end: 1_700_000_000_005 }],
  ['a start that is no time', { start: { when: 1 }, end: 1_700_000_000_005 }],
  ['a start before all times', { start: -5, end: 3 }],
  ['an end before its start', { start: 1_700_000_000_009, end: 1_700_000_000_005 }],
  ['no times at all', {}],
])('a printed call comes before its result, with %s', (_, time) => {
  const state = { status: 'completed', input: { command: 'make' }, output: 'ok', time };
  const part = { id: 'prt_1', messageID: 'msg_1', type: 'tool', tool: 'bash', callID: 'call_1', state };
  const line = JSON.stringify({ type: 'tool_use', timestamp: 1_700_000_000_020, sessionID: 'ses_1', part });
  const types: string[] = [];
  const decoder = createDecoder(opencodeStream, { file: '/tmp/x.jsonl', readSmall: () => undefined });
  if (decoder.unit !== 'line') throw new Error('a stream has lines');
  decoder.decode(
    { text: line, line: 1, offset: 0 },
    { event: ({ type }) => void (type.startsWith('tool_') && types.push(type)), problem() {} },
  );
  expect(types).toEqual(['tool_call', 'tool_result']);
});
