import * as vscode from 'vscode';
import { parentInStat, systemProbe } from '../../engine/follow/probe';
import { systemProcesses } from '../../base/processes/system';
import type { AgentId, AgentView } from '../../core/model';
import { pause } from '../../base/clock';
import { Emitter } from '../../base/util/emitter';
import { isProcessAlive } from '../../base/util/process';
import type { Services } from '../services';
import { familyOf, parentsIn } from './terminal-family';

/** Time for which the known terminal of an agent is not checked again, milliseconds. */
const FRESH_MS = 10_000;
/** Time after which an agent that has not ended is killed, milliseconds. */
const GRACE_MS = 5_000;
/** Time after which a process that outlives even that is no longer waited for, milliseconds. */
const GIVE_UP_MS = 60_000;
/** Interval at which the processes of the machine are searched for one session, milliseconds. */
const SEARCH_MS = 30_000;
const LOOK_AGAIN_MS = 100;
/** Time after which a shell that still has a program in the foreground is left alone, milliseconds. */
const SHELL_WITHIN_MS = 5_000;

interface Known {
  readonly pid: number;
  readonly at: number;
  readonly terminal: vscode.Terminal | null;
}

/** Finds the process of a session whose agent leaves no trace of it; null if it is not certain. */
export type FindProcess = (session: {
  readonly agent: AgentId;
  readonly file: string;
  readonly cwd: string;
  readonly others: readonly number[];
}) => Promise<number | null>;

/**
 * Finds the terminals of this window in which agents run. For a restart that was just clicked it ends the agent there. The next one is started in the
 * same terminal once the old process has ended.
 */
export class AgentTerminals implements vscode.Disposable {
  private readonly known = new Map<string, Known>();
  private readonly looking = new Set<string>();
  private readonly lookedAt = new Map<string, number>();
  /** Terminals in which the agents of these sessions were ended. */
  private readonly emptied = new Map<string, vscode.Terminal>();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly ended = new Emitter<string>();
  /** Fires when the agent of this session, which was ended here, is gone. */
  readonly onDidEnd = this.ended.event;
  /** Processes that the system reported for agents that leave no trace of their process. */
  private readonly found = new Map<string, number>();

  constructor(
    private readonly services: Services,
    private readonly findProcess: FindProcess = () => Promise.resolve(null),
  ) {}

  dispose(): void {
    this.changed.dispose();
    this.ended.dispose();
  }

  /** Returns whether it runs in a terminal of this window, as far as it is known by now. Looks it up in the background. */
  isHere(view: AgentView): boolean {
    return this.knownOf(view) !== null;
  }

  /** Returns whether the terminal in which it runs or ran is open in this window, as far as it is known by now. */
  wasHere(view: AgentView): boolean {
    return (this.knownOf(view) ?? this.lastOf(view)) !== null;
  }

  /** Returns whether its terminal was the one used last in a window that has the focus, as far as it is known by now. */
  isInFront(view: AgentView): boolean {
    const terminal = this.knownOf(view);
    return terminal !== null && vscode.window.state.focused && vscode.window.activeTerminal === terminal;
  }

  async show(view: AgentView): Promise<boolean> {
    const terminal = (await this.look(view)) ?? this.lastOf(view);
    terminal?.show();
    return terminal !== null;
  }

  /** Ends the agent if it runs in a terminal of this window; false if it does not. */
  async end(view: AgentView): Promise<boolean> {
    // In a remote window the editor's process list is that of the remote machine: a terminal and its agent are always on the same one.
    const terminal = await this.look(view);
    const pid = this.pidOf(view);
    if (terminal === null || pid === null) return false;
    if (!signal(pid, 'SIGTERM')) return false;
    this.emptied.set(view.session, terminal);
    void this.awaitEnd(view, pid);
    return true;
  }

  private async awaitEnd(view: AgentView, pid: number): Promise<void> {
    let isKilled = false;
    for (let waited = 0; waited < GIVE_UP_MS; waited += LOOK_AGAIN_MS) {
      // The caller must learn that the end is under way before it learns of the end.
      await pause(LOOK_AGAIN_MS);
      if (!isProcessAlive(pid)) break;
      if (isKilled || waited < GRACE_MS) continue;
      isKilled = true;
      // Checks again, since the id may belong to another process by now.
      if ((this.livenessOf(view)?.pid ?? (await this.find(view))) === pid) signal(pid, 'SIGKILL');
    }
    if (isProcessAlive(pid)) return;
    this.found.delete(view.session);
    this.ended.fire(view.session);
  }

  /** Returns the terminal in which the agent of this session was ended, once its shell has nothing else to do; null if a new terminal is needed. */
  async emptiedOf(session: string): Promise<vscode.Terminal | null> {
    const terminal = this.emptied.get(session);
    this.emptied.delete(session);
    return terminal && process.platform !== 'win32' && (await this.isAtPrompt(terminal)) ? terminal : null;
  }

  private knownOf(view: AgentView): vscode.Terminal | null {
    const pid = this.pidOf(view);
    const known = this.known.get(view.session);
    const { now } = this.services;
    if (this.livenessOf(view)?.pid === undefined) {
      // Only a search through all processes can find it, so it is rare, and made only if there is a terminal in which the agent could run.
      const isDue = now() - (this.lookedAt.get(view.session) ?? Number.NEGATIVE_INFINITY) >= SEARCH_MS;
      if (isDue && vscode.window.terminals.length > 0 && isRunning(view) && !this.looking.has(view.session))
        void this.look(view);
    } else {
      const isFresh = known?.pid === pid && now() - known.at < FRESH_MS;
      if (pid !== null && !isFresh && !this.looking.has(view.session)) void this.look(view);
    }
    return pid !== null && known?.pid === pid && isOpen(known.terminal) ? known.terminal : null;
  }

  /** Returns the terminal in which an agent without a process was last seen. */
  private lastOf(view: AgentView): vscode.Terminal | null {
    const terminal = this.pidOf(view) === null ? this.known.get(view.session)?.terminal : null;
    return terminal && isOpen(terminal) ? terminal : null;
  }

  private pidOf(view: AgentView): number | null {
    const liveness = this.livenessOf(view);
    if (liveness?.alive === false) return null;
    const found = this.found.get(view.session);
    return liveness?.pid ?? (found !== undefined && isProcessAlive(found) ? found : null);
  }

  private livenessOf(view: AgentView) {
    return this.services.engine.session(view.session)?.liveness;
  }

  /** Finds out from the system which process it is, if nothing else tells. */
  private async find(view: AgentView): Promise<number | null> {
    const { agent, cwd, file, session } = view;
    // A sub-agent has no process of its own, and an ended agent has none.
    if (cwd === undefined || !isRunning(view)) return null;
    const others = this.services.engine
      .agents()
      .filter((one) => one.agent === agent && one.cwd === cwd && one.session !== session && one.parent === undefined)
      .map(({ health }) => health.lastEventAt);
    const pid = await this.findProcess({ agent, cwd, file, others }).catch(() => null);
    if (pid === null) this.found.delete(session);
    else this.found.set(session, pid);
    return pid;
  }

  private async look(view: AgentView): Promise<vscode.Terminal | null> {
    this.looking.add(view.session);
    try {
      const liveness = this.livenessOf(view);
      if (liveness?.alive === false) return null;
      const pid = liveness?.pid ?? (await this.find(view));
      this.lookedAt.set(view.session, this.services.now());
      if (pid === null) return null;
      const terminal = await terminalOf(pid);
      const before = this.known.get(view.session);
      this.known.set(view.session, { pid, at: this.services.now(), terminal });
      if ((before?.terminal ?? null) !== terminal) this.changed.fire();
      return terminal;
    } finally {
      this.looking.delete(view.session);
    }
  }

  /** Returns whether the terminal's shell has nothing else to do. Typing into a running program would act in the person's place. */
  private async isAtPrompt(terminal: vscode.Terminal): Promise<boolean> {
    const shell = await terminal.processId;
    for (let waited = 0; waited < SHELL_WITHIN_MS; waited += LOOK_AGAIN_MS) {
      if (terminal.exitStatus !== undefined || shell === undefined) return false;
      const parents = await allParents();
      if (parents.size > 0 && ![...parents.values()].includes(shell)) return true;
      await pause(LOOK_AGAIN_MS);
    }
    return false;
  }
}

/** Returns whether the terminal is still open. A closed one stays known until the next look. */
function isOpen(terminal: vscode.Terminal | null): boolean {
  return terminal !== null && vscode.window.terminals.includes(terminal);
}

/** Returns whether the agent runs: only then can it be ended or gone to. */
function isRunning(view: AgentView): boolean {
  return !view.history && view.parent === undefined && view.state.kind !== 'finished';
}

async function terminalOf(pid: number): Promise<vscode.Terminal | null> {
  const parentOf = await parentsOfMachine();
  const family = familyOf(pid, parentOf);
  for (const terminal of vscode.window.terminals) {
    const shell = await terminal.processId;
    if (shell !== undefined && family.includes(shell)) return terminal;
  }
  return null;
}

async function parentsOfMachine(): Promise<(pid: number) => number | null> {
  if (process.platform === 'linux') return (pid) => parentInStat(systemProbe.read(`/proc/${pid}/stat`));
  const parents = await allParents();
  return (pid) => parents.get(pid) ?? null;
}

async function allParents(): Promise<ReadonlyMap<number, number>> {
  if (process.platform === 'win32') return new Map();
  const args = ['-A', '-o', 'pid=,ppid='];
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
  const processes = systemProcesses(() => folders);
  const ran = await processes.run({ command: 'ps', args, cwd: '/', timeoutMs: 5_000, maxBytes: 4 * 1024 * 1024 });
  return ran.code === 0 ? parentsIn(ran.stdout) : new Map();
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
