import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import { claudeCode as bridge } from '../../../../src/agents/claude-code/bridge';
import { encodeFolder } from '../../../../src/agents/claude-code/locate';
import type { LivenessProbe, LocateEnvironment } from '../../../../src/agents/transcripts';
import { call, prompt, SESSION } from './support';

const linux: LocateEnvironment = { home: '/home/dev', env: {}, platform: 'linux' };

describe('where the transcripts are', () => {
  const [root] = claudeCode.locate(linux);
  const matches = (path: string): boolean => root?.matches(path) ?? false;
  const mayBelong = (folder: string, ...folders: string[]): boolean => root?.mayBelong?.(folder, folders) ?? false;

  it('are in the home folder, or where the variable says', () => {
    expect(root?.path).toBe('/home/dev/.claude/projects');
    expect(claudeCode.locate({ ...linux, env: { CLAUDE_CONFIG_DIR: '/etc/claude/' } })[0]?.path).toBe(
      '/etc/claude/projects',
    );
    expect(
      claudeCode.locate({ home: 'C:\\Users\\x', env: { CLAUDE_CONFIG_DIR: ' ' }, platform: 'win32' })[0]?.path,
    ).toBe('C:/Users/x/.claude/projects');
  });

  it('are in the same folder as the settings that Connect writes', () => {
    for (const set of [undefined, '', ' ', '/etc/claude/']) {
      const places = { ...linux, env: { CLAUDE_CONFIG_DIR: set } };
      const transcripts = claudeCode.locate(places)[0]?.path;
      expect(dirname(bridge.settingsPath('user', '/w', places))).toBe(dirname(transcripts ?? ''));
    }
  });

  it('hold sessions, and sub-agents below them', () => {
    expect(matches(`-home-dev-project/${SESSION}.jsonl`)).toBe(true);
    expect(matches(`-home-dev-project/${SESSION}/subagents/agent-ac.jsonl`)).toBe(true);
    expect(matches(`-home-dev-project/${SESSION}/subagents/workflows/w1/agent-ac.jsonl`)).toBe(true);
    expect(matches(`-home-dev-project/${SESSION}/subagents/agent-ac.meta.json`)).toBe(false);
    expect(matches(`-home-dev-project/${SESSION}/tool-results/x.txt`)).toBe(false);
    expect(matches('-home-dev-project/memory/MEMORY.md')).toBe(false);
  });

  it('have lossy folder names, as the CLI makes them', () => {
    expect(encodeFolder('/home/x/my proj.v1_x')).toBe('-home-x-my-proj-v1-x');
    expect(encodeFolder('/home/x/ünïcode')).toBe('-home-x--n-code');
  });

  it('are not opened in a folder that cannot belong', () => {
    expect(mayBelong('-home-dev-project', '/home/dev/project')).toBe(true);
    expect(mayBelong('-home-dev-project-packages-a', '/home/dev/project/')).toBe(true);
    expect(mayBelong('-home-dev-projects', '/home/dev/project')).toBe(false);
    expect(mayBelong('-home-dev', '/home/dev/project')).toBe(false);
    expect(mayBelong('c--Users-x-polydot', 'C:\\Users\\x\\polydot')).toBe(true);
    expect(mayBelong('-any-thing', '/')).toBe(true);
    expect(mayBelong(`-home-dev-project/${SESSION}/subagents`, '/home/dev/project')).toBe(true);
    expect(mayBelong(`-home-dev-project/${SESSION}/tool-results`, '/home/dev/project')).toBe(false);
  });

  it('have cut and hashed names for a very long path', () => {
    const long = `/home/dev/${'deep/'.repeat(60)}end`;
    const name = `${encodeFolder(long).slice(0, 200)}-a1b2c3`;
    expect(mayBelong(name, long)).toBe(true);
    expect(mayBelong(name, '/home/dev')).toBe(true);
    expect(mayBelong(name, '/home/other')).toBe(false);
  });
});

describe('what the head of a file says', () => {
  const head = [prompt('x', { cwd: '/home/dev/a "b"' }), call('a', 'Bash', {})]
    .map((row) => JSON.stringify(row))
    .join('\n');
  const file = `/home/dev/.claude/projects/p/${SESSION}.jsonl`;

  it('is its agent', () => {
    expect(claudeCode.peek(head, file)).toMatchObject({ session: SESSION, cwd: '/home/dev/a "b"' });
    expect(claudeCode.peek(head, '/x/renamed.jsonl').session).toBe(SESSION);
    expect(claudeCode.peek(head, `/p/${SESSION}/subagents/agent-ac.jsonl`)).toEqual({
      session: 'agent-ac',
      cwd: '/home/dev/a "b"',
      parent: SESSION,
    });
    expect(claudeCode.peek('', '/x/a.jsonl')).toEqual({ session: 'a' });
  });

  it('is whether it is a transcript', () => {
    expect(claudeCode.recognises(head, file)).toBe('yes');
    expect(claudeCode.recognises(head.slice(0, 200), file)).toBe('yes');
    expect(claudeCode.recognises('', file)).toBe('no');
    expect(claudeCode.recognises('{"v":1,"type":"user","text":"x"}', '/x/a.agent.jsonl')).toBe('no');
    const qwen = JSON.stringify({
      uuid: '1',
      parentUuid: null,
      sessionId: 's',
      type: 'user',
      message: { role: 'user', parts: [{ text: 'x' }] },
    });
    expect(claudeCode.recognises(qwen, '/x/a.jsonl')).toBe('no');
  });
});

describe('whether a session lives', () => {
  const entry = (more: object) =>
    JSON.stringify({ pid: 77, sessionId: SESSION, procStart: '76124', statusUpdatedAt: 5, status: 'busy', ...more });
  const probe = (files: Record<string, string>, starts: Record<number, string>): LivenessProbe => ({
    list: (folder) => (folder === '/home/dev/.claude/sessions' ? Object.keys(files) : []),
    read: (path) => files[path.slice('/home/dev/.claude/sessions/'.length)],
    processStart: (pid) => starts[pid] ?? null,
  });
  const live = (files: Record<string, string>, starts: Record<number, string>, environment = linux) =>
    claudeCode.liveness?.(environment, probe(files, starts)).get(SESSION);

  it('is known by its process with the recorded start time', () => {
    expect(live({ '77.json': entry({}) }, { 77: '76124' })).toEqual({ alive: true, pid: 77, status: 'busy', since: 5 });
  });

  it('is denied for a killed process, and for one that got its number later', () => {
    expect(live({ '77.json': entry({}) }, {})).toEqual({ alive: false, pid: 77 });
    expect(live({ '77.json': entry({}) }, { 77: '99999' })).toEqual({ alive: false, pid: 77 });
  });

  it('depends on the number alone elsewhere, where the unit of the start time is unknown', () => {
    expect(live({ '77.json': entry({}) }, { 77: 'Fri Nov 20' }, { ...linux, platform: 'darwin' })?.alive).toBe(true);
  });

  it('comes with what it waits for', () => {
    expect(
      live({ '77.json': entry({ status: 'waiting', waitingFor: 'permission prompt' }) }, { 77: '76124' })?.waitingFor,
    ).toBe('permission');
    expect(
      live({ '77.json': entry({ status: 'waiting', waitingFor: 'input needed' }) }, { 77: '76124' })?.waitingFor,
    ).toBe('question');
  });

  it('is decided by the live entry if there is a stale one, too', () => {
    const files = { '77.json': entry({ statusUpdatedAt: 99 }), '78.json': entry({ pid: 78, procStart: '5' }) };
    expect(live(files, { 78: '5' })?.pid).toBe(78);
  });

  it('skips broken files, keys and strangers', () => {
    const map = claudeCode.liveness?.(
      linux,
      probe({ '1.json': '{', '2.json': '[]', '77.abc.key': 'secret', 'x.json': entry({}) }, { 77: '76124' }),
    );
    expect(map?.size).toBe(0);
  });
});
