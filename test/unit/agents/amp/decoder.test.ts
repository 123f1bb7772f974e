import { createDecoder } from '../../../../src/agents/decoders';
import { describe, expect, it } from 'vitest';
import { amp } from '../../../../src/agents/amp/adapter';
import { pathOf } from '../../../../src/agents/amp/address';
import type { AgentEvent } from '../../../../src/core/model';
import { only, types } from '../events';
import { damagedRecord, decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const collected = transcriptsBelow('.json', 'public', 'amp');

describe.skipIf(collected.length === 0)('every collected thread of Amp', () => {
  it('is understood to its last message', async () => {
    const rows: Row[] = [];
    for (const file of collected) rows.push(await rowOf(amp, file));
    console.log(printRows(rows));
    for (const { file, decoded, recognised } of rows) {
      expect(recognised, file).toBe('yes');
      expect(decoded.problems, file).toEqual([]);
      expect(strayResults(decoded), file).toEqual([]);
    }
    // One call is in progress.
    expect(rows.map(({ decoded, calls, results }) => [decoded.marked, calls, results])).toEqual([
      [2, 2, 2],
      [3, 3, 2],
      [0, 0, 0],
    ]);
  });
});

const tree = { displayName: 'p', uri: 'file:///home/u/my%20app' };
const thread = (...messages: object[]) => ({
  v: 3,
  id: 'T-1',
  created: 1_761_596_190_373,
  messages,
  env: { initial: { trees: [tree] } },
});
const prompt = { role: 'user', content: [{ type: 'text', text: 'test it' }], meta: { sentAt: 1_761_596_294_721 } };
const use = { type: 'tool_use', id: 't1', name: 'Bash', input: { cmd: 'npm test' } };
const asked = { role: 'assistant', messageId: 1, content: [use], state: { type: 'complete', stopReason: 'tool_use' } };
const answer = (status: string, more: object) => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseID: 't1', run: { status, ...more } }],
});
const last = {
  role: 'assistant',
  content: [{ type: 'text', text: 'It fails.' }],
  state: { type: 'complete', stopReason: 'end_turn' },
};

describe('a thread of Amp', () => {
  it('tells a call when its message is whole, and its result when it has ended', () => {
    const decoder = createDecoder(amp, { file: '/t/T-1.json', readSmall: () => undefined });
    if (decoder.unit !== 'document') throw new Error('no document');
    const events: AgentEvent[] = [];
    const read = (...messages: object[]) =>
      decoder.decode(JSON.stringify(thread(...messages)), { event: (one) => void events.push(one), problem: () => {} });
    read(prompt, { ...asked, state: { type: 'streaming' } });
    read(prompt, asked);
    read(prompt, asked, answer('in-progress', { progress: 'n' }));
    expect(types(events)).toEqual(['session_info', 'user', 'request', 'tool_call']);
    read(prompt, asked, answer('done', { result: { output: 'no', exitCode: 1 } }), last);
    read(prompt, asked, answer('done', { result: { output: 'no', exitCode: 1 } }), last);
    expect(types(events).slice(4)).toEqual(['tool_result', 'request', 'assistant', 'turn_end']);
    expect(only(events, 'session_info')[0]?.cwd).toBe('/home/u/my app');
    expect(only(events, 'tool_call')[0]).toMatchObject({ command: 'npm test' });
    expect(only(events, 'tool_result')[0]).toMatchObject({ isError: true, exitCode: 1, output: 'no' });
  });

  it('tells what was refused, cancelled and broken', () => {
    const outcome = (status: string, more: object = {}) =>
      only(decodeAny(amp, [JSON.stringify(thread(prompt, asked, answer(status, more)))]).events, 'tool_result')[0];
    expect(outcome('rejected-by-user')).toMatchObject({ isError: true, denied: 'user' });
    expect(outcome('cancelled')).toMatchObject({ isError: true, interrupted: true });
    expect(outcome('error', { error: { message: 'no such file' } })).toMatchObject({
      isError: true,
      output: 'no such file',
    });
    expect(outcome('done', { result: ['a', 'b'] })).toMatchObject({ isError: false, output: 'a\nb' });
  });

  it('reads addresses of folders, of Windows too', () => {
    expect(pathOf('file:///C:/work')).toBe('C:/work');
    expect(pathOf('file:///%E0%A4%A')).toBeUndefined();
    expect(pathOf('vscode-remote://x/y')).toBeUndefined();
    const text = JSON.stringify(thread());
    expect(amp.peek(text, '/t/T-1.json')).toEqual({ session: 'T-1', cwd: '/home/u/my app' });
  });

  test.prop([
    fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom<unknown>(null, 1, '', 'x', [], {}, [null], [{}])), {
      minLength: 1,
      maxLength: 8,
    }),
  ])('is read however damaged', (list) => {
    let damaged = JSON.stringify(thread(prompt, asked, answer('done', { result: 'x' }), last));
    for (const [place, junk] of list) damaged = damagedRecord(damaged, 'value', place, junk);
    decodeAny(amp, [damaged]);
  });
});
