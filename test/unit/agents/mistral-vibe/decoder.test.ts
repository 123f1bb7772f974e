import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mistralVibe } from '../../../../src/agents/mistral-vibe/adapter';
import { createDecoder } from '../../../../src/agents/decoders';
import type { AgentEvent } from '../../../../src/core/model';
import { only, types } from '../events';
import { damaged, damages, decodeAny } from '../fuzz';
import { test } from '../shared/property';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const collected = transcriptsBelow('.jsonl', 'public', 'irrlicht', 'mistral-vibe');

describe.skipIf(collected.length === 0)('every collected session of Mistral Vibe', () => {
  it('is understood to the last line', async () => {
    const rows: Row[] = [];
    for (const file of collected) rows.push(await rowOf(mistralVibe, file));
    console.log(printRows(rows));
    for (const { file, decoded, calls, results, recognised } of rows) {
      const name = basename(file);
      expect(recognised, name).toBe('yes');
      expect(decoded.problems, name).toEqual([]);
      expect(strayResults(decoded), name).toEqual([]);
      expect([calls, results], name).toEqual([decoded.marked, decoded.marked]);
      expect(decoded.events.at(-1), name).toMatchObject({ type: 'turn_end', reason: 'done' });
    }
    expect(rows.reduce((sum, { failures }) => sum + failures, 0)).toBe(1);
  });
});

/** Lines as Vibe writes them: with a blank after each colon. */
const lines = (...records: object[]) => records.map((one) => JSON.stringify(one, null, 1).replaceAll(/\n\s*/g, ' '));
const prompt = (content: string, injected = false) => ({ role: 'user', content, injected, message_id: 'u' });
const call = (id: string, name: string, args: object) => ({
  role: 'assistant',
  injected: false,
  tool_calls: [{ id, index: 0, function: { name, arguments: JSON.stringify(args) }, type: 'function' }],
  message_id: `m-${id}`,
});
const answer = (id: string, content: string) => ({ role: 'tool', content, injected: false, tool_call_id: id });

const HOME = '/home/u/.vibe/logs/session';
const FILE = `${HOME}/session_20260707_164326_bfb00a59/messages.jsonl`;
const META = JSON.stringify({
  session_id: 'bfb00a59-afef-4938-b945-65b456647fd5',
  environment: { working_directory: '/work/app' },
  title: 'Build it',
  config: { active_model: 'devstral-2' },
});
const beside = (path: string) => (path === FILE.replace('messages.jsonl', 'meta.json') ? META : undefined);

describe('a session of Mistral Vibe', () => {
  it('shows which calls were malformed, denied and interrupted, and that a refusal ends the turn', () => {
    const { events, problems } = decodeAny(
      mistralVibe,
      lines(
        prompt('build it'),
        call('c1', 'make', {}),
        answer('c1', "<tool_error>make: Unknown tool 'make'</tool_error>"),
        call('c2', 'bash', { cmd: 'make' }),
        answer('c2', '<tool_error>bash: Invalid arguments: 1 validation error for BashArgs</tool_error>'),
        call('c3', 'bash', { command: 'make' }),
        answer('c3', '<user_cancellation>bash</user_cancellation>'),
        prompt('run it'),
        call('c4', 'bash', { command: 'make' }),
        answer('c4', '<user_cancellation>Tool execution interrupted by user.</user_cancellation>'),
      ),
    );
    expect(problems).toEqual([]);
    expect(only(events, 'tool_result')).toMatchObject([
      { isError: true, validation: { kind: 'unknown_tool' } },
      { isError: true, validation: { kind: 'invalid_arguments' } },
      { isError: true, denied: 'user' },
      { isError: true, interrupted: true },
    ]);
    expect(only(events, 'turn_end').map(({ reason }) => reason)).toEqual(['interrupted', 'interrupted']);
  });

  it("does not show what Vibe itself inserted as a person's prompt", () => {
    const { events } = decodeAny(
      mistralVibe,
      lines(prompt('go'), prompt('<vibe_warning>Half full</vibe_warning>', true)),
    );
    expect(only(events, 'user').map(({ automated }) => automated)).toEqual([false, true]);
  });

  it('takes its folder, title and model from the description beside it, as soon as that exists', () => {
    const written: string[] = [];
    const decoder = createDecoder(mistralVibe, {
      file: FILE,
      readSmall: (path) => (beside(path) ? written[0] : undefined),
    });
    if (decoder.unit !== 'line') throw new Error('no lines');
    const events: AgentEvent[] = [];
    const sink = { event: (event: AgentEvent) => void events.push(event), problem: () => undefined };
    const [first = '', second = ''] = lines(prompt('go'), { role: 'assistant', content: 'Done.', injected: false });
    decoder.decode({ text: first, line: 1, offset: 0 }, sink);
    written.push(META);
    decoder.decode({ text: second, line: 2, offset: 100 }, sink);
    expect(types(events)).toEqual(['user', 'session_info', 'session_info', 'assistant', 'turn_end']);
    expect(only(events, 'session_info')).toMatchObject([
      { session: 'bfb00a59', cwd: '/work/app', model: 'devstral-2' },
      { title: 'Build it' },
    ]);
  });

  it('is found in its home, with its sub-agents, and not in the store of newer versions', () => {
    const [root] = mistralVibe.locate({ home: '/home/u', env: {}, platform: 'linux' });
    const [moved] = mistralVibe.locate({ home: '/home/u', env: { VIBE_HOME: '/data' }, platform: 'linux' });
    expect([root?.path, moved?.path]).toEqual([HOME, '/data/logs/session']);
    expect(root?.matches('session_20260707_164326_bfb00a59/messages.jsonl')).toBe(true);
    expect(
      root?.matches('session_20260707_164326_bfb00a59/agents/explore_20260707_164401_1f5d2c3e/messages.jsonl'),
    ).toBe(true);
    expect(root?.matches('session_20260707_164326_bfb00a59/meta.json')).toBe(false);
    expect(root?.enters?.('session_1/agents')).toBe(true);
    expect(root?.enters?.('unified')).toBe(false);
    expect(mistralVibe.peek('', FILE, beside)).toEqual({ session: 'bfb00a59', cwd: '/work/app' });
    const child = FILE.replace('messages.jsonl', 'agents/explore_20260707_164401_1f5d2c3e/messages.jsonl');
    expect(mistralVibe.peek('', child, beside)).toEqual({ session: '1f5d2c3e', parent: 'bfb00a59' });
  });

  test.prop([damages])('is read however damaged it is', (list) => {
    const run = lines(
      prompt('go'),
      call('c1', 'todo', { todos: [{ id: '1', content: 'a' }] }),
      answer('c1', 'returncode: 0'),
    );
    decodeAny(mistralVibe, damaged(run, list));
  });
});
