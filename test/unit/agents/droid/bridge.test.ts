import { describe, expect, it } from 'vitest';
import { droidHookForm } from '../../../../src/agents/droid/bridge-hook';
import type { InboxMessage } from '../../../../src/core/model';

const result = (isError: boolean) =>
  `{"message":{"content":[{"type":"tool_result","tool_use_id":"c","is_error":${isError},"content":"x"}]}}\n`;
const payload = {
  session_id: 's1',
  transcript_path: '/t.jsonl',
  cwd: '/work/shop',
  tool_name: 'Execute',
  tool_input: { command: 'npm test', summary: 'Run it' },
};
const message = (kind: InboxMessage['kind'], more: object = {}) =>
  ({ id: '01M8DCYXF7K1VRNSGVJK27TPHT', agent: 'droid', kind, text: 'Look elsewhere.', ...more }) as InboxMessage;

describe("Droid's hooks", () => {
  const form = (transcript: string | null) => droidHookForm((path) => (path === '/t.jsonl' ? transcript : null));
  const chosen = (event: string, transcript: string | null, waiting: InboxMessage) =>
    form(transcript)
      .read(event, payload, {}, () => null)
      ?.choose([waiting]).length;
  const answer = (event: string, waiting: InboxMessage) =>
    JSON.parse(form('').answer(event, [waiting], [], payload).stdout) as unknown;

  it('refuse a call with the text if the last one failed, since no hook runs after that', () => {
    expect(chosen('PreToolUse', result(true), message('nudge'))).toBe(1);
    expect(answer('PreToolUse', message('nudge'))).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'Look elsewhere.' },
    });
  });

  it.each([
    ['the last call succeeded', result(true) + result(false)],
    ['there is no call yet', '{"type":"session_start"}\n'],
    ['the transcript cannot be read', null],
  ])('leave a text to the result of the call if %s', (_when, transcript) => {
    expect(chosen('PreToolUse', transcript, message('nudge'))).toBe(0);
    expect(chosen('PostToolUse', transcript, message('nudge'))).toBe(1);
  });

  it('refuse exactly the call that is named, and end the turn at a stop', () => {
    const call = { name: 'Execute', args: { command: 'npm test', summary: 'Run it' } };
    expect(chosen('PreToolUse', null, message('block', { call }))).toBe(1);
    const other = { name: 'Execute', args: { command: 'ls', summary: 'Run it' } };
    expect(chosen('PreToolUse', null, message('block', { call: other }))).toBe(0);
    expect(chosen('PreToolUse', null, message('stop'))).toBe(1);
    expect(answer('PreToolUse', message('stop'))).toEqual({ continue: false, stopReason: 'Look elsewhere.' });
  });
});
