import * as vscode from 'vscode';
import type { Bridge, ConnectionStatus } from '../../inbox';
import type { AgentView, MessageKind } from '../../model';
import type { Route } from '../../recover/reach';
import { Emitter } from '../../util/emitter';

const FRESH_MS = 30_000;

interface Known {
  readonly at: number;
  readonly status: ConnectionStatus | null;
}

/** By which way messages reach each agent. Asked for in the background: rows and the panel are drawn from what is known. */
export class Routes {
  private readonly known = new Map<string, Known>();
  private readonly asking = new Set<string>();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly bridges: ReadonlyMap<string, Bridge>,
    /** A replayed agent takes its messages by itself. */
    private readonly isReplayed: (view: AgentView) => boolean,
    private readonly now: () => number,
  ) {}

  isConnected(view: AgentView): boolean {
    return this.isReplayed(view) || this.statusOf(view)?.state === 'connected';
  }

  /** Kinds of message that are handed to this agent now; none where it is not connected. */
  kindsTaken(view: AgentView): readonly MessageKind[] {
    if (this.isReplayed(view)) return ['nudge'];
    const isConnected = this.statusOf(view)?.state === 'connected';
    return isConnected ? (this.bridges.get(view.agent)?.abilities.kinds ?? []) : [];
  }

  routeOf(view: AgentView): Route {
    const abilities = this.bridges.get(view.agent)?.abilities;
    return {
      connected: this.isConnected(view),
      connectedAt: this.statusOf(view)?.connectedAt ?? null,
      wakesIdle: abilities?.wakesIdle ?? true,
      joinsRunning: abilities?.joinsRunning ?? true,
    };
  }

  /** Something was connected or disconnected: all is asked for anew. */
  forget(): void {
    this.known.clear();
    this.changed.fire();
  }

  /** What is known of the agent's connection; null while nothing is, or where no bridge exists. */
  private statusOf(view: AgentView): ConnectionStatus | null {
    const bridge = this.bridges.get(view.agent);
    if (!bridge || view.cwd === undefined) return null;
    const key = `${view.agent}\n${view.cwd}`;
    const known = this.known.get(key);
    if (!known || this.now() - known.at > FRESH_MS) void this.ask(key, bridge, view.cwd);
    return known?.status ?? null;
  }

  private async ask(key: string, bridge: Bridge, folder: string): Promise<void> {
    if (this.asking.has(key)) return;
    this.asking.add(key);
    const workspaceFolders = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
    const status = await bridge.status({ folder, workspaceFolders }).catch(() => null);
    const before = this.known.get(key);
    this.known.set(key, { at: this.now(), status });
    this.asking.delete(key);
    if (before?.status?.state !== status?.state) this.changed.fire();
  }
}
