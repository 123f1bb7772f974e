import { describe, expect, test } from 'vitest';
import { PermissionWait, SILENCE_MS } from '../../../../src/detect/session/permission-wait';
import type { AgentEvent, ToolCallEvent } from '../../../../src/core/model';
import { callOf } from '../support/one-step';

/** Tests the input of a guess, without the session around it (test/unit/engine/session does that). */
function guess() {
  const pending: ToolCallEvent[] = [];
  const wait = new PermissionWait({ pending });
  const base = { agent: 'generic', session: 's', source: { file: 'f', line: 1, offset: 0 } };
  const tell = (type: AgentEvent['type'], at: number, more: object = {}): void =>
    wait.push({ ...base, type, at, ...more } as AgentEvent);
  const call = (id: string, at: number): void => {
    const event = callOf({ id, at, kind: 'changed', name: 'Edit' });
    pending.push(event);
    wait.push(event);
  };
  return { pending, wait, tell, call };
}

describe('a guess that a call waits for permission', () => {
  test('is due 20 s after the newest line, and only once', () => {
    const { wait, tell, call } = guess();
    expect(wait.deadline()).toBe(Number.POSITIVE_INFINITY);
    tell('session_info', 0, { permissionMode: 'all' });
    call('a', 1_000);
    expect(wait.deadline()).toBe(1_000 + SILENCE_MS);
    tell('other', 5_000);
    tell('other', 2_000);
    tell('clock', 9_000);
    expect(wait.deadline()).toBe(5_000 + SILENCE_MS);
    expect(wait.since(4_999 + SILENCE_MS)).toBeNull();
    expect(wait.since(5_000 + SILENCE_MS)).toBe(1_000);
    wait.tick(5_000 + SILENCE_MS);
    expect(wait.deadline()).toBe(Number.POSITIVE_INFINITY);
    expect(wait.since(5_000 + SILENCE_MS)).toBe(1_000);
  });

  test.each(['user', 'turn_start', 'turn_end', 'request', 'session_end'] as const)(
    'is dropped with %s: what was pending before no longer runs',
    (type) => {
      const { wait, tell, call } = guess();
      tell('session_info', 0, { permissionMode: 'edits' });
      call('a', 1_000);
      expect(wait.since(60_000)).toBe(1_000);
      tell(type, 2_000, { text: 'go', automated: false });
      expect(wait.since(60_000)).toBeNull();
      expect(wait.deadline()).toBe(Number.POSITIVE_INFINITY);
    },
  );

  test('is dropped with the result, although the call is still reported as pending', () => {
    const { wait, tell, call } = guess();
    tell('session_info', 0, { permissionMode: 'all' });
    call('a', 1_000);
    call('b', 1_500);
    tell('tool_result', 2_000, { id: 'a' });
    expect(wait.since(60_000)).toBeNull();
  });

  test('is made in modes that ask, according to the newest line', () => {
    for (const permissionMode of ['nothing', 'escalation', undefined]) {
      const { wait, tell, call } = guess();
      tell('session_info', 0, { permissionMode });
      call('a', 1_000);
      tell('session_info', 1_100, { permissionMode: 'all' });
      expect(wait.since(60_000), String(permissionMode)).toBeNull();
    }
    const { wait, tell, call } = guess();
    tell('session_info', 0, { permissionMode: 'all', mode: 'interactive' });
    tell('session_info', 10, {});
    call('a', 1_000);
    expect(wait.since(60_000)).toBe(1_000);
    tell('session_info', 1_200, { mode: 'print' });
    expect(wait.since(60_000)).toBeNull();
  });

  test('is made from the first 64 pending calls', () => {
    const { pending, wait, tell, call } = guess();
    tell('session_info', 0, { permissionMode: 'all' });
    for (let n = 0; n < 65; n++) call(`c${n}`, 1_000 + n);
    pending.splice(0, 63);
    expect(wait.since(60_000)).toBe(1_063);
    pending.splice(0, 1);
    expect(wait.since(60_000)).toBeNull();
  });
});

test('an agent that asks no one is recognised by its mode, or by what it asks permission for', () => {
  const asks = (info: object): boolean => {
    const { wait, tell } = guess();
    tell('session_info', 0, info);
    return wait.asksNoPermission;
  };
  expect(guess().wait.asksNoPermission).toBe(false);
  expect(asks({ permissionMode: 'nothing' })).toBe(true);
  expect(asks({ mode: 'print' })).toBe(true);
  expect(asks({ mode: 'print', permissionMode: 'all' })).toBe(true);
  expect(asks({ mode: 'interactive', permissionMode: 'all' })).toBe(false);
});
