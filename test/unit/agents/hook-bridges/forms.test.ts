import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codexHookForm } from '../../../../src/agents/codex/bridge-hook';
import type { AgentId, InboxMessage } from '../../../../src/core/model';
import { hookLog, filesIn, scratch, type Stage, stage } from '../inbox/hook-kit';
import { call, type Recorded, recorded, send, sessionOf } from './kit';

let place: { path: string; remove: () => void };
let at: Stage;

beforeEach(async () => {
  place = scratch();
  at = await stage(place.path);
});
afterEach(() => place.remove());

function find(agent: AgentId, event: string, fits: (payload: Recorded['payload']) => boolean = () => true): Recorded {
  const found = recorded(agent).find((one) => one.event === event && fits(one.payload));
  if (!found) throw new Error(`no ${event} was recorded of ${agent}`);
  return found;
}

const failed = (payload: Recorded['payload']): boolean =>
  JSON.stringify(payload['tool_response'] ?? '').includes('"error"');
const held = (payload: Recorded['payload']): boolean => payload['stop_hook_active'] === true;
const AGENTS = ['codex', 'gemini-cli', 'copilot-cli'] as const;

/** The way each event delivers a text: the recorded payload, and the answer as the agent took it in a real run. */
const texts: readonly (readonly [AgentId, Recorded, (words: string) => unknown])[] = [
  ['codex', find('codex', 'UserPromptSubmit'), (words) => context('UserPromptSubmit', words)],
  [
    'codex',
    find('codex', 'PreToolUse', ({ tool_name }) => tool_name === 'apply_patch'),
    (w) => context('PreToolUse', w),
  ],
  ['codex', find('codex', 'PostToolUse'), (words) => context('PostToolUse', words)],
  ['codex', find('codex', 'Stop'), (words) => ({ decision: 'block', reason: words })],
  ['gemini-cli', find('gemini-cli', 'BeforeAgent'), (words) => context('BeforeAgent', words)],
  ['gemini-cli', find('gemini-cli', 'AfterTool'), (words) => context('AfterTool', words)],
  ['gemini-cli', find('gemini-cli', 'AfterAgent'), (words) => ({ decision: 'deny', reason: words })],
  ['copilot-cli', find('copilot-cli', 'userPromptSubmitted'), (words) => ({ additionalContext: words })],
  ['copilot-cli', find('copilot-cli', 'postToolUse'), (words) => ({ additionalContext: words })],
  ['copilot-cli', find('copilot-cli', 'postToolUseFailure'), (words) => ({ additionalContext: words })],
  ['copilot-cli', find('copilot-cli', 'agentStop'), (words) => ({ decision: 'block', reason: words })],
];

function context(hookEventName: string, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}

describe.each(AGENTS)('%s', (agent) => {
  it('prints nothing if nothing waits, at each event that was recorded', () => {
    for (const one of recorded(agent)) expect(call(at, agent, one)).toBeNull();
    expect(hookLog(at)).toBe('');
  });

  it('leaves messages of other agents, restarts and escalations where they are', async () => {
    const session = sessionOf(recorded(agent)[0] ?? find(agent, ''));
    const restart = { mode: 'resume', prompt: 'Go on from here.' } as const;
    const ids = [
      await send(at, 'claude-code', session),
      await send(at, agent, session, { kind: 'restart', text: '', restart }),
      await send(at, agent, session, { kind: 'escalate', text: '', restart }),
    ];
    for (const one of recorded(agent)) expect(call(at, agent, one)).toBeNull();
    expect(filesIn(at, 'new', session)).toEqual(ids.map((id) => `${id}.json`).sort());
  });

  it('delivers nothing to an agent that works elsewhere, nor for an invalid payload', async () => {
    const one = recorded(agent).at(3) ?? find(agent, '');
    const session = sessionOf(one);
    const id = await send(at, agent, session);
    for (const payload of [
      {},
      { session_id: 7, sessionId: 7 },
      { ...one.payload, session_id: 'other', sessionId: 'other', agentId: undefined },
    ]) {
      expect(call(at, agent, { event: one.event, payload })).toBeNull();
    }
    expect(filesIn(at, 'new', session)).toEqual([`${id}.json`]);
  });

  it('delivers a text that holds the turn again, once, even if a hook of the user may have held it before', async () => {
    const end = recorded(agent).find(({ payload }) => held(payload));
    if (!end) throw new Error('not recorded');
    const session = sessionOf(end);
    const id = await send(at, agent, session);
    expect(JSON.stringify(call(at, agent, end))).toContain(`[unstuck ${id}]`);
    expect(call(at, agent, end)).toBeNull();
  });

  it('takes a stop that waits when the turn ends, without a word', async () => {
    const end = recorded(agent).find(({ payload }) => payload['stop_hook_active'] === false);
    if (!end) throw new Error('not recorded');
    const session = sessionOf(end);
    const id = await send(at, agent, session, { kind: 'stop' });
    expect(call(at, agent, end)).toBeNull();
    expect(filesIn(at, 'cur', session)).toEqual([`${id}.json`]);
  });
});

describe('a text', () => {
  it.each(texts)('%s: is delivered at $event, once, in the form that the agent takes', async (agent, one, form) => {
    const session = sessionOf(one);
    const id = await send(at, agent, session);
    expect(call(at, agent, one)).toEqual(form(`Read the error first. [unstuck ${id}]`));
    expect(call(at, agent, one)).toBeNull();
    expect(filesIn(at, 'cur', session)).toEqual([`${id}.json`]);
  });

  it('Codex: waits for the end of a command, which may run for long', async () => {
    const before = find('codex', 'PreToolUse');
    const id = await send(at, 'codex', sessionOf(before));
    expect(call(at, 'codex', before)).toBeNull();
    expect(filesIn(at, 'new', sessionOf(before))).toEqual([`${id}.json`]);
  });

  it('Gemini: comes after the error of a failed call, which is delivered again with it', async () => {
    const after = find('gemini-cli', 'AfterTool', failed);
    const id = await send(at, 'gemini-cli', sessionOf(after));
    const answer = call(at, 'gemini-cli', after) as { decision: string; reason: string };
    expect(answer.decision).toBe('deny');
    expect(answer.reason).toMatch(/^Could not find an exact match for 'old_string' in 'README\.md'\./);
    expect(answer.reason.endsWith(`\n\n<hook_context>Read the error first. [unstuck ${id}]</hook_context>`)).toBe(true);
  });

  it('Gemini: is not delivered with the result of a command that the person cancelled, which is not read; their next prompt delivers it', async () => {
    const words =
      'Command was cancelled by user before it could complete. There was no output before it was cancelled.';
    const after = find('gemini-cli', 'AfterTool');
    const id = await send(at, 'gemini-cli', sessionOf(after));
    for (const llmContent of [words, `<untrusted_context>\n${words}\n</untrusted_context>`]) {
      const payload = { ...after.payload, tool_response: { llmContent, returnDisplay: 'Command cancelled by user.' } };
      expect(call(at, 'gemini-cli', { ...after, payload })).toBeNull();
    }
    const prompt = find('gemini-cli', 'BeforeAgent');
    expect(
      JSON.stringify(
        call(at, 'gemini-cli', { ...prompt, payload: { ...prompt.payload, session_id: sessionOf(after) } }),
      ),
    ).toContain(id);
  });

  it('is delivered as usual after a failed command, which is no failed call for Codex and Gemini', async () => {
    for (const [agent, event, sign] of [
      ['codex', 'PostToolUse', 'No such file'],
      ['gemini-cli', 'AfterTool', 'Exit Code: 3'],
    ] as const) {
      const after = find(agent, event, (payload) => JSON.stringify(payload).includes(sign));
      const id = await send(at, agent, sessionOf(after));
      expect(call(at, agent, after)).toEqual(context(event, `Read the error first. [unstuck ${id}]`));
    }
  });
});

describe('a stop', () => {
  it('ends the turn of Gemini after its call', async () => {
    const after = find('gemini-cli', 'AfterTool');
    const id = await send(at, 'gemini-cli', sessionOf(after), { kind: 'stop', text: 'It repeats itself.' });
    expect(call(at, 'gemini-cli', after)).toEqual({
      continue: false,
      stopReason: `It repeats itself. [unstuck ${id}]`,
    });
  });

  it('ends the turn of Copilot if it requests permission, but not for a call of its sub-agent', async () => {
    const own = find('copilot-cli', 'permissionRequest', ({ agentId }) => agentId === undefined);
    const ofSubAgent = find('copilot-cli', 'permissionRequest', ({ agentId }) => agentId !== undefined);
    const parent = String(ofSubAgent.payload['sessionId']);
    await send(at, 'copilot-cli', parent, { kind: 'stop' });
    expect(call(at, 'copilot-cli', ofSubAgent)).toBeNull();
    const id = await send(at, 'copilot-cli', sessionOf(own), { kind: 'stop', text: 'It repeats itself.' });
    expect(call(at, 'copilot-cli', own)).toEqual({
      behavior: 'deny',
      message: `It repeats itself. [unstuck ${id}]`,
      interrupt: true,
    });
  });

  it('stays where it is in the middle of a turn of Codex, which no hook can end', async () => {
    const after = find('codex', 'PostToolUse');
    const id = await send(at, 'codex', sessionOf(after), { kind: 'stop' });
    expect(call(at, 'codex', after)).toBeNull();
    expect(filesIn(at, 'new', sessionOf(after))).toEqual([`${id}.json`]);
  });
});

describe('a block', () => {
  const deny = (words: string) => ({
    codex: {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: words,
      },
    },
    'gemini-cli': { decision: 'deny', reason: words },
    'copilot-cli': { permissionDecision: 'deny', permissionDecisionReason: words },
  });

  it.each([
    ['codex', 'PreToolUse', 'exec_command', { cmd: 'echo step 1', yield_time_ms: 1000 }],
    ['codex', 'PreToolUse', 'shell', { command: ['bash', '-lc', 'echo step 1'], workdir: '/home/dev' }],
    ['gemini-cli', 'BeforeTool', 'run_shell_command', { description: 'again', command: 'echo step 1' }],
    ['copilot-cli', 'preToolUse', 'bash', { description: 'again', command: 'echo step 1' }],
  ] as const)(
    '%s refuses at %s exactly the call that the transcript names %s, once',
    async (agent, event, name, args) => {
      const before = find(agent, event);
      const session = sessionOf(before);
      const id = await send(at, agent, session, { kind: 'block', text: 'It failed 6 times.', call: { name, args } });
      const key = agent === 'copilot-cli' ? 'toolArgs' : 'tool_input';
      const other = { ...before, payload: { ...before.payload, [key]: { command: 'echo step 2' } } };
      expect(call(at, agent, other)).toBeNull();
      expect(call(at, agent, before)).toEqual(deny(`It failed 6 times. [unstuck ${id}]`)[agent]);
      expect(call(at, agent, before)).toBeNull();
    },
  );

  it('Codex: values other than text do not become words of a command', () => {
    const payload = {
      session_id: 's1',
      cwd: '/work',
      tool_name: 'Bash',
      tool_input: { command: [{ toString: 1 }, []] },
    };
    const request = codexHookForm.read('PreToolUse', payload, {}, () => null);
    const refused = { kind: 'block', call: { name: 'shell', args: { command: ['x'] } } } as InboxMessage;
    expect(request?.choose([refused])).toEqual([]);
  });

  it('Codex: a patch by its text', async () => {
    const before = find('codex', 'PreToolUse', ({ tool_name }) => tool_name === 'apply_patch');
    const patch = (before.payload['tool_input'] as { command: string }).command;
    const refused = { name: 'apply_patch', args: { input: patch } };
    const id = await send(at, 'codex', sessionOf(before), { kind: 'block', text: 'No.', call: refused });
    await send(at, 'codex', sessionOf(before), { kind: 'nudge' });
    expect(call(at, 'codex', before)).toEqual(deny(`No. [unstuck ${id}]`).codex);
  });
});

describe('the recipient of a message', () => {
  it('is a sub-agent of Copilot by its own id: a message for its parent stays', async () => {
    const sub = find('copilot-cli', 'postToolUse', ({ agentId }) => agentId !== undefined);
    const parent = String(sub.payload['parentAgentId']);
    const id = await send(at, 'copilot-cli', parent);
    expect(call(at, 'copilot-cli', sub)).toBeNull();
    expect(filesIn(at, 'new', parent)).toEqual([`${id}.json`]);
  });

  it('is a sub-agent of Codex as a separate thread', async () => {
    const after = find('codex', 'PostToolUse');
    const { session_id, turn_id, ...rest } = after.payload;
    const sub = {
      ...after,
      payload: { session_id, turn_id, agent_id: '01a2004b-0000-7000-8000-000000000001', ...rest },
    };
    await send(at, 'codex', sessionOf(after));
    const own = await send(at, 'codex', '01a2004b-0000-7000-8000-000000000001');
    expect(JSON.stringify(call(at, 'codex', sub))).toContain(own);
    expect(call(at, 'codex', sub)).toBeNull();
  });

  it('is the session that Gemini names in the environment, so a message for another one starts no runtime', async () => {
    const after = find('gemini-cli', 'AfterTool');
    await send(at, 'gemini-cli', 'another-session');
    writeFileSync(join(at.hook, 'runtime'), '/no/such/runtime\n');
    expect(call(at, 'gemini-cli', after, { GEMINI_SESSION_ID: sessionOf(after) })).toBeNull();
    expect(hookLog(at)).toBe('');
    writeFileSync(join(at.hook, 'runtime'), `${process.execPath}\n`);
    const id = await send(at, 'gemini-cli', sessionOf(after));
    expect(JSON.stringify(call(at, 'gemini-cli', after, { GEMINI_SESSION_ID: sessionOf(after) }))).toContain(id);
  });
});
