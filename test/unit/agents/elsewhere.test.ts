import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { elsewhereOf } from '../../../src/agents/elsewhere';
import { createProcessSearch, findAgentProcesses } from '../../../src/agents/processes';
import { descriptors } from '../../../src/agents/registry';
import { FOLDER_VARIABLES } from '../../../src/editor/settings/settings';
import { scratch } from './inbox/hook-kit';

const ME = 1000;
const HOME = '/home/me';

let place: { path: string; remove: () => void };
let proc: string;
let work: string;
beforeEach(() => {
  place = scratch();
  proc = join(place.path, 'proc');
  work = join(place.path, 'work');
  mkdirSync(proc);
  mkdirSync(work);
});
afterEach(() => place.remove());

interface Running {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly parent?: number;
  readonly uid?: number;
}

/** A process as Linux shows it. */
function running(pid: number, { words, env = {}, cwd = work, parent = 1, uid = ME }: Running): void {
  const folder = join(proc, String(pid));
  mkdirSync(folder);
  writeFileSync(join(folder, 'cmdline'), `${words.join('\0')}\0`);
  writeFileSync(
    join(folder, 'status'),
    `Name:\tx\nPid:\t${pid}\nPPid:\t${parent}\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\n`,
  );
  const entries = Object.entries({ HOME, ...env }).map(([name, value]) => `${name}=${value}`);
  writeFileSync(join(folder, 'environ'), `${entries.join('\0')}\0`);
  symlinkSync(cwd, join(folder, 'cwd'));
}

const found = () => findAgentProcesses(ME, proc);
const elsewhere = async (agent: (typeof descriptors)[number]['id'], env: Readonly<Record<string, string>> = {}) =>
  elsewhereOf(agent, await found(), [work], { home: HOME, env });

describe('the agents that run on a machine', () => {
  it('are recognised by their program or its package, and an agent that relaunches itself is one', async () => {
    running(10, { words: ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js'] });
    running(11, { words: ['/opt/vendor/bin/codex'], parent: 10 });
    running(20, { words: ['/usr/bin/node', '--max-old-space-size=9000', '/usr/bin/gemini'] });
    running(30, { words: ['claude'] });
    running(40, { words: ['vim', 'claude'] });
    expect((await found()).map(({ agent, pid }) => [agent, pid])).toEqual([
      ['codex', 11],
      ['gemini-cli', 20],
      ['claude-code', 30],
    ]);
  });

  it('are two if one works for the other: only the launcher of the very same agent does not count', async () => {
    running(30, { words: ['claude'] });
    running(31, { words: ['codex', 'exec', 'Review the change.'], parent: 30 });
    expect((await found()).map(({ agent }) => agent)).toEqual(['claude-code', 'codex']);
  });

  it('are those of this user, and not those that serve others without a person', async () => {
    running(10, { words: ['codex'], uid: 0 });
    running(11, { words: ['codex', 'app-server'] });
    running(12, { words: ['opencode', 'serve'] });
    expect(await found()).toEqual([]);
    expect(await findAgentProcesses(undefined, proc)).toEqual([]);
    expect(await findAgentProcesses(ME, join(place.path, 'nothing'))).toEqual([]);
  });

  it('have their environment read for a few folders only: no key of it is kept', async () => {
    running(10, { words: ['codex'], env: { CODEX_HOME: '/data/codex', OPENAI_API_KEY: 'sk-secret' } });
    expect((await found())[0]?.env).toEqual({ HOME, CODEX_HOME: '/data/codex' });
  });
});

describe('an agent that keeps its files where this window does not look', () => {
  it('is found by the environment of its own process, with what moved them', async () => {
    running(10, { words: ['codex'], env: { CODEX_HOME: '/data/codex' } });
    running(11, { words: ['gemini'], env: { GEMINI_CLI_HOME: '/data/gemini' } });
    expect(await elsewhere('codex')).toEqual({
      pid: 10,
      variable: 'CODEX_HOME',
      folder: '/data/codex',
      ours: '/home/me/.codex',
      settable: true,
    });
    expect(await elsewhere('gemini-cli')).toMatchObject({ folder: '/data/gemini', ours: HOME });
    expect(await elsewhere('claude-code')).toBeNull();
  });

  it('is found if only this window has the variable', async () => {
    running(10, { words: ['claude'] });
    expect(await elsewhere('claude-code', { CLAUDE_CONFIG_DIR: '/data/claude' })).toMatchObject({
      folder: '/home/me/.claude',
      ours: '/data/claude',
    });
  });

  it('is none if both name one folder, by a link or in full', async () => {
    const real = join(place.path, 'codex');
    mkdirSync(real);
    symlinkSync(real, join(place.path, 'link'));
    running(10, { words: ['codex'], env: { CODEX_HOME: join(place.path, 'link') } });
    running(11, { words: ['claude'], env: { CLAUDE_CONFIG_DIR: '/home/me/.claude' } });
    expect(await elsewhere('codex', { CODEX_HOME: real })).toBeNull();
    expect(await elsewhere('claude-code')).toBeNull();
  });

  it('is none if it works in another folder, or names no place that is the same everywhere', async () => {
    running(10, { words: ['codex'], env: { CODEX_HOME: '/data/codex' }, cwd: '/srv' });
    running(11, { words: ['codex'], env: { CODEX_HOME: 'codex' } });
    expect(await elsewhere('codex')).toBeNull();
  });

  it('is searched for below the home folder of its own process, and below ours if it has none', async () => {
    running(10, { words: ['codex'], env: { HOME: '/home/other' } });
    expect(await elsewhere('codex')).toMatchObject({ folder: '/home/other/.codex', ours: '/home/me/.codex' });
    const [one] = await found();
    if (!one) throw new Error('no process');
    const { HOME: _, ...env } = one.env;
    expect(await elsewhereOf('codex', [{ ...one, env }], [work], { home: HOME, env: {} })).toBeNull();
  });

  it('is one in any of the open folders', async () => {
    running(10, { words: ['codex'], env: { CODEX_HOME: '/data/codex' } });
    const folders = [join(place.path, 'another'), work];
    expect(await elsewhereOf('codex', await found(), folders, { home: HOME, env: {} })).toMatchObject({ pid: 10 });
    expect(await elsewhereOf('codex', await found(), [], { home: HOME, env: {} })).toBeNull();
  });

  it('is searched for by a setting only if no other program uses the same variable', async () => {
    running(10, { words: ['opencode'], env: { XDG_CONFIG_HOME: '/data/config' } });
    expect(await elsewhere('opencode')).toMatchObject({ variable: 'XDG_CONFIG_HOME', settable: false });
    const own = descriptors.flatMap(({ folders = [] }) => folders.flatMap((one) => (one.shared ? [] : one.variable)));
    expect([...FOLDER_VARIABLES].sort()).toEqual(own.sort());
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { configuration: readonly { properties: Record<string, { properties?: object }> }[] };
    };
    const setting = contributes.configuration.flatMap(({ properties }) => properties['unstuck.agents.folders'] ?? []);
    expect(Object.keys(setting[0]?.properties ?? {}).sort()).toEqual(own.sort());
  });
});

it('processes are searched again two seconds later, and after the clock was set back', () => {
  let now = 10_000_000;
  const search = createProcessSearch(undefined, () => now);
  const first = search();
  now += 2_000;
  expect(search()).toBe(first);
  now += 1;
  const second = search();
  expect(second).not.toBe(first);
  now -= 3_600_000;
  expect(search()).not.toBe(second);
});
