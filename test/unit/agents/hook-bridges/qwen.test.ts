import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesIn, scratch, type Stage, stage } from '../inbox/hook-kit';
import { call, connectable, type Recorded, send } from './kit';

const SESSION = '8b289f07-e41b-495a-8245-33ddfc55fbf5';
const NUDGE = { kind: 'nudge' } as const;
let place: { path: string; remove: () => void };
let at: Stage;

beforeEach(async () => {
  place = scratch();
  at = await stage(place.path);
});
afterEach(() => place.remove());

/** Input that Qwen Code 0.24.4 passes to the hook of an event. */
function of(event: string, more: Readonly<Record<string, unknown>> = {}): Recorded {
  const payload = { session_id: SESSION, transcript_path: '/home/u/.qwen/x.jsonl', hook_event_name: event, ...more };
  return { event, payload };
}
const failedTest = of('PostToolUseFailure', {
  tool_use_id: 'toolu_1',
  tool_name: 'run_shell_command',
  tool_input: { command: 'npm test', description: 'Run it' },
  error: 'Command: npm test\nExit Code: 1',
  is_interrupt: false,
});
const context = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});

describe('a nudge', () => {
  it.each([
    ['behind a call that failed', failedTest, (words: string) => context('PostToolUseFailure', tagged(words))],
    ['behind a call that succeeded', of('PostToolUse'), (words: string) => context('PostToolUse', tagged(words))],
    ['with a prompt', of('UserPromptSubmit'), (words: string) => context('UserPromptSubmit', words)],
    ['at the end of the turn', of('Stop'), (words: string) => ({ decision: 'block', reason: words })],
  ])('%s: is delivered once', async (_where, event, form) => {
    const id = await send(at, 'qwen-code', SESSION, NUDGE);
    expect(call(at, 'qwen-code', event)).toEqual(form(`Read the error first. [unstuck ${id}]`));
    expect(call(at, 'qwen-code', event)).toBeNull();
    expect(filesIn(at, 'cur', SESSION)).toEqual([`${id}.json`]);
  });

  it('waits if the person interrupted the call: the move is theirs', async () => {
    const id = await send(at, 'qwen-code', SESSION, NUDGE);
    expect(call(at, 'qwen-code', of('PostToolUseFailure', { is_interrupt: true }))).toBeNull();
    expect(filesIn(at, 'new', SESSION)).toEqual([`${id}.json`]);
  });

  it('of another session waits', async () => {
    await send(at, 'qwen-code', 'another', NUDGE);
    expect(call(at, 'qwen-code', failedTest)).toBeNull();
  });
});

it('refuses the call that a person chose, whatever its description, and no other', async () => {
  const args = { command: 'npm test', description: 'Once more' };
  const id = await send(at, 'qwen-code', SESSION, { kind: 'block', call: { name: 'run_shell_command', args } });
  const before = (command: string) =>
    of('PreToolUse', { tool_name: 'run_shell_command', tool_input: { command, description: 'Run it' } });
  expect(call(at, 'qwen-code', before('npm run build'))).toBeNull();
  expect(call(at, 'qwen-code', before('npm test'))).toMatchObject({
    hookSpecificOutput: {
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining(`[unstuck ${id}]`),
    },
  });
});

function tagged(words: string): string {
  return `<hook_context>${words}</hook_context>`;
}

describe('Connect', () => {
  const settings = () => join(place.path, 'home/.qwen/settings.json');

  it('writes into the settings of the user, is tested, and removes its entries byte for byte', async () => {
    const before =
      '{\n  "model": { "name": "qwen3" },\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] }\n}\n';
    const { bridge, target } = connectable(place.path, 'qwen-code', { '.qwen/settings.json': before });
    const plan = await bridge.plan(target);
    if (!plan.ok) throw new Error(plan.error.message);
    expect(await bridge.connect(plan.value)).toMatchObject({ ok: true, value: { state: 'connected' } });
    expect(await bridge.test()).toMatchObject({ passed: true });
    expect((await bridge.disconnect(target)).ok).toBe(true);
    expect(readFileSync(settings(), 'utf8')).toBe(before);
  });

  it('leaves no file if there was none, and reports hooks that are switched off', async () => {
    const { bridge, target } = connectable(place.path, 'qwen-code');
    const plan = await bridge.plan(target);
    if (!plan.ok) throw new Error(plan.error.message);
    await bridge.connect(plan.value);
    await bridge.disconnect(target);
    expect(existsSync(settings())).toBe(false);
    const off = connectable(place.path, 'qwen-code', { '.qwen/settings.json': '{"disableAllHooks":true}' });
    const warned = await off.bridge.plan(off.target);
    expect(warned.ok && warned.value.warnings.join(' ')).toContain('"disableAllHooks" is set');
  });
});
