import { describe, expect, it } from 'vitest';
import { clineConversation } from '../../../../src/agents/cline/adapter';
import { clineHookForm } from '../../../../src/agents/cline/bridge-hook';
import type { InboxMessage } from '../../../../src/core/model';

describe("Cline's hook after a call", () => {
  const payload = {
    sessionContext: { rootSessionId: '1795746223861_zh21t' },
    workspaceRoots: ['/work/shop'],
    parent_agent_id: null,
    hookName: 'tool_result',
  };
  const read = (given: unknown) => clineHookForm.read('PostToolUse', given, {}, () => null);
  const message = (kind: InboxMessage['kind']) =>
    ({ id: '01M8DCYXF7K1VRNSGVJK27TPHT', agent: 'cline', kind, text: 'Look elsewhere.' }) as InboxMessage;
  const answer = (kind: InboxMessage['kind']) =>
    JSON.parse(clineHookForm.answer('PostToolUse', [message(kind)], [], payload).stdout) as unknown;

  it('knows its session and its folders', () => {
    expect(read(payload)).toMatchObject({ sessions: ['1795746223861_zh21t'], folders: ['/work/shop'] });
  });

  it("delivers nothing to a sub-agent, which calls with its parent's session, and nothing to others", () => {
    expect(read({ ...payload, parent_agent_id: 'agent_1' })).toBeNull();
    expect(read({ hookName: 'tool_result' })).toBeNull();
    const chosen = read(payload)?.choose([{ ...message('nudge'), agent: 'codex' }]);
    expect(chosen).toEqual([]);
  });

  it('adds a text to what the model reads, and ends the run at a stop', () => {
    expect(answer('nudge')).toEqual({ contextModification: 'Look elsewhere.' });
    expect(answer('stop')).toEqual({ cancel: true, errorMessage: 'Look elsewhere.' });
  });
});

describe("a session of Cline's command line", () => {
  const file = '/home/me/.cline/data/sessions/s1/s1.messages.json';
  const beside = (state: object) => (path: string) =>
    path === '/home/me/.cline/data/sessions/s1/s1.json' ? JSON.stringify(state) : undefined;
  const environment = { home: '/home/me', env: {}, platform: 'linux' as const };

  it('works in the folder named in the file beside its messages', () => {
    const head = '{"version":1,"agent":"lead","sessionId":"s1","messages":[]}';
    expect(clineConversation.peek(head, file, beside({ cwd: '/work/shop' }))).toEqual({
      session: 's1',
      cwd: '/work/shop',
    });
  });

  it.each([
    ['runs', { status: 'running', pid: 7 }, '1', 'cline', true],
    ['has ended', { status: 'completed', pid: 7 }, '1', 'cline', false],
    ['was killed', { status: 'running', pid: 7 }, null, 'cline', false],
    ['was killed, and its process id is used again', { status: 'running', pid: 7 }, '1', 'vim', false],
  ])('is alive as long as its process runs: it %s', (_what, state, started, command, alive) => {
    const found = clineConversation.liveness?.(environment, {
      list: () => ['s1'],
      read: (path) => (path === '/proc/7/cmdline' ? command : beside(state)(path)),
      processStart: () => started,
    });
    expect(found?.get('s1')).toEqual({ alive, pid: 7 });
  });
});
