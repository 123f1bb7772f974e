import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/bridge';
import { createHookBridge } from '../../../../src/agents/shared/connect/hook-bridge';
import { hookCommand } from '../../../../src/agents/shared/connect/hook-entries';
import { type BridgeProcesses, systemBridgeProcesses } from '../../../../src/agents/shared/connect/bridge-process';
import { type Bridge, type ConnectTarget, sendMessage } from '../../../../src/agents/inbox';
import { recordedRoots } from '../../../../src/agents/inbox/hook/hook-folder';
import { hookBundle, hookScript, scratch } from '../inbox/hook-kit';

const NOW = Date.parse('2026-11-20T18:53:50.123Z');
const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolBatch', 'Stop', 'FileChanged'];
const MINE = '{\n  "permissions": { "allow": ["Bash(npm test)"] }\n}\n';

let place: { path: string; remove: () => void };
let project: string;
let hookFolder: string;
let file: string;
let target: ConnectTarget;
let now = NOW;
let gitCodes: { tracked: number | null; ignored: number | null };

beforeEach(() => {
  place = scratch();
  project = join(place.path, 'project');
  hookFolder = join(place.path, 'global storage', 'hook');
  file = join(project, '.claude', 'settings.local.json');
  target = { folder: project, workspaceFolders: [project], scope: 'project' };
  now = NOW;
  gitCodes = { tracked: 1, ignored: 0 };
  mkdirSync(project);
});
afterEach(() => place.remove());

function bridge(
  runtimes: readonly string[] = [process.execPath],
  git?: BridgeProcesses['git'],
  meanwhile = () => {},
): Bridge {
  return createHookBridge(claudeCode, {
    home: join(place.path, 'home'),
    env: { PATH: process.env['PATH'] },
    managedSettings: join(place.path, 'managed'),
    hookFolder,
    hookFiles: () => {
      meanwhile();
      return Promise.resolve({ script: hookScript, bundle: hookBundle(), runtimes });
    },
    processes: {
      git:
        git ??
        ((args) =>
          Promise.resolve({
            code: args[0] === 'ls-files' ? gitCodes.tracked : gitCodes.ignored,
            stdout: '',
            stderr: '',
            milliseconds: 0,
          })),
      shell: systemBridgeProcesses.shell,
    },
    now: () => now,
  });
}

async function connected(to = target, by = bridge()): Promise<Bridge> {
  const plan = await by.plan(to);
  if (!plan.ok) throw new Error(plan.error.message);
  const done = await by.connect(plan.value);
  if (!done.ok) throw new Error(done.error.message);
  return by;
}

function write(text: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

async function planCode(): Promise<string> {
  const plan = await bridge().plan(target);
  return plan.ok ? 'ok' : plan.error.code;
}

describe('the plan', () => {
  it('shows what will be written, and writes nothing', async () => {
    write(MINE);
    const plan = await bridge().plan(target);
    expect(plan.ok).toBe(true);
    if (!plan.ok) return;
    expect(plan.value).toMatchObject({ agent: 'claude-code', file, before: MINE, roots: [project], warnings: [] });
    const lines = plan.value.diff.split('\n');
    expect(lines.filter((line) => line.startsWith('-'))).toEqual(['-  "permissions": { "allow": ["Bash(npm test)"] }']);
    expect(lines.filter((line) => line.includes('# unstuck'))).toHaveLength(6);
    const { hooks } = JSON.parse(plan.value.after.replace('// what I allow', '')) as { hooks: Record<string, unknown> };
    expect(Object.keys(hooks)).toEqual(EVENTS);
    expect(plan.value.remarks.join(' ')).toContain('Running sessions take messages at their next tool call');
    expect(plan.value.remarks.join(' ')).toContain(
      'Sessions that start from now on can also be woken while they are idle',
    );
    expect(readdirSync(place.path).sort()).toEqual(['project']);
    expect(readFileSync(file, 'utf8')).toBe(MINE);
  });

  it('uses asyncRewake for FileChanged only: elsewhere it would freeze print mode', async () => {
    const plan = await bridge().plan(target);
    const hooks = plan.ok
      ? (JSON.parse(plan.value.after) as { hooks: Record<string, { hooks: Record<string, unknown>[] }[]> }).hooks
      : {};
    for (const event of EVENTS) {
      expect(hooks[event]?.[0]?.hooks[0]?.['asyncRewake']).toBe(event === 'FileChanged' ? true : undefined);
      // The end of a print mode run may wait for the quality gates, whose default is 120 s.
      expect(hooks[event]?.[0]?.hooks[0]?.['timeout']).toBe(event === 'Stop' ? 130 : 5);
    }
  });

  it('never writes into a file that git tracks, and names the alternative', async () => {
    gitCodes.tracked = 0;
    const plan = await bridge().plan(target);
    expect(plan.ok ? null : plan.error).toMatchObject({ code: 'tracked', alternative: 'user' });
    const user = await bridge().plan({ ...target, scope: 'user' });
    expect(user.ok ? null : user.error).toMatchObject({ code: 'tracked', alternative: 'project' });
  });

  it('warns if git would not ignore the file', async () => {
    gitCodes.ignored = 1;
    const plan = await bridge().plan(target);
    expect(plan.ok ? plan.value.warnings : []).toEqual([
      `git does not ignore ${file}: it will show up as a new file. Add it to .git/info/exclude to keep it to yourself.`,
    ]);
  });

  it('asks the real git the right questions', async () => {
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: project, stdio: 'ignore' });
    const plan = async (): Promise<string> => {
      const made = await bridge(undefined, systemBridgeProcesses.git).plan(target);
      return made.ok ? (made.value.warnings[0] ?? 'fine').slice(0, 19) : made.error.code;
    };
    expect(await plan()).toBe('fine');
    git('init', '-q');
    expect(await plan()).toBe('git does not ignore');
    writeFileSync(join(project, '.git/info/exclude'), '.claude/settings.local.json\n');
    expect(await plan()).toBe('fine');
    write('{}');
    git('add', '-f', '.claude/settings.local.json');
    expect(await plan()).toBe('tracked');
  });

  it('warns if all hooks are switched off', async () => {
    write('{"disableAllHooks":true}');
    const plan = await bridge().plan(target);
    expect(plan.ok ? plan.value.warnings[0] : '').toContain('"disableAllHooks"');
    await connected();
    expect((await bridge().status(target)).state).toBe('switched_off');
  });

  it('leaves a file alone if it could not restore it', async () => {
    write('{ "permissions": ');
    expect(await planCode()).toBe('invalid_json');
    write('[]');
    expect(await planCode()).toBe('unexpected_form');
    write(Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await planCode()).toBe('not_utf8');
    rmSync(file);
    writeFileSync(join(place.path, 'elsewhere.json'), '{}');
    symlinkSync(join(place.path, 'elsewhere.json'), file);
    expect(await planCode()).toBe('symbolic_link');
    target = { ...target, workspaceFolders: [join(place.path, 'other')] };
    rmSync(file);
    expect(await planCode()).toBe('outside');
  });
});

describe('connecting', () => {
  it('keeps every byte of the person, and disconnecting restores the file', async () => {
    for (const before of [MINE, '{}', '{"model":"opus"}\n', `\uFEFF${MINE.replaceAll('\n', '\r\n')}`]) {
      write(before, 0o640);
      const by = await connected();
      expect((await by.status(target)).state).toBe('connected');
      expect(lstatSync(file).mode & 0o777).toBe(0o640);
      const done = await by.disconnect(target);
      expect(done).toEqual({ ok: true, value: { file, changed: true } });
      expect(readFileSync(file, 'utf8')).toBe(before);
      expect((await by.status(target)).state).toBe('not_connected');
      expect(readdirSync(dirname(file))).toEqual(['settings.local.json']);
    }
  });

  it('removes the file and the folder that it created, and nothing more', async () => {
    const by = await connected();
    expect(existsSync(file)).toBe(true);
    await by.disconnect(target);
    expect(existsSync(dirname(file))).toBe(false);

    mkdirSync(dirname(file));
    await connected();
    await by.disconnect(target);
    expect(readdirSync(dirname(file))).toEqual([]);

    await connected();
    writeFileSync(join(dirname(file), 'mine.md'), '');
    await by.disconnect(target);
    expect(readdirSync(dirname(file))).toEqual(['mine.md']);
  });

  it('can be repeated without writing, and renews its own older entries', async () => {
    write(MINE);
    await connected();
    const once = readFileSync(file, 'utf8');
    now += 1000;
    const again = await bridge().plan(target);
    expect(again.ok && again.value.diff).toBe('');
    await connected();
    expect(readFileSync(file, 'utf8')).toBe(once);
    expect((await bridge().status(target)).connectedAt).toBe(NOW);

    // An older version wrote another command, and an event that is no longer used.
    const older = once.replaceAll('exec sh', 'exec dash').replace('"Stop"', '"OldEvent"');
    writeFileSync(file, older);
    expect((await bridge().status(target)).state).toBe('changed');
    await connected();
    expect(readFileSync(file, 'utf8')).toBe(once);
    await bridge().disconnect(target);
    expect(readFileSync(file, 'utf8')).toBe(MINE);
  });

  it('writes nothing when the file changed after the plan', async () => {
    write(MINE);
    const plan = await bridge().plan(target);
    write('{ "model": "opus" }\n');
    const done = plan.ok ? await bridge().connect(plan.value) : plan;
    expect(done.ok ? '' : done.error.code).toBe('changed');
    expect(readFileSync(file, 'utf8')).toBe('{ "model": "opus" }\n');
  });

  it('writes nothing over what is written into the file while the hook is installed', async () => {
    write(MINE);
    const plan = await bridge().plan(target);
    if (!plan.ok) throw new Error(plan.error.message);
    const others = MINE.replace('npm test', 'npm run build');
    const by = bridge(undefined, undefined, () => write(others));
    const done = await by.connect(plan.value);
    expect(done.ok ? null : done.error).toMatchObject({ code: 'changed', file });
    expect(readFileSync(file, 'utf8')).toBe(others);
    expect((await by.status(target)).state).toBe('not_connected');
    await connected();
    expect(readFileSync(file, 'utf8')).toContain('npm run build');
  });

  it('leaves a read-only file as it is, and says so', async () => {
    write(MINE, 0o444);
    const plan = await bridge().plan(target);
    const done = plan.ok ? await bridge().connect(plan.value) : plan;
    expect(done.ok ? null : done.error).toMatchObject({
      code: 'read_only',
      message: `${file} is read-only, so it was not changed.`,
    });
    expect(readFileSync(file, 'utf8')).toBe(MINE);
    expect((await bridge().status(target)).state).toBe('not_connected');
    chmodSync(file, 0o644);
    await connected();
    chmodSync(file, 0o444);
    const gone = await bridge().disconnect(target);
    expect(gone.ok ? '' : gone.error.code).toBe('read_only');
  });

  it('removes only its own entries from a file that was edited since', async () => {
    write(MINE);
    await connected();
    writeFileSync(file, readFileSync(file, 'utf8').replace('"Bash(npm test)"', '"Bash(npm test)", "Read"'));
    await bridge().disconnect(target);
    expect(readFileSync(file, 'utf8')).toBe(MINE.replace('"Bash(npm test)"', '"Bash(npm test)", "Read"'));
    await connected();
    writeFileSync(file, '{ broken');
    const done = await bridge().disconnect(target);
    expect(done.ok ? '' : done.error.code).toBe('invalid_json');
    expect((await bridge().status(target)).state).toBe('unreadable');
  });

  it('keeps a file that we created and the person added to, without our entries', async () => {
    await connected();
    writeFileSync(file, readFileSync(file, 'utf8').replace('{\n', '{\n  "model": "opus",\n'));
    await bridge().disconnect(target);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'opus' });
  });

  it('for all projects of the user is written into the user’s settings, following links', async () => {
    const dotfiles = join(place.path, 'dotfiles.json');
    writeFileSync(dotfiles, '{ "model": "opus" }');
    mkdirSync(join(place.path, 'home/.claude'), { recursive: true });
    symlinkSync(dotfiles, join(place.path, 'home/.claude/settings.json'));
    const user: ConnectTarget = { ...target, scope: 'user' };
    const by = await connected(user);
    expect((await by.status(target)).scope).toBe('user');
    expect(readFileSync(dotfiles, 'utf8')).toContain('# unstuck');
    expect(lstatSync(join(place.path, 'home/.claude/settings.json')).isSymbolicLink()).toBe(true);
    await by.disconnect(user);
    expect(readFileSync(dotfiles, 'utf8')).toBe('{ "model": "opus" }');
  });

  it('makes the hook look into a folder as long as one connection needs it', async () => {
    const sub = join(project, 'packages/a');
    mkdirSync(sub, { recursive: true });
    const below: ConnectTarget = { folder: sub, workspaceFolders: [project], scope: 'project' };
    const by = await connected();
    await connected(below);
    expect(await recordedRoots(hookFolder)).toEqual([project]);
    await by.disconnect(target);
    expect(await recordedRoots(hookFolder)).toEqual([project]);
    await by.disconnect(below);
    expect(await recordedRoots(hookFolder)).toEqual([]);
  });

  it('adds the folders of a window that opens others, and updates the hook', async () => {
    await connected();
    writeFileSync(join(hookFolder, 'hook.js'), 'old');
    const sub = join(project, 'packages');
    mkdirSync(join(sub, 'a'), { recursive: true });
    expect((await bridge().refresh({ folder: project, workspaceFolders: [place.path] })).state).toBe('connected');
    expect([...(await recordedRoots(hookFolder))].sort()).toEqual([place.path, project].sort());
    expect(readFileSync(join(hookFolder, 'hook.js'), 'utf8')).toBe(hookBundle());
    await bridge().disconnect(target);
    expect(await recordedRoots(hookFolder)).toEqual([]);
    expect((await bridge().refresh(target)).state).toBe('not_connected');
    expect(await recordedRoots(hookFolder)).toEqual([]);
  });
});

describe('the check whether it works', () => {
  it('runs the installed hook, and shows the answer', async () => {
    now = Date.now();
    const by = await connected();
    const test = await by.test();
    expect(test.passed).toBe(true);
    expect(test.answer).toMatch(/^This is a test of the connection\. \[unstuck [0-9A-Z]{26}\]$/);
    expect(test.message).toMatch(/^Tested: the hook answered in \d+ ms$/);
    expect(readdirSync(hookFolder).sort()).toEqual(['connections', 'hook.js', 'hook.sh', 'proofs', 'roots', 'runtime']);
    expect(await recordedRoots(hookFolder)).toEqual([project]);
  });

  it('names the exact next step if it does not', async () => {
    now = Date.now();
    const by = await connected(target, bridge(['/no/such/node']));
    expect((await by.status(target)).state).toBe('runtime_missing');
    expect(await by.test()).toMatchObject({
      passed: false,
      message: 'The hook found no JavaScript runtime. Reload the window, or install Node.js, and connect again.',
    });
    await connected();
    writeFileSync(join(hookFolder, 'hook.js'), '');
    expect((await by.test()).message).toContain('hook.log says why');
    rmSync(hookFolder, { recursive: true });
    expect((await by.status(target)).state).toBe('hook_missing');
  });
});

describe('uninstalling', () => {
  it('leaves entries that print nothing, whatever the payload, and exit with 0', async () => {
    await connected();
    rmSync(dirname(hookFolder), { recursive: true });
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    for (const event of EVENTS) {
      const command = hooks[event]?.[0]?.hooks[0]?.command ?? 'false';
      for (const shell of ['sh', 'bash', 'dash']) {
        const ran = spawnSync(shell, ['-c', command], { input: 'x'.repeat(1_000_000), encoding: 'utf8', cwd: project });
        expect([ran.status, ran.stdout, ran.stderr, ran.error]).toEqual([0, '', '', undefined]);
      }
    }
  });

  it('reaches a folder with quotes, blanks and other letters, and runs nothing in its name', async () => {
    const odd = join(place.path, 'a "b" $(touch pwned) `touch pwned` \\ ü;');
    renameSync(project, odd);
    project = odd;
    hookFolder = join(odd, "it's the hook");
    target = { folder: odd, workspaceFolders: [odd], scope: 'project' };
    await connected();
    const draft = { session: 'one', agent: 'claude-code', kind: 'nudge', text: 'Hello.', automated: true } as const;
    const sent = await sendMessage(odd, draft, Date.now());
    const id = sent.ok ? sent.value.message.id : '';
    const ran = spawnSync('sh', ['-c', hookCommand(hookFolder, 'claude-code', 'PostToolBatch')], {
      input: JSON.stringify({ session_id: 'one', cwd: odd, hook_event_name: 'PostToolBatch' }),
      encoding: 'utf8',
      cwd: odd,
      env: {
        PATH: process.env['PATH'],
        CLAUDE_CODE_SESSION_ID: 'one',
        CLAUDE_CODE_ENTRYPOINT: 'cli',
        CLAUDE_PROJECT_DIR: odd,
      },
    });
    expect(ran.stdout).toContain(id);
    expect(existsSync(join(odd, 'pwned'))).toBe(false);
  });
});

describe('a settings file that Claude Code itself would not load', () => {
  const written = (text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };

  it.each([
    ['a comment', '{\n  // mine\n  "model": "opus"\n}\n'],
    ['a block comment', '{ /* mine */ "model": "opus" }'],
    ['a trailing comma', '{ "model": "opus", }'],
  ])('is not written: %s', async (_, text) => {
    written(text);
    const plan = await bridge().plan(target);
    expect(plan.ok ? null : plan.error).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('is not JSON as Claude Code reads it, without comments and trailing commas'),
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('reports a comment that was added later, and can still be disconnected', async () => {
    written('{ "model": "opus" }');
    const by = await connected();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('{', '{ // mine\n'));
    expect(await by.status(target)).toMatchObject({
      state: 'unreadable',
      message: expect.stringContaining('Claude Code ignores the file and its hooks do not run'),
    });
    expect(await by.disconnect(target)).toMatchObject({ ok: true });
    expect(readFileSync(file, 'utf8')).toBe('{ // mine\n "model": "opus" }');
  });

  it.each(['', '\n'])(
    'does not include one without settings, which is connected, and restored once it is disconnected: %j',
    async (text) => {
      written(text);
      const by = await connected();
      expect((await by.status(target)).state).toBe('connected');
      await by.disconnect(target);
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );

  it('does not include one with a byte order mark', async () => {
    written('\ufeff{ "model": "opus" }');
    expect((await (await connected()).status(target)).state).toBe('connected');
  });
});

describe('settings of an organisation', () => {
  const managed = (name: string, settings: object) => {
    const path = join(place.path, 'managed', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(settings));
  };

  it.each(['allowManagedHooksOnly', 'disableAllHooks'])(
    'that keep hooks from running are reported before and after: %s',
    async (name) => {
      managed('managed-settings.json', { [name]: true });
      const plan = await bridge().plan(target);
      expect(plan.ok ? plan.value.warnings[0] : '').toContain(`"${name}" is set in `);
      const by = await connected();
      expect(await by.status(target)).toMatchObject({
        state: 'switched_off',
        message: expect.stringContaining('by your organisation'),
      });
    },
  );

  it('are also read from the folder beside the file, and the last file decides', async () => {
    managed('managed-settings.json', { allowManagedHooksOnly: true });
    managed('managed-settings.d/10-loose.json', { allowManagedHooksOnly: false });
    const by = await connected();
    expect((await by.status(target)).state).toBe('connected');
    managed('managed-settings.d/20-tight.json', { allowManagedHooksOnly: true });
    expect((await by.status(target)).message).toContain('20-tight.json');
  });
});

it('an empty CLAUDE_CONFIG_DIR names no folder: the settings stay in the home folder', () => {
  const places = { home: '/home/me', env: { CLAUDE_CONFIG_DIR: '' } };
  expect(claudeCode.settingsPath('user', '/work', places)).toBe('/home/me/.claude/settings.json');
});
