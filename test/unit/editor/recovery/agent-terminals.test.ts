import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Services } from '../../../../src/editor/services';
import { AgentTerminals, type FindProcess } from '../../../../src/editor/recovery/agent-terminals';
import { isProcessAlive } from '../../../../src/base/util/process';
import { PATIENCE } from '../../../support/patience';
import { agentView } from '../support/views';

const editor = vi.hoisted(() => ({
  terminals: [] as unknown[],
  activeTerminal: undefined as unknown,
  state: { focused: true },
}));
vi.mock('vscode', () => ({ window: editor, workspace: {} }));

let folder = '';
let shell: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unstuck terminals '));
});
afterEach(() => {
  shell?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const view = agentView('s', {}, { agent: 'gemini-cli', file: '/t/s.jsonl' });
const OTHER = agentView('other', {}, { agent: 'gemini-cli' });

/** Sessions that cannot belong to the process: a sub-agent, one in another folder, and one of another kind. */
const STRANGERS = [
  agentView('sub', {}, { agent: 'gemini-cli', parent: 's' }),
  agentView('elsewhere', {}, { agent: 'gemini-cli', cwd: '/elsewhere' }),
  agentView('codex', {}, { agent: 'codex' }),
];

/** A terminal of the editor whose shell runs an agent, and another terminal without one. `traced`: the agent leaves a trace of its process. */
async function opened(traced = true, { stays = false } = {}) {
  const deaf = stays ? 'process.on("SIGTERM", () => {}); ' : '';
  const agent = `${process.execPath} -e '${deaf}process.stdout.write(String(process.pid)); setTimeout(() => {}, 600_000)'`;
  shell = spawn('sh', ['-c', `${agent}; cat`], { stdio: ['pipe', 'pipe', 'ignore'] });
  const pid = Number(await new Promise((done) => shell.stdout?.once('data', (text: Buffer) => done(String(text)))));
  const terminal = {
    processId: Promise.resolve(shell.pid),
    exitStatus: undefined,
    show: vi.fn(),
  };
  editor.terminals = [{ ...terminal, processId: Promise.resolve(process.pid + 1_000_000) }, terminal];
  let passed = 0;
  /** The process that its session names. */
  let named = pid;
  const liveness = () => ({ liveness: traced ? { alive: isProcessAlive(named), pid: named } : null });
  const sought: unknown[] = [];
  const find: FindProcess = (session) => {
    sought.push(session);
    return Promise.resolve(isProcessAlive(pid) ? pid : null);
  };
  const services = {
    engine: { session: liveness, agents: () => [view, OTHER, ...STRANGERS] },
    now: () => Date.now() + passed,
    log: { warn: () => undefined },
    context: { globalStorageUri: { fsPath: folder } },
  } as unknown as Services;
  const later = (milliseconds: number) => void (passed += milliseconds);
  const names = (other: number) => void (named = other);
  return { terminals: new AgentTerminals(services, find), pid, sought, terminal, names, later };
}

describe.skipIf(process.platform === 'win32')('the terminals in which agents run', () => {
  it('are found by the shell above the process, and can be shown as soon as it is known', async () => {
    const { terminals } = await opened();
    const heard = vi.fn();
    terminals.onDidChange(heard);
    expect(terminals.isHere(view)).toBe(false);
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
    expect(terminals.isHere(view)).toBe(true);
    expect(await terminals.show(view)).toBe(true);
    editor.terminals = [];
    // At once, not at the next check: otherwise a row would offer a way to a closed terminal.
    expect(terminals.isHere(view)).toBe(false);
    expect(await terminals.show(view)).toBe(false);
  });

  it('are in front while they are the active one of a focused window', async () => {
    const { terminals } = await opened();
    const [other, mine] = editor.terminals;
    editor.activeTerminal = mine;
    const heard = vi.fn();
    terminals.onDidChange(heard);
    // It is not known yet where it runs. This call starts the search.
    expect(terminals.isInFront(view)).toBe(false);
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
    expect(terminals.isInFront(view)).toBe(true);
    editor.state.focused = false;
    expect(terminals.isInFront(view)).toBe(false);
    editor.state.focused = true;
    editor.activeTerminal = other;
    expect(terminals.isInFront(view)).toBe(false);
  });

  it('are not typed into while the shell is busy', async () => {
    const { terminals, pid } = await opened();
    expect(await terminals.emptiedOf('s')).toBeNull();
    expect(await terminals.end(view)).toBe(true);
    await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), PATIENCE);
    // `cat` is now in the foreground, like something that the person started.
    expect(await terminals.emptiedOf('s')).toBeNull();
  });

  it('are free once after the agent in them was ended, if the shell has nothing else to do', async () => {
    const { terminals, pid } = await opened();
    expect(await terminals.end(view)).toBe(true);
    await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), PATIENCE);
    shell.kill('SIGKILL');
    const idle = spawn('sh', ['-i'], { stdio: ['pipe', 'ignore', 'ignore'] });
    shell = idle;
    const [, terminal] = editor.terminals as { processId: Promise<number | undefined> }[];
    if (terminal) terminal.processId = Promise.resolve(idle.pid);
    expect(await terminals.emptiedOf('s')).toBe(terminal);
    expect(await terminals.emptiedOf('s')).toBeNull();
  });

  it('can still be shown after the agent in them was killed, as long as they are open', async () => {
    const { terminals, pid } = await opened();
    expect(await terminals.show(view)).toBe(true);
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), PATIENCE);
    expect([terminals.isHere(view), terminals.wasHere(view)]).toEqual([false, true]);
    expect(await terminals.show(view)).toBe(true);
    editor.terminals = [];
    expect(terminals.wasHere(view)).toBe(false);
    expect(await terminals.show(view)).toBe(false);
  });

  it('are found for an agent that leaves no trace of its process, which can be ended and followed there', async () => {
    const { terminals, pid, sought } = await opened(false);
    const [heard, ended] = [vi.fn(), vi.fn()];
    terminals.onDidChange(heard);
    terminals.onDidEnd(ended);
    expect(terminals.isHere(view)).toBe(false);
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
    expect(terminals.isHere(view)).toBe(true);
    // The process could also belong to another session of the same folder. A sub-agent has no process of its own.
    const others = [OTHER.health.lastEventAt];
    expect(sought).toEqual([{ agent: 'gemini-cli', cwd: view.cwd, file: '/t/s.jsonl', others }]);
    expect(await terminals.end(view)).toBe(true);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledWith('s'), PATIENCE);
    expect([isProcessAlive(pid), terminals.isHere(view)]).toEqual([false, false]);
  });

  it('are looked up again after ten seconds, and reported only if they changed', async () => {
    const { terminals, later, terminal } = await opened();
    const heard = vi.fn();
    terminals.onDidChange(heard);
    terminals.isHere(view);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), PATIENCE);
    later(10_000);
    terminals.isHere(view);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heard).toHaveBeenCalledTimes(1);
    editor.terminals = [terminal, terminal].map((one) => ({ ...one }));
    later(10_000);
    terminals.isHere(view);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), PATIENCE);
  });

  it('come to the front when they are shown', async () => {
    const { terminals, terminal } = await opened();
    await terminals.show(view);
    expect(terminal.show).toHaveBeenCalledTimes(1);
  });

  describe('whose agent does not end', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    it('kill it after five seconds, and report that it is gone', async () => {
      const { terminals, pid } = await opened(true, { stays: true });
      const ended = vi.fn();
      terminals.onDidEnd(ended);
      expect(await terminals.end(view)).toBe(true);
      await vi.advanceTimersByTimeAsync(5_000);
      expect([isProcessAlive(pid), ended.mock.calls.length]).toEqual([true, 0]);
      await vi.advanceTimersByTimeAsync(200);
      vi.useRealTimers();
      await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), PATIENCE);
    });

    it('leave alone a process that is a different one by then, and wait no longer than a minute', async () => {
      const { terminals, pid, names } = await opened(true, { stays: true });
      const ended = vi.fn();
      terminals.onDidEnd(ended);
      await terminals.end(view);
      names(process.pid);
      await vi.advanceTimersByTimeAsync(61_000);
      expect([isProcessAlive(pid), ended.mock.calls.length, vi.getTimerCount()]).toEqual([true, 0, 0]);
      process.kill(pid, 'SIGKILL');
    });
  });

  it('are not searched for an agent that has ended', async () => {
    const { terminals, sought } = await opened(false);
    expect(terminals.isHere({ ...view, state: { kind: 'finished', since: 0 } })).toBe(false);
    expect(await terminals.end({ ...view, history: true })).toBe(false);
    expect(sought).toEqual([]);
  });

  it('are left alone if the agent runs in none of them', async () => {
    const { terminals, pid } = await opened();
    editor.terminals = [];
    expect(await terminals.end(view)).toBe(false);
    expect(isProcessAlive(pid)).toBe(true);
  });
});
