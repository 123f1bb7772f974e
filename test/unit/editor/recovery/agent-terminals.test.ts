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

/** A shell in a terminal of the editor with an agent in it, and a terminal with nothing of it. `traced`: the agent leaves a trace of its process. */
async function opened(traced = true) {
  const agent = `${process.execPath} -e 'process.stdout.write(String(process.pid)); setTimeout(() => {}, 600_000)'`;
  shell = spawn('sh', ['-c', `${agent}; cat`], { stdio: ['pipe', 'pipe', 'ignore'] });
  const pid = Number(await new Promise((done) => shell.stdout?.once('data', (text: Buffer) => done(String(text)))));
  const terminal = {
    processId: Promise.resolve(shell.pid),
    exitStatus: undefined,
    show: () => undefined,
  };
  editor.terminals = [{ ...terminal, processId: Promise.resolve(process.pid + 1_000_000) }, terminal];
  const liveness = () => ({ liveness: traced ? { alive: isProcessAlive(pid), pid } : null });
  const sought: unknown[] = [];
  const find: FindProcess = (session) => {
    sought.push(session);
    return Promise.resolve(isProcessAlive(pid) ? pid : null);
  };
  const services = {
    engine: { session: liveness, agents: () => [view, OTHER, agentView('sub', {}, { parent: 's' })] },
    now: Date.now,
    log: { warn: () => undefined },
    context: { globalStorageUri: { fsPath: folder } },
  } as unknown as Services;
  return { terminals: new AgentTerminals(services, find), pid, sought };
}

describe.skipIf(process.platform === 'win32')('the terminals in which agents run', () => {
  it('are found by the shell above the process, and shown as soon as it is known', async () => {
    const { terminals } = await opened();
    const heard = vi.fn();
    terminals.onDidChange(heard);
    expect(terminals.isHere(view)).toBe(false);
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
    expect(terminals.isHere(view)).toBe(true);
    expect(await terminals.show(view)).toBe(true);
    editor.terminals = [];
    // At once, not with the next look: a row would offer a way to a terminal that was closed.
    expect(terminals.isHere(view)).toBe(false);
    expect(await terminals.show(view)).toBe(false);
  });

  it('are in front while they are the active one of a window that has the focus', async () => {
    const { terminals } = await opened();
    const [other, mine] = editor.terminals;
    editor.activeTerminal = mine;
    const heard = vi.fn();
    terminals.onDidChange(heard);
    // Nobody knows yet where it runs; the question starts the search.
    expect(terminals.isInFront(view)).toBe(false);
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
    expect(terminals.isInFront(view)).toBe(true);
    editor.state.focused = false;
    expect(terminals.isInFront(view)).toBe(false);
    editor.state.focused = true;
    editor.activeTerminal = other;
    expect(terminals.isInFront(view)).toBe(false);
  });

  it('are none to type into while the shell has something else to do', async () => {
    const { terminals, pid } = await opened();
    expect(await terminals.emptiedOf('s')).toBeNull();
    expect(await terminals.end(view)).toBe(true);
    await vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), PATIENCE);
    // `cat` is in the foreground now, as something that the person started.
    expect(await terminals.emptiedOf('s')).toBeNull();
  });

  it('are free once, after the agent was ended there and the shell has nothing else to do', async () => {
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

  it('can still be shown when the agent in them was killed, as long as they are open', async () => {
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

  it('are known of an agent that leaves no trace of its process, and it is ended and followed there', async () => {
    const { terminals, pid, sought } = await opened(false);
    const [heard, ended] = [vi.fn(), vi.fn()];
    terminals.onDidChange(heard);
    terminals.onDidEnd(ended);
    expect(terminals.isHere(view)).toBe(false);
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
    expect(terminals.isHere(view)).toBe(true);
    // Another session of the same folder could be its; a sub-agent has no process of its own.
    const others = [OTHER.health.lastEventAt];
    expect(sought).toEqual([{ agent: 'gemini-cli', cwd: view.cwd, file: '/t/s.jsonl', others }]);
    expect(await terminals.end(view)).toBe(true);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledWith('s'), PATIENCE);
    expect([isProcessAlive(pid), terminals.isHere(view)]).toEqual([false, false]);
  });

  it('are not searched for an agent that has ended', async () => {
    const { terminals, sought } = await opened(false);
    expect(terminals.isHere({ ...view, state: { kind: 'finished', since: 0 } })).toBe(false);
    expect(await terminals.end({ ...view, history: true })).toBe(false);
    expect(sought).toEqual([]);
  });

  it('stay as they are where the agent runs in none of them', async () => {
    const { terminals, pid } = await opened();
    editor.terminals = [];
    expect(await terminals.end(view)).toBe(false);
    expect(isProcessAlive(pid)).toBe(true);
  });
});
