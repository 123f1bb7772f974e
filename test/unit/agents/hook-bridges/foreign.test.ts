import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installHook, sessionFolderName } from '../../../../src/agents/inbox';
import type { AgentId } from '../../../../src/core/model';
import { hookBundle, hookScript, filesIn, payload, scratch, SESSION, stage, type Stage } from '../inbox/hook-kit';
import { call, type Recorded, recorded, send, sessionOf } from './kit';

/** Any ULID: the name of a message that we did not send. */
const ID = '01JDAAAAAAAAAAAAAAAAAAAAAA';
const SUB = 'ac8755bb1fb322fd8';

let place: { path: string; remove: () => void };
let at: Stage;
let starts: string;
beforeEach(async () => {
  place = scratch();
  at = await stage(place.path);
  starts = join(place.path, 'starts');
  const runtime = join(place.path, 'runtime.sh');
  writeFileSync(runtime, `#!/bin/sh\necho >>"${starts}"\nexec "${process.execPath}" "$@"\n`);
  chmodSync(runtime, 0o700);
  await installHook(at.hook, { script: hookScript, bundle: hookBundle(), runtimes: [runtime] });
});
afterEach(() => place.remove());

/** The number of runtimes started so far. */
const started = (): number => (existsSync(starts) ? readFileSync(starts, 'utf8').length : 0);

/** A finished call of a tool, as each agent reports it, with what the environment says about the session. */
interface Caller {
  readonly agent: AgentId;
  readonly one: Recorded;
  readonly session: string;
  readonly env: Record<string, string>;
}

function caller(agent: AgentId): Caller {
  if (agent === 'claude-code') {
    const one = { event: 'PostToolBatch', payload: payload(at, 'PostToolBatch') as Recorded['payload'] };
    return { agent, one, session: SESSION, env: { CLAUDE_CODE_SESSION_ID: SESSION, CLAUDE_CODE_ENTRYPOINT: 'cli' } };
  }
  const one = recorded(agent).find(({ event }) => /^(?:postToolUse|PostToolUse|AfterTool)$/.test(event));
  if (!one) throw new Error('no call recorded');
  const session = sessionOf(one);
  return { agent, one, session, env: agent === 'gemini-cli' ? { GEMINI_SESSION_ID: session } : {} };
}

const ask = ({ agent, one, env }: Caller): unknown => call(at, agent, one, env);

/** A file in `new` of a folder of the inbox, as a repository may bring it along. */
function lay(folder: string, text = '{}', name = `${ID}.json`): string {
  const path = join(at.project, '.unstuck/inbox', folder, 'new');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, name), text);
  return join(path, name);
}

describe.each(['claude-code', 'codex', 'copilot-cli', 'gemini-cli'] as const)('%s', (agent) => {
  it('starts no runtime for messages to others, whatever their folders are called', async () => {
    const from = caller(agent);
    await send(at, agent, 'somebody-else');
    const words = ['zz', 'a', 'session_id', 'sessionId', 'Bash', 'PostToolUse', 'pytest', 'cwd', 'agent-zz', 'agent-'];
    for (const folder of [...words, 's-0123456789abcdef', from.session.slice(0, 8)]) lay(folder);
    for (let calls = 0; calls < 5; calls++) expect(ask(from)).toBeNull();
    expect(started()).toBe(0);
    await send(at, agent, from.session);
    expect(JSON.stringify(ask(from))).toContain('Read the error first.');
    expect(ask(from)).toBeNull();
    expect(started()).toBe(1);
  });

  it('starts no runtime if the call itself mentions another session', async () => {
    const from = caller(agent);
    await send(at, agent, 'somebody-else');
    const said = { session_id: 'somebody-else', sessionId: 'somebody-else', agent_id: 'somebody-else' };
    const one = {
      ...from.one,
      payload: { ...from.one.payload, tool_input: said, tool_response: JSON.stringify(said) },
    };
    expect(ask({ ...from, one })).toBeNull();
    expect(started()).toBe(0);
  });

  it.each([
    ['no JSON', '{ "v": 1, '],
    ['against the schema', '{ "v": 1 }'],
    ['for another session', JSON.stringify(message('another'))],
    ['over 1 MB', ' '.repeat(1024 * 1024 + 1)],
    ['a message of a later version that has expired', '{"v":2,"expires":"2020-01-01T00:00:00Z"}'],
  ])('moves junk in its own folder aside at the first call: %s', (_, text) => {
    const from = caller(agent);
    lay(from.session, text);
    for (let calls = 0; calls < 3; calls++) expect(ask(from)).toBeNull();
    expect(started()).toBe(1);
    expect(filesIn(at, 'new', from.session)).toEqual([]);
    expect(filesIn(at, 'cur', from.session)).toEqual([`${ID}.json`]);
  });

  it('starts no runtime for what cannot be taken: a link, a folder, another name, a message that was handed over', async () => {
    const from = caller(agent);
    const id = await send(at, agent, from.session);
    expect(JSON.stringify(ask(from))).toContain(id);
    lay(from.session, '{}', `${id}.json`);
    lay(from.session, '{}', `${ID.toLowerCase()}.json`);
    lay(from.session, '{}', `${'!'.repeat(26)}.json`);
    const path = lay(from.session);
    renameSync(path, join(place.path, 'elsewhere.json'));
    symlinkSync(join(place.path, 'elsewhere.json'), path);
    mkdirSync(path.replace(ID, '01JDBBBBBBBBBBBBBBBBBBBBBB'));
    for (let calls = 0; calls < 3; calls++) expect(ask(from)).toBeNull();
    expect(started()).toBe(1);
  });

  it('finds a session whose id is not a plain name, and no other one of that kind', async () => {
    const from = caller(agent);
    const odd = 'a session/with ünusual name';
    lay('s-0123456789abcdef');
    const one = { ...from.one, payload: { ...from.one.payload, session_id: odd, sessionId: odd } };
    const env = { ...from.env, CLAUDE_CODE_SESSION_ID: odd, GEMINI_SESSION_ID: odd };
    expect(ask({ ...from, one, env })).toBeNull();
    expect(started()).toBe(0);
    const id = await send(at, agent, odd);
    expect(filesIn(at, 'new', sessionFolderName(odd))).toEqual([`${id}.json`]);
    expect(JSON.stringify(ask({ ...from, one, env }))).toContain(id);
  });

  it('hands a message over after a payload of 1 MB', async () => {
    const from = caller(agent);
    const id = await send(at, agent, from.session);
    const one = { ...from.one, payload: { ...from.one.payload, padding: 'x"\\'.repeat(300_000) } };
    expect(JSON.stringify(ask({ ...from, one }))).toContain(id);
  });
});

describe('a sub-agent', () => {
  /** The call of a sub-agent, with its id where the agent writes it: before the call. */
  function ofSubAgent(agent: 'claude-code' | 'codex'): { readonly from: Caller; readonly name: string } {
    const parent = caller(agent);
    const { session_id, turn_id, ...rest } = parent.one.payload;
    const one = { ...parent.one, payload: { session_id, turn_id, agent_id: SUB, agent_type: 'general', ...rest } };
    return { from: { ...parent, one }, name: agent === 'codex' ? SUB : `agent-${SUB}` };
  }

  it.each(['claude-code', 'codex'] as const)(
    'of %s starts no runtime for a message that waits for its parent',
    async (agent) => {
      const { from, name } = ofSubAgent(agent);
      await send(at, agent, from.session);
      expect(ask(from)).toBeNull();
      expect(started()).toBe(0);
      const own = await send(at, agent, name);
      expect(JSON.stringify(ask(from))).toContain(own);
      expect(started()).toBe(1);
      expect(filesIn(at, 'new', from.session)).toHaveLength(1);
    },
  );

  it('of Copilot CLI that requests a permission is named after the call, and its parent as the session', async () => {
    const one = recorded('copilot-cli').find(
      ({ event, payload: { agentId } }) => event === 'permissionRequest' && agentId !== undefined,
    );
    if (!one) throw new Error('no request recorded');
    const from = { agent: 'copilot-cli', one, session: sessionOf(one), env: {} } as const;
    await send(at, 'copilot-cli', String(one.payload['parentAgentId']), { kind: 'stop' });
    expect(ask(from)).toBeNull();
    expect(started()).toBe(0);
    const own = await send(at, 'copilot-cli', from.session, { kind: 'stop' });
    expect(JSON.stringify(ask(from))).toContain(own);
  });
});

function message(session: string): object {
  const t = '2026-11-20T18:53:50.123Z';
  const rest = { agent: 'codex', kind: 'nudge', text: 'Not for you.', from: 'unstuck', automated: true, expires: t };
  return { v: 1, id: ID, t, session, ...rest };
}
