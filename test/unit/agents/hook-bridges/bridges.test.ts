import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBridges } from '../../../../src/agents/bridges';
import { hookHash } from '../../../../src/agents/codex/bridge-trust';
import { digestOf } from '../../../../src/agents/shared/connect/connection-record';
import { textOfEntries } from '../../../../src/agents/shared/connect/hook-entries';
import { GROUPED, type HookLayout, hooksOf } from '../../../../src/agents/shared/connect/hook-settings';
import { type Bridge, type ConnectTarget } from '../../../../src/agents/inbox';
import { recordedRoots } from '../../../../src/agents/inbox/hook/hook-folder';
import { hookBundle, hookScript, scratch } from '../inbox/hook-kit';

const PLAIN: HookLayout = { grouped: false, commandKey: 'bash', head: { version: 1 }, strict: true };
const AGENTS = ['codex', 'gemini-cli', 'copilot-cli'] as const;
type Agent = (typeof AGENTS)[number];

let place: { path: string; remove: () => void };
let home: string;
let project: string;
let hookFolder: string;
let target: ConnectTarget;

beforeEach(() => {
  place = scratch();
  home = join(place.path, 'home');
  project = join(place.path, 'project');
  hookFolder = join(place.path, 'global storage', 'hook');
  target = { folder: project, workspaceFolders: [project], scope: 'user' };
  mkdirSync(project);
  mkdirSync(home);
});
afterEach(() => place.remove());

function bridge(agent: Agent, more: { env?: Record<string, string>; runtimes?: readonly string[] } = {}): Bridge {
  const bridges = createBridges({
    home,
    env: { PATH: process.env['PATH'], ...more.env },
    hookFolder,
    hookFiles: () =>
      Promise.resolve({ script: hookScript, bundle: hookBundle(), runtimes: more.runtimes ?? [process.execPath] }),
    now: () => Date.now(),
  });
  const found = bridges.get(agent);
  if (!found) throw new Error(agent);
  return found;
}

const FILES: Readonly<Record<Agent, string>> = {
  codex: '.codex/hooks.json',
  'gemini-cli': '.gemini/settings.json',
  'copilot-cli': '.copilot/hooks/unstuck.json',
};
const fileOf = (agent: Agent): string => join(home, FILES[agent]);

function write(agent: Agent, text: string, mode = 0o644): void {
  mkdirSync(dirname(fileOf(agent)), { recursive: true });
  writeFileSync(fileOf(agent), text, { mode });
}

async function connected(agent: Agent, by = bridge(agent)): Promise<Bridge> {
  const plan = await by.plan(target);
  if (!plan.ok) throw new Error(plan.error.message);
  const done = await by.connect(plan.value);
  if (!done.ok) throw new Error(done.error.message);
  return by;
}

/** Writes what Codex writes into its configuration when the user trusts all hooks. */
function trustAll(): void {
  const found = hooksOf(readFileSync(fileOf('codex'), 'utf8')) ?? [];
  const tables = found.map((hook) => {
    const event = hook.event.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    const key = `${fileOf('codex')}:${event}:${hook.groupIndex}:${hook.index}`;
    return `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${hookHash(hook)}"\n`;
  });
  writeFileSync(join(home, '.codex/config.toml'), `model = "gpt-5.5"\n\n[hooks.state]\n\n${tables.join('\n')}`);
}

/** Files of a person, each as its agent reads it. */
const BEFORE: Readonly<Record<Agent, readonly string[]>> = {
  codex: [
    '{}',
    '{"hooks":{}}',
    '{\n    "hooks": {\n        "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ]\n    }\n}\n',
    '{\r\n\t"hooks": {}\r\n}\r\n',
  ],
  'gemini-cli': [
    '{\n  // how I sign in\n  "security": { "auth": { "selectedType": "oauth-personal" } }, // mine\n}\n',
    '{"hooks":{"AfterTool":[{"matcher":"write_file","hooks":[{"type":"command","command":"fmt"}]}]}}',
    '\uFEFF{\r\n    "ui": { "theme": "GitHub" }\r\n}\r\n',
    '{}',
  ],
  'copilot-cli': [
    '{\n  "version": 1,\n  "hooks": {\n    "postToolUse": [{ "type": "command", "bash": "say done" }]\n  }\n}\n',
    '{"version":1,"hooks":{}}',
  ],
};

describe.each(AGENTS)('%s', (agent) => {
  it('is connected only in the user’s own settings: those of a project are files of the repository', async () => {
    const by = bridge(agent);
    expect(by.scopes).toEqual(['user']);
    const plan = await by.plan(target);
    if (!plan.ok) throw new Error(plan.error.message);
    expect(plan.value).toMatchObject({ agent, file: fileOf(agent), before: null, roots: [project], warnings: [] });
    expect(plan.value.diff.split('\n').every((line) => line.startsWith('+'))).toBe(true);
    expect(plan.value.remarks.join(' ')).toContain('Running sessions cannot take messages');
    expect(existsSync(fileOf(agent))).toBe(false);
    expect(readdirSync(project)).toEqual([]);
  });

  it('keeps every byte of the person, and disconnecting restores the file', async () => {
    for (const before of BEFORE[agent]) {
      write(agent, before, 0o640);
      const by = await connected(agent);
      const text = readFileSync(fileOf(agent), 'utf8');
      expect(text).toContain('# unstuck');
      expect(lstatSync(fileOf(agent)).mode & 0o777).toBe(0o640);
      expect(['connected', 'not_trusted']).toContain((await by.status(target)).state);
      expect(await by.disconnect(target)).toEqual({ ok: true, value: { file: fileOf(agent), changed: true } });
      expect(readFileSync(fileOf(agent), 'utf8')).toBe(before);
      expect((await by.status(target)).state).toBe('not_connected');
    }
  });

  it('removes the file that it created, and the folder if it created that, too', async () => {
    mkdirSync(dirname(dirname(fileOf(agent))), { recursive: true });
    const by = await connected(agent);
    expect(existsSync(fileOf(agent))).toBe(true);
    expect(await recordedRoots(hookFolder)).toEqual([project]);
    await by.disconnect(target);
    expect(existsSync(dirname(fileOf(agent)))).toBe(false);
    expect(await recordedRoots(hookFolder)).toEqual([]);
  });

  it('removes only its own entries from a file that was edited since', async () => {
    const before = BEFORE[agent][0] ?? '';
    write(agent, before);
    const by = await connected(agent);
    const edited = readFileSync(fileOf(agent), 'utf8').replace('{', '{ "mine": 1,');
    writeFileSync(fileOf(agent), edited);
    await by.disconnect(target);
    const left = readFileSync(fileOf(agent), 'utf8');
    expect(left).not.toContain('unstuck');
    const meaning = (text: string): unknown => parse(text, [], { allowTrailingComma: true });
    expect(meaning(left)).toEqual({ mine: 1, ...(meaning(before) as object) });
  });

  it('removes a file that it created, although its lines were reformatted meanwhile', async () => {
    const by = await connected(agent);
    writeFileSync(fileOf(agent), `${JSON.stringify(JSON.parse(readFileSync(fileOf(agent), 'utf8')), null, 4)}\n\n`);
    await by.disconnect(target);
    expect(existsSync(fileOf(agent))).toBe(false);
  });

  it('does not touch a file that is read-only, broken, or changed after the plan, and says so', async () => {
    write(agent, '{"hooks":');
    const broken = await bridge(agent).plan(target);
    expect(broken.ok ? '' : broken.error.code).toBe('invalid_json');
    const before = BEFORE[agent][0] ?? '';
    rmSync(fileOf(agent));
    write(agent, before, 0o444);
    const plan = await bridge(agent).plan(target);
    if (!plan.ok) throw new Error(plan.error.message);
    const readOnly = await bridge(agent).connect(plan.value);
    expect(readOnly.ok ? '' : readOnly.error.code).toBe('read_only');
    chmodSync(fileOf(agent), 0o644);
    writeFileSync(fileOf(agent), '{ }');
    const changed = await bridge(agent).connect(plan.value);
    expect(changed.ok ? '' : changed.error.code).toBe('changed');
    expect(readFileSync(fileOf(agent), 'utf8')).toBe('{ }');
    expect((await bridge(agent).status(target)).state).toBe('not_connected');
  });

  it('follows a link of the user’s own settings', async () => {
    const dotfiles = join(place.path, 'dotfiles.json');
    writeFileSync(dotfiles, '{}');
    mkdirSync(dirname(fileOf(agent)), { recursive: true });
    symlinkSync(dotfiles, fileOf(agent));
    const by = await connected(agent);
    expect(readFileSync(dotfiles, 'utf8')).toContain('# unstuck');
    await by.disconnect(target);
    expect(readFileSync(dotfiles, 'utf8')).toBe('{}');
    expect(lstatSync(fileOf(agent)).isSymbolicLink()).toBe(true);
  });

  it('reports the state of its entries, its hook and its runtime', async () => {
    const by = await connected(agent);
    if (agent === 'codex') trustAll();
    expect((await by.status(target)).state).toBe('connected');
    const text = readFileSync(fileOf(agent), 'utf8');
    writeFileSync(fileOf(agent), text.replace('exec sh', 'exec dash'));
    expect((await by.status(target)).state).toBe('changed');
    await connected(agent);
    expect(readFileSync(fileOf(agent), 'utf8')).toBe(text);
    writeFileSync(join(hookFolder, 'runtime'), '/no/such/node\n');
    expect((await by.status(target)).state).toBe('runtime_missing');
    rmSync(hookFolder, { recursive: true });
    expect((await by.status(target)).state).toBe('hook_missing');
    writeFileSync(fileOf(agent), '{');
    expect((await by.status(target)).state).toBe('unreadable');
  });

  it('renews what an earlier version wrote, and leaves what a person changed', async () => {
    const by = await connected(agent);
    const now = readFileSync(fileOf(agent), 'utf8');
    const old = now.replaceAll('cat >/dev/null # unstuck', 'cat >/dev/null  # unstuck');
    writeFileSync(fileOf(agent), old);
    // As if that had been written here: the record decides.
    const [name = ''] = readdirSync(join(hookFolder, 'connections'));
    const path = join(hookFolder, 'connections', name);
    const record = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const written = textOfEntries(hooksOf(old, agent === 'copilot-cli' ? PLAIN : GROUPED) ?? []);
    writeFileSync(
      path,
      JSON.stringify({ ...record, digest: 'of a file that was edited since', entries: digestOf(written) }),
    );
    expect((await by.status(target)).state).toBe('changed');
    const { state } = await by.refresh(target);
    expect(state).toBe(agent === 'codex' ? 'not_trusted' : 'connected');
    expect(readFileSync(fileOf(agent), 'utf8')).toBe(now);

    writeFileSync(fileOf(agent), now.replace('exec sh', 'exec dash'));
    expect((await by.refresh(target)).state).toBe('changed');
    expect(readFileSync(fileOf(agent), 'utf8')).toContain('exec dash');
  });

  it('waits for a proof after each Connect that wrote something, and its own test is not one', async () => {
    const by = await connected(agent);
    await by.test();
    expect(await by.isProven('one')).toBe(false);
    writeFileSync(join(hookFolder, 'proofs', `${agent}.one`), '');
    expect(await by.isProven('one')).toBe(true);
    await connected(agent);
    expect(await by.isProven('one')).toBe(true);
    expect((await by.disconnect(target)).ok).toBe(true);
    await connected(agent);
    expect(await by.isProven('one')).toBe(false);
  });

  it('gives the hook at a turn’s end the time to wait for quality gates, and accepts a longer time', async () => {
    const by = await connected(agent);
    const limits = () =>
      [...readFileSync(fileOf(agent), 'utf8').matchAll(/"timeout(?:Sec)?": (\d+)/g)].map(([, number]) =>
        Number(number),
      );
    const end = { codex: 910, 'gemini-cli': 130_000, 'copilot-cli': 130 }[agent];
    const usual = agent === 'gemini-cli' ? 5_000 : 5;
    expect(limits().sort((one, other) => one - other)).toEqual([...Array(limits().length - 1).fill(usual), end]);
    const text = readFileSync(fileOf(agent), 'utf8');
    writeFileSync(fileOf(agent), text.replace(`: ${end}`, `: ${end * 2}`));
    if (agent === 'codex') trustAll();
    expect((await by.status(target)).state).toBe('connected');
    writeFileSync(fileOf(agent), text.replace(`: ${end}`, `: ${usual}`));
    expect((await by.status(target)).state).toBe('changed');
  });

  it('is tested with the installed hook and a recorded event', async () => {
    const test = await (await connected(agent)).test();
    expect(test).toMatchObject({ passed: true });
    expect(test.answer).toMatch(/^This is a test of the connection\. \[unstuck [0-9A-Z]{26}\]$/);
  });

  it('runs a command that prints nothing and exits with 0 if the extension is gone, in each shell', async () => {
    await connected(agent);
    const text = readFileSync(fileOf(agent), 'utf8');
    rmSync(hookFolder, { recursive: true });
    const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks?: object[] }[]> };
    const lines = Object.values(hooks).flatMap((list) => list.flatMap((group) => group.hooks ?? [group]));
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines as { command?: string; bash?: string }[]) {
      for (const shell of ['sh', 'bash', 'dash']) {
        const input = 'x'.repeat(1_000_000);
        const ran = spawnSync(shell, ['-c', line.command ?? line.bash ?? 'false'], { input, encoding: 'utf8' });
        expect([ran.status, ran.stdout, ran.stderr, ran.error]).toEqual([0, '', '', undefined]);
      }
    }
  });

  it('is found if the user’s folder of the agent is moved', async () => {
    const moved = join(place.path, 'moved');
    const env = { codex: 'CODEX_HOME', 'gemini-cli': 'GEMINI_CLI_HOME', 'copilot-cli': 'COPILOT_HOME' }[agent];
    const plan = await bridge(agent, { env: { [env]: moved } }).plan(target);
    expect(plan.ok && plan.value.file.startsWith(moved)).toBe(true);
  });
});

describe('the agents’ own settings', () => {
  it('make Codex skip hooks until its user trusts them as they are: the next step is shown', async () => {
    const by = await connected('codex');
    const before = await by.status(target);
    expect(before.state).toBe('not_trusted');
    expect(before.message).toContain('start codex in a terminal and choose “Trust all and continue”');
    trustAll();
    expect((await by.status(target)).state).toBe('connected');
    const config = join(home, '.codex/config.toml');
    const trusted = readFileSync(config, 'utf8');
    writeFileSync(config, trusted.replace('trusted_hash', 'enabled = false\ntrusted_hash'));
    expect((await by.status(target)).message).toContain('Open /hooks in Codex');
    writeFileSync(config, trusted.replace(/sha256:\w/, 'sha256:_'));
    expect((await by.status(target)).state).toBe('not_trusted');
    writeFileSync(config, `${trusted}\n[features]\nhooks = false # for now\n`);
    expect(await by.status(target)).toMatchObject({ state: 'switched_off' });
    expect(readFileSync(config, 'utf8')).toContain('hooks = false');
    await by.disconnect(target);
    expect(readFileSync(config, 'utf8')).toContain('trusted_hash');
  });

  it('of Codex allow no comments, so a file with them is not written', async () => {
    write('codex', '{\n  // mine\n  "hooks": {}\n}\n');
    const plan = await bridge('codex').plan(target);
    expect(plan.ok ? null : plan.error).toMatchObject({ code: 'invalid_json' });
  });

  it('of Gemini can switch off all hooks, or ours by its name; the project takes precedence over the user', async () => {
    write('gemini-cli', '{"hooksConfig":{"enabled":false}}');
    const plan = await bridge('gemini-cli').plan(target);
    expect(plan.ok ? plan.value.warnings[0] : '').toContain('"hooksConfig.enabled" is false');
    const by = await connected('gemini-cli');
    expect((await by.status(target)).state).toBe('switched_off');
    mkdirSync(join(project, '.gemini'));
    writeFileSync(join(project, '.gemini/settings.json'), '{"hooksConfig":{"enabled":true}}');
    expect((await by.status(target)).state).toBe('connected');
    writeFileSync(join(project, '.gemini/settings.json'), '{"hooksConfig":{"disabled":["other", "unstuck"]}}');
    expect((await by.status(target)).message).toContain('/hooks enable unstuck');
  });

  it('of Copilot can switch off the hooks of a file', async () => {
    const by = await connected('copilot-cli');
    const text = readFileSync(fileOf('copilot-cli'), 'utf8');
    writeFileSync(fileOf('copilot-cli'), text.replace('{', '{ "disableAllHooks": true,'));
    expect((await by.status(target)).state).toBe('switched_off');
  });
});
