import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isProven } from '../../../../src/agents/inbox/hook/hook-proof';
import type { AgentId } from '../../../../src/core/model';
import { hookLog, filesIn, payload, scratch, SESSION, type Stage, stage } from '../inbox/hook-kit';
import { call, connectable, type Recorded, recorded, send } from './kit';

let place: { path: string; remove: () => void };
let at: Stage;

beforeEach(async () => {
  place = scratch();
  at = await stage(place.path);
});
afterEach(() => place.remove());

/** Inputs as Grok Build 1.0.41 and Kimi Code 2.1.0 wrote them, and as the documentation of Cursor and Crush gives them. */
function find(agent: AgentId, event: string): Recorded {
  const found = recorded(agent).find((one) => one.event === event);
  if (!found) throw new Error(`no ${event} of ${agent}`);
  return found;
}
const sessionOf = ({ payload: given }: Recorded) => String(given['conversation_id'] ?? given['session_id']);
/** The workspace of the stage replaces the one in the input. */
const here = ({ event, payload: given }: Recorded): Recorded => ({
  event,
  payload: { ...given, ...(given['workspace_roots'] !== undefined && { workspace_roots: [at.project] }) },
});
const WORDS = 'Read the error first.';

describe('a nudge', () => {
  const context = (hookEventName: string, additionalContext: string) => ({
    hookSpecificOutput: { hookEventName, additionalContext },
  });
  const denied = (words: string) => ({ permissionDecision: 'deny', permissionDecisionReason: words });

  it.each<readonly [AgentId, string, (words: string, mark: string) => object]>([
    ['grok-build', 'PreToolUse', (w, m) => ({ ...context('PreToolUse', w), systemMessage: `Unstuck delivered ${m}` })],
    [
      'grok-build',
      'PostToolUse',
      (w, m) => ({ ...context('PostToolUse', w), systemMessage: `Unstuck delivered ${m}` }),
    ],
    ['grok-build', 'Stop', (w, m) => ({ decision: 'block', reason: w, systemMessage: `Unstuck delivered ${m}` })],
    ['kimi', 'UserPromptSubmit', (words) => ({ message: words })],
    ['kimi', 'PreToolUse', (words) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...denied(words) } })],
    ['kimi', 'Stop', (words) => ({ hookSpecificOutput: denied(words) })],
    ['crush', 'PreToolUse', (words) => ({ context: words })],
    ['cursor', 'PostToolUse', (words) => ({ additional_context: words })],
    ['cursor', 'Stop', (words) => ({ followup_message: words })],
  ])('reaches %s at %s, once, in its own form', async (agent, event, form) => {
    const one = here(find(agent, event));
    const id = await send(at, agent, sessionOf(one));
    expect(call(at, agent, one)).toEqual(form(`${WORDS} [unstuck ${id}]`, `[unstuck ${id}]`));
    expect(call(at, agent, one)).toBeNull();
    expect(filesIn(at, 'cur', sessionOf(one))).toEqual([`${id}.json`]);
  });

  it('waits if the person of Cursor has stopped the turn', async () => {
    const stop = here(find('cursor', 'Stop'));
    const id = await send(at, 'cursor', sessionOf(stop));
    expect(call(at, 'cursor', { ...stop, payload: { ...stop.payload, status: 'aborted' } })).toBeNull();
    expect(filesIn(at, 'new', sessionOf(stop))).toEqual([`${id}.json`]);
  });
});

describe('a call that a person chose', () => {
  const hookSpecificOutput = (words: string) => ({
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: words,
  });
  it.each<readonly [AgentId, string, (words: string) => object]>([
    ['grok-build', 'run_terminal_command', (words) => ({ hookSpecificOutput: hookSpecificOutput(words) })],
    ['kimi', 'Bash', (words) => ({ hookSpecificOutput: hookSpecificOutput(words) })],
    ['crush', 'bash', (words) => ({ decision: 'deny', reason: words })],
    ['cursor', 'Shell', (words) => ({ permission: 'deny', user_message: words, agent_message: words })],
  ])('is refused by %s, and no other call is', async (agent, name, form) => {
    const { payload: given } = here(find(agent, 'PreToolUse'));
    const before = (command: string): Recorded => ({
      event: 'PreToolUse',
      payload: { ...given, tool_name: name, tool_input: { command, description: 'Run it' } },
    });
    const args = { command: 'npm test', description: 'Once more' };
    const id = await send(at, agent, sessionOf(before('')), { kind: 'block', text: WORDS, call: { name, args } });
    expect(call(at, agent, before('npm run build'))).toBeNull();
    expect(call(at, agent, before('npm test'))).toMatchObject(form(`${WORDS} [unstuck ${id}]`));
  });

  it('ends the turn of Crush if a stop waits', async () => {
    const before = find('crush', 'PreToolUse');
    const id = await send(at, 'crush', sessionOf(before), { kind: 'stop', text: WORDS });
    expect(call(at, 'crush', before)).toEqual({ halt: true, reason: `${WORDS} [unstuck ${id}]` });
  });
});

describe('the hook in the settings of Claude Code', () => {
  const GROK = { GROK_HOOK_EVENT: 'pre_tool_use', CLAUDE_PROJECT_DIR: '/home/dev/shop' };
  const CURSOR = { CURSOR_VERSION: '2.4.21', CLAUDE_PROJECT_DIR: '/home/dev/shop' };

  it('answers Grok Build, which runs it too, in the form of Grok Build', async () => {
    const one = find('grok-build', 'PreToolUse');
    const id = await send(at, 'grok-build', sessionOf(one));
    expect(call(at, 'claude-code', one, { ...GROK, GROK_SESSION_ID: sessionOf(one) })).toMatchObject({
      hookSpecificOutput: { additionalContext: `${WORDS} [unstuck ${id}]` },
      systemMessage: `Unstuck delivered [unstuck ${id}]`,
    });
  });

  it('answers Cursor in the form of Cursor', async () => {
    const stop = here(find('cursor', 'Stop'));
    const id = await send(at, 'cursor', sessionOf(stop));
    expect(call(at, 'claude-code', stop, CURSOR)).toEqual({ followup_message: `${WORDS} [unstuck ${id}]` });
  });

  it('does not give them what waits for Claude Code, even within its terminal', async () => {
    const own = { CLAUDE_CODE_SESSION_ID: SESSION, CLAUDE_CODE_ENTRYPOINT: 'cli' };
    const id = await send(at, 'claude-code', SESSION);
    for (const event of ['PreToolUse', 'Stop', 'UserPromptSubmit', 'SessionStart']) {
      const grok = { event, payload: find('grok-build', 'PreToolUse').payload };
      expect(call(at, 'claude-code', grok, { ...own, ...GROK })).toBeNull();
      const cursor = { event, payload: here(find('cursor', 'Stop')).payload };
      expect(call(at, 'claude-code', cursor, { ...own, ...CURSOR })).toBeNull();
    }
    expect(filesIn(at, 'new', SESSION)).toEqual([`${id}.json`]);
  });

  it('does nothing for an unknown program, says so once, and does not count it as proof of a connection', async () => {
    await send(at, 'claude-code', SESSION);
    const one = { event: 'PostToolBatch', payload: payload(at, 'PostToolBatch') as Recorded['payload'] };
    for (let calls = 0; calls < 3; calls++) expect(call(at, 'claude-code', one)).toBeNull();
    expect(filesIn(at, 'new', SESSION)).toHaveLength(1);
    expect(hookLog(at).match(/called by an unknown program/g)).toHaveLength(1);
    expect(await isProven(at.hook, 'claude-code', SESSION)).toBe(false);
  });

  it('serves two versions of Grok Build at once, of which one writes the documented names only', async () => {
    const newer = find('grok-build', 'PreToolUse');
    const snake = Object.entries(newer.payload).filter(([name]) => !name.includes('_'));
    const older = { ...newer, payload: { ...Object.fromEntries(snake), sessionId: 'older' } };
    const ids = [await send(at, 'grok-build', sessionOf(newer)), await send(at, 'grok-build', 'older')];
    const answers = [call(at, 'grok-build', newer), call(at, 'grok-build', older)].map((one) => JSON.stringify(one));
    expect(answers.map((one) => ids.filter((id) => one.includes(id)))).toEqual(ids.map((id) => [id]));
    const args = { command: 'echo hello', description: 'Run it' };
    await send(at, 'grok-build', 'older', { kind: 'block', text: WORDS, call: { name: 'run_terminal_command', args } });
    expect(call(at, 'grok-build', older)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  it('does nothing at an event that this version of a program has and we do not', async () => {
    const one = find('grok-build', 'PreToolUse');
    await send(at, 'grok-build', sessionOf(one));
    expect(call(at, 'grok-build', { ...one, event: 'SubagentStop' })).toBeNull();
    expect(hookLog(at)).toBe('');
  });
});

describe('Connect', () => {
  const FILES = {
    'grok-build': '.grok/hooks/unstuck.json',
    crush: '.config/crush/crush.json',
    cursor: '.cursor/hooks.json',
  } as const;
  type Agent = keyof typeof FILES;
  const AGENTS = Object.keys(FILES) as Agent[];
  const fileOf = (agent: Agent) => join(place.path, 'home', FILES[agent]);

  it.each(AGENTS)('%s: its file is written, tested, and removed again', async (agent) => {
    const { bridge, target } = connectable(place.path, agent);
    const plan = await bridge.plan(target);
    if (!plan.ok) throw new Error(plan.error.message);
    expect(await bridge.connect(plan.value)).toMatchObject({ ok: true, value: { state: 'connected' } });
    expect(await bridge.test()).toMatchObject({ passed: true });
    expect(JSON.parse(readFileSync(fileOf(agent), 'utf8'))).toHaveProperty('hooks');
    expect((await bridge.disconnect(target)).ok).toBe(true);
    expect(existsSync(fileOf(agent))).toBe(false);
  });

  it.each(['crush', 'cursor'] as const)('%s: hooks of other programs stay, byte for byte', async (agent) => {
    const event = agent === 'crush' ? 'PreToolUse' : 'preToolUse';
    const before = `{\n  "version": 1,\n  "hooks": { "${event}": [{ "command": "theirs.sh" }] },\n  "more": true\n}\n`;
    const { bridge, target } = connectable(place.path, agent, { [FILES[agent]]: before });
    const plan = await bridge.plan(target);
    if (!plan.ok) throw new Error(plan.error.message);
    await bridge.connect(plan.value);
    expect(JSON.parse(readFileSync(fileOf(agent), 'utf8'))).toMatchObject({
      hooks: {
        [event]: [{ command: 'theirs.sh' }, { command: expect.stringContaining(`hook.sh' ${agent} PreToolUse`) }],
      },
    });
    await bridge.disconnect(target);
    expect(readFileSync(fileOf(agent), 'utf8')).toBe(before);
  });
});
