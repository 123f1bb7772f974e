import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLaunchSettings } from '../../../../src/agents/launch-settings';
import { findProgram } from '../../../../src/editor/recovery/create';
import { Launcher } from '../../../../src/editor/recovery/launcher';
import { lastLineOf } from '../../../../src/editor/recovery/typed-start';
import { silentLog } from '../../../../src/base/util/log';
import { PATIENCE } from '../../../support/patience';
import { Machine } from '../../recover/act/stage';

const editor = vi.hoisted(() => ({ shown: [] as string[], heard: new Set<(event: unknown) => void>() }));
vi.mock('vscode', () => ({
  ThemeIcon: String,
  workspace: {},
  window: {
    createTerminal: () => terminal(),
    onDidStartTerminalShellExecution(listener: (event: unknown) => void) {
      editor.heard.add(listener);
      return { dispose: () => void editor.heard.delete(listener) };
    },
    showWarningMessage: (text: string) => Promise.resolve(void editor.shown.push(text)),
    showInformationMessage: () => Promise.resolve(),
  },
}));

const ends: (() => void)[] = [];
let home = '';
let bin = '';
const variables = { ...process.env };
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unstuck starts '));
  // A folder that only the person’s shell searches, like those of nvm and ~/.local/bin.
  bin = join(home, 'own bin');
  mkdirSync(bin);
  writeFileSync(join(home, '.bashrc'), `echo Welcome back\nPATH="${bin}:$PATH"\n`);
  Object.assign(process.env, { HOME: home, SHELL: '/bin/bash' });
  editor.shown = [];
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  process.env = { ...variables };
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

/** A terminal with shell integration. */
function terminal() {
  const made = { exitStatus: undefined, show: () => undefined, sendText };
  function sendText(line: string) {
    const shell = spawn('sh', ['-c', `${line} 2>&1`], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    ends.push(() => void (shell.pid !== undefined && shell.exitCode === null && process.kill(-shell.pid, 'SIGKILL')));
    shell.stdout.setEncoding('utf8');
    for (const listener of editor.heard) listener({ terminal: made, execution: { read: () => shell.stdout } });
  }
  return made;
}

/** Someone clicks *Restart* for an agent that is stuck in a terminal of the window; its program is `name`. */
async function restarted(name: string, script?: string) {
  if (script !== undefined) writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const machine = new Machine();
  const ended: string[] = [];
  const launch = readLaunchSettings({ generic: { program: name, fresh: ['{prompt}'] } });
  const window = await machine.window({
    settings: { launch },
    terminals: { here: ['s1'], ended },
    findProgram: (program) => findProgram(program, () => [machine.workspace]),
  });
  const services = { context: { globalStorageUri: { fsPath: home } }, log: silentLog, settings: () => ({}) };
  const launcher = new Launcher(
    services as unknown as ConstructorParameters<typeof Launcher>[0],
    { emptiedOf: () => Promise.resolve(null) },
    window.recovery,
    () => Promise.resolve(null),
  );
  const starts: Promise<void>[] = [];
  window.recovery.onLaunch((one) => starts.push(launcher.start(one)));
  const agent = machine.agent('s1').begin('Fix it', { pid: 1 }).loop();
  const incident = await window.untilStuck('s1', 'repeating_action');
  const session = window.engine.session('s1');
  if (session) session.liveness = { alive: true, pid: 1 };
  const acted = await window.recovery.act(incident.id, { action: 'fresh' });
  if (acted.ok) {
    if (session) session.liveness = { alive: false };
    agent.line('session_end', { reason: 'died' });
    await machine.until('it is started', () => starts.length > 0);
  }
  const told = async () => {
    const log = (await window.log('Recovery')).filter(({ data }) => data['action'] !== 'result');
    return {
      ended,
      events: log.map(({ data }) => `${String(data['action'])}: ${String(data['result'])}`),
      attempts: window.incident('s1').attempts.map(({ kind, state }) => `${kind} ${state}`),
      rung: window.recovery.propose(incident.id)?.ladder.current,
      last: log.at(-1)?.data,
    };
  };
  return { machine, window, acted, starts, told };
}

describe.skipIf(process.platform === 'win32')('a restart counts only if it happened', () => {
  it('not with a program that the person’s shell does not find: the old agent stays', async () => {
    const { acted, told } = await restarted('nobody-has-this');
    expect(acted).toMatchObject({
      ok: false,
      error: { code: 'launch', message: expect.stringMatching(/^“nobody-has-this” is not in the PATH of your shell/) },
    });
    expect(await told()).toMatchObject({
      ended: [],
      events: ['restart: not_started'],
      attempts: [],
      rung: 1,
      last: { error: 'no_program', program: 'nobody-has-this' },
    });
  });

  it('not with a program that ends at once: its last line is reported, without secrets', async () => {
    const secret = `sk-ant-api03-${'aB3'.repeat(20)}`;
    const { starts, machine, told } = await restarted(
      'dies-at-once',
      `echo Starting; printf '\\033[31mNo such model for ${secret}\\033[0m\\n' >&2; echo; exit 3`,
    );
    await starts[0];
    await machine.pass(20_000);
    const { last, ...rest } = await told();
    expect(rest).toEqual({
      ended: ['s1'],
      events: ['restart: stopping', 'restart: not_started'],
      attempts: [],
      rung: 1,
    });
    expect(last).toMatchObject({ code: 3, printed: expect.stringMatching(/^No such model for \S*…?/) });
    expect(JSON.stringify([last, editor.shown])).not.toContain(secret);
    expect(editor.shown).toEqual([
      expect.stringMatching(
        /was not started: the program ended at once with exit code 3\. No attempt was counted\. It printed: No such model/,
      ),
    ]);
  });

  it('with a program that stays alive, once its session appears, even if only the person’s shell finds it', async () => {
    const { machine, window, starts, told } = await restarted('lives', 'echo "$@" >"$HOME/prompt"; sleep 60');
    await machine.pass(20_000);
    expect(await told()).toMatchObject({ events: ['restart: stopping'], attempts: [], rung: 1 });
    machine.agent('s1-again').begin('You take over from an agent that got stuck.');
    await machine.until('it is an attempt', () => window.incident('s1').attempts.length === 1);
    expect(await told()).toMatchObject({
      ended: ['s1'],
      events: ['restart: stopping', 'restart: started'],
      attempts: ['restart taken'],
    });
    await vi.waitFor(() => starts[0], PATIENCE);
    expect(editor.shown).toEqual([]);
  });
});

describe('the last line of what a program printed', () => {
  it.each([
    ['one\r\ntwo\r\n\r\n', 'two'],
    ['\u001b[31mError: \u001b[0mno model\u001b]633;D;1\u0007\n╰────╯\n', 'Error: no model'],
    ['', ''],
  ])('%j', (text, line) => expect(lastLineOf(text)).toBe(line));
});
