import { describe, expect, it } from 'vitest';
import { continueCli } from '../../../../src/agents/continue/adapter';
import { createDecoder } from '../../../../src/agents/decoders';
import type { AgentEvent } from '../../../../src/core/model';

const FILE = '/home/u/.continue/sessions/3a0106ff.json';
const user = (content: string) => ({ message: { role: 'user', content }, contextItems: [] });
const call = (id: string, name: string, args: object, status: string, content = '') => ({
  message: { role: 'assistant', content: '', toolCalls: [], usage: { prompt_tokens: 9, completion_tokens: 1 } },
  toolCallStates: [
    {
      toolCallId: id,
      toolCall: { id, function: { name, arguments: JSON.stringify(args) } },
      status,
      ...(content !== '' && { output: [{ content }] }),
    },
  ],
});
const document = (history: readonly object[], workspaceDirectory = '/work/shop') =>
  JSON.stringify({ sessionId: '3a0106ff', title: 'Untitled Session', workspaceDirectory, history }, null, 2);

/** The events of a session, read each time that it was written. */
function decode(...texts: readonly string[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  const decoder = createDecoder(continueCli, { file: FILE, readSmall: () => undefined });
  if (decoder.unit !== 'document') throw new Error('not a document');
  for (const text of texts)
    decoder.decode(text, { event: (event) => void events.push(event), problem: () => undefined });
  return events;
}
const of = (events: readonly AgentEvent[], type: AgentEvent['type']) => events.filter((event) => event.type === type);

describe('a session of Continue', () => {
  it('is recognised by its head, and works in the folder that it names, even if that is an address', () => {
    expect(continueCli.recognises(document([]), FILE)).toBe('yes');
    expect(continueCli.recognises('{"sessionId": "x"}', FILE)).toBe('no');
    expect(continueCli.peek(document([]), FILE)).toEqual({ session: '3a0106ff', cwd: '/work/shop' });
    expect(continueCli.peek(document([], 'file:///c%3A/my%20shop'), FILE)).toMatchObject({ cwd: 'c:/my shop' });
  });

  it('shows a call that runs, and its result once', () => {
    const running = document([user('Go.'), call('c1', 'Bash', { command: 'npm test' }, 'calling')]);
    const failed = 'Error executing tool Bash: Error (exit code 2): FAIL';
    const done = document([user('Go.'), call('c1', 'Bash', { command: 'npm test' }, 'errored', failed)]);
    expect(of(decode(running), 'tool_call')).toMatchObject([{ id: 'c1', command: 'npm test' }]);
    const events = decode(running, running, done, done);
    expect(of(events, 'tool_call')).toHaveLength(1);
    expect(of(events, 'tool_result')).toMatchObject([{ id: 'c1', isError: true, exitCode: 2 }]);
  });

  it('shows each call of a server that uses their ids again', () => {
    const again = ['a', 'b'].map((file) => call('call_0', 'Read', { filepath: file }, 'done', `text of ${file}`));
    const events = decode(document([user('Go.'), again[0] ?? {}]), document([user('Go.'), ...again]));
    expect(of(events, 'tool_call')).toMatchObject([{ target: 'a' }, { target: 'b' }]);
    expect(of(events, 'tool_result')).toMatchObject([{ output: 'text of a' }, { output: 'text of b' }]);
  });

  it("says which tool does not exist, and that a person's refusal ends the turn", () => {
    const events = decode(
      document([
        user('Go.'),
        call('c1', 'Nonsense', {}, 'errored', 'Tool Nonsense not found'),
        call('c2', 'Bash', { command: 'ls' }, 'canceled', 'Cancelled'),
      ]),
    );
    expect(of(events, 'tool_result')).toMatchObject([
      { validation: { kind: 'unknown_tool', received: 'Nonsense' } },
      { denied: 'user' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'turn_end', reason: 'interrupted' });
  });

  it('has the checklist as its plan', () => {
    const events = decode(
      document([user('Go.'), call('c1', 'Checklist', { checklist: '- [ ] Repair\n- [x] Look' }, 'done', 'ok')]),
    );
    expect(of(events, 'plan')).toMatchObject([{ items: [{ status: 'pending' }, { status: 'completed' }] }]);
  });

  it('reports one problem while half of it is written', () => {
    const problems: unknown[] = [];
    const decoder = createDecoder(continueCli, { file: FILE, readSmall: () => undefined });
    if (decoder.unit !== 'document') throw new Error('not a document');
    const sink = { event: () => undefined, problem: (problem: unknown) => void problems.push(problem) };
    decoder.decode('{"sessionId": "x", "hist', sink);
    decoder.decode('{"sessionId": "x", "hist', sink);
    expect(problems).toHaveLength(1);
  });
});
