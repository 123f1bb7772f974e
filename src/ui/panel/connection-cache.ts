import * as vscode from 'vscode';
import type { Bridge, ConnectionStatus } from '../../inbox';
import type { AgentView } from '../../model';

const FRESH_MS = 30_000;

interface Known {
  readonly at: number;
  readonly status: ConnectionStatus | null;
}

/** Whether agents are connected, asked for in the background: rows and the panel are drawn from what is known. */
export class ConnectionCache {
  private readonly known = new Map<string, Known>();
  private readonly asking = new Set<string>();

  constructor(
    private readonly bridges: ReadonlyMap<string, Bridge>,
    private readonly now: () => number,
    private readonly changed: () => void,
  ) {}

  /** What is known of the agent's connection; null while nothing is, or where no bridge exists. */
  statusOf(view: AgentView): ConnectionStatus | null {
    const bridge = this.bridges.get(view.agent);
    if (!bridge || view.cwd === undefined) return null;
    const key = `${view.agent}\n${view.cwd}`;
    const known = this.known.get(key);
    if (!known || this.now() - known.at > FRESH_MS) void this.ask(key, bridge, view.cwd);
    return known?.status ?? null;
  }

  /** Something was connected or disconnected: all is asked for anew. */
  forget(): void {
    this.known.clear();
    this.changed();
  }

  private async ask(key: string, bridge: Bridge, folder: string): Promise<void> {
    if (this.asking.has(key)) return;
    this.asking.add(key);
    const workspaceFolders = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
    const status = await bridge.status({ folder, workspaceFolders }).catch(() => null);
    const before = this.known.get(key);
    this.known.set(key, { at: this.now(), status });
    this.asking.delete(key);
    if (before?.status?.state !== status?.state) this.changed();
  }
}
