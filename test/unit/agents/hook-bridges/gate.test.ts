import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PATIENCE } from '../../../support/patience';
import { isPrintRun } from '../../../../src/agents/shared/connect/gate-hold';
import { armFolder, type GateFileState, inboxFolder, writeGateFile } from '../../../../src/agents/inbox';
import type { AgentId } from '../../../../src/core/model';
import { hookLog, scratch, type Stage, stage } from '../inbox/hook-kit';
import { type Recorded, recorded, send, sessionOf } from './kit';

let place: { path: string; remove: () => void };
let at: Stage;
beforeEach(async () => {
  place = scratch();
  at = await stage(place.path);
});
afterEach(() => place.remove());

const ENDS = { codex: 'Stop', 'gemini-cli': 'AfterAgent', 'copilot-cli': 'agentStop' } as const;
type Agent = keyof typeof ENDS;

function ending(agent: Agent, more: object = {}): Recorded {
  const found = recorded(agent).find(({ event }) => event === ENDS[agent]);
  if (!found) throw new Error(`no ${ENDS[agent]} was recorded of ${agent}`);
  return { ...found, payload: { ...found.payload, ...more } };
}

const say = (session: string, state: GateFileState) => {
  const now = Date.now();
  return writeGateFile(at.project, {
    v: 1,
    session,
    state,
    at: now,
    until: now + 20_000,
    wait: 20_000,
    pid: process.pid,
  });
};
const ended = (session: string) => join(inboxFolder(at.project, session).path, 'ended.json');

/** A program with these arguments that calls the hook, as the agent does. Returns what the hook printed. */
function callBy(words: readonly string[], agent: AgentId, one: Recorded): Promise<{ said: string }> {
  const program = join(place.path, 'agent.cjs');
  writeFileSync(
    program,
    `const child = require('node:child_process').spawn('sh', ${JSON.stringify([join(at.hook, 'hook.sh'), agent, one.event])}, { stdio: ['pipe', 'inherit', 'inherit'] });
    child.stdin.end(${JSON.stringify(JSON.stringify({ ...one.payload, cwd: at.project }))});`,
  );
  return new Promise((settle) => {
    let said = '';
    const child = spawn(process.execPath, [program, ...words], { env: { PATH: process.env['PATH'] ?? '' } });
    child.stdout.on('data', (part: Buffer) => void (said += part.toString()));
    child.on('close', () => settle({ said }));
  });
}

const PRINT: Readonly<Record<Agent, readonly string[]>> = {
  codex: ['exec', 'Fix it.'],
  'gemini-cli': ['--yolo', '-p', 'Fix it.'],
  'copilot-cli': ['--allow-all-tools', '--prompt=Fix it.'],
};

describe.skipIf(process.platform !== 'linux').each(['codex', 'gemini-cli', 'copilot-cli'] as const)(
  'the end hook of %s without a person',
  (agent) => {
    it('waits for the verdict, and delivers what failed', async () => {
      const one = ending(agent);
      const session = sessionOf(one);
      await say(session, 'running');
      const answered = callBy(PRINT[agent], agent, one);
      await new Promise((later) => setTimeout(later, 400));
      await send(at, agent, session, { kind: 'gate', text: '## Completion Blocked: tests failed' });
      await say(session, 'failed');
      const { said } = await answered;
      expect(JSON.parse(said)).toMatchObject({ reason: expect.stringContaining('Completion Blocked') });
    });

    it('lets the agent end if the gates are green', async () => {
      const one = ending(agent);
      await say(sessionOf(one), 'passed');
      expect((await callBy(PRINT[agent], agent, one)).said).toBe('');
      expect(hookLog(at)).toBe('');
    });
  },
);

describe.skipIf(process.platform !== 'linux')('a hook reports the end of the turn', () => {
  it.each(['codex', 'gemini-cli'] as const)('of %s, whose transcript shows it too late or never', async (agent) => {
    const one = ending(agent);
    const session = sessionOf(one);
    await say(session, 'armed');
    const began = Date.now();
    const answered = callBy(PRINT[agent], agent, one);
    await vi.waitFor(() => expect(existsSync(ended(session))).toBe(true), PATIENCE);
    const told = JSON.parse(readFileSync(ended(session), 'utf8')) as { at: number };
    expect(told).toMatchObject({ v: 1, session });
    expect(told.at).toBeGreaterThanOrEqual(began);
    expect(told.at).toBeLessThanOrEqual(Date.now());
    await say(session, 'passed');
    expect((await answered).said).toBe('');
  });

  it('even if it is over before the window sees its session', async () => {
    const one = ending('codex');
    const session = sessionOf(one);
    await armFolder(at.project, process.pid, () => true);
    const answered = callBy(PRINT.codex, 'codex', one);
    await new Promise((later) => setTimeout(later, 900));
    const seenAt = Date.now();
    await say(session, 'armed');
    await vi.waitFor(() => expect(existsSync(ended(session))).toBe(true), PATIENCE);
    // The window does not take anything older than the turn's own file for the end of this turn.
    expect((JSON.parse(readFileSync(ended(session), 'utf8')) as { at: number }).at).toBeGreaterThanOrEqual(seenAt);
    await send(at, 'codex', session, { kind: 'gate', text: '## Completion Blocked: tests failed' });
    await say(session, 'failed');
    expect((await answered).said).toContain('Completion Blocked');
  });

  it.each([
    ['codex', 'last_assistant_message'],
    ['gemini-cli', 'prompt_response'],
  ] as const)('of %s, but not if it ends with a question to its user', async (agent, field) => {
    const one = ending(agent, { [field]: 'Shall I go on?' });
    await say(sessionOf(one), 'armed');
    expect((await callBy(PRINT[agent], agent, one)).said).toBe('');
    expect(existsSync(ended(sessionOf(one)))).toBe(false);
  });
});

describe('with a person', () => {
  it.each([
    ['gemini-cli', ['-i', 'run mkdir -p src']],
    ['gemini-cli', ['What does mkdir -p do?']],
    ['copilot-cli', ['-i', 'Fix it.', '--prompt', 'x']],
    ['copilot-cli', ['--resume=-p']],
  ] as const)('%s %j returns at once: waiting would only keep them from writing', async (agent, words) => {
    const one = ending(agent);
    await say(sessionOf(one), 'running');
    expect(await callBy(words, agent, one)).toMatchObject({
      said: '',
    });
  });

  it('is assumed if it is unknown how the agent was started', () => {
    expect(isPrintRun(null, ['-p'], [])).toBe(false);
    expect(isPrintRun([], ['-p'], [])).toBe(false);
    expect(isPrintRun(['gemini', '-p', 'x'], ['-p'], [])).toBe(true);
  });
});
