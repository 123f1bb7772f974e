import * as vscode from 'vscode';
import type { Bridge, ConnectionStatus } from '../../agents/inbox';
import type { AgentView, MessageKind } from '../../core/model';
import { proofOf, type Route } from '../../recover/decisions/reach';
import type { Proof } from '../../core/words';
import { Emitter } from '../../base/util/emitter';

const FRESH_MS = 30_000;
/** Interval at which an agent that has not called us yet is checked. */
const PROOF_FRESH_MS = 2_000;

interface Known {
  readonly at: number;
  readonly status: ConnectionStatus | null;
}

/** Knows how messages reach each agent. Looks it up in the background: rows and the panel are drawn from what is known. */
export class Routes {
  private readonly known = new Map<string, Known>();
  /** Progress of each session when it was first seen connected, and whether it has called us since. */
  private readonly proofs = new Map<string, { readonly calls: number; isProven: boolean; checkedAt: number }>();
  private readonly lookUps = new Map<string, Promise<void>>();
  /** How often everything was forgotten: an answer from before that is about another connection. */
  private forgotten = 0;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly bridges: ReadonlyMap<string, Bridge>,
    /** A replayed agent takes its messages on its own. */
    private readonly isReplayed: (view: AgentView) => boolean,
    private readonly now: () => number,
    /** Returns whether it works in the chat of this window. */
    private readonly isInChat: (view: AgentView) => boolean = () => false,
  ) {}

  isConnected(view: AgentView): boolean {
    return this.isReplayed(view) || this.statusOf(view)?.state === 'connected';
  }

  /** Returns the kinds of message that are handed to this agent now; none if it is not connected. */
  kindsTaken(view: AgentView): readonly MessageKind[] {
    if (this.isReplayed(view)) return ['nudge'];
    const isConnected = this.statusOf(view)?.state === 'connected';
    return isConnected ? (this.bridges.get(view.agent)?.abilities.kinds ?? []) : [];
  }

  routeOf(view: AgentView): Route {
    const abilities = this.bridges.get(view.agent)?.abilities;
    const status = this.statusOf(view);
    return {
      connected: this.isConnected(view),
      canConnect: this.bridges.has(view.agent),
      ...(status?.state === 'not_trusted' && !this.isReplayed(view) && { trustStep: status.message }),
      connectedAt: status?.connectedAt ?? null,
      wakesIdle: abilities?.wakesIdle ?? true,
      joinsRunning: abilities?.joinsRunning ?? true,
      proof: this.proofOf(view),
      chat: this.isInChat(view) && !this.isReplayed(view),
    };
  }

  /** Returns how far it is proven that this agent calls us. Checked in the background, as its connection is. */
  proofOf(view: AgentView): Proof {
    const bridge = this.bridges.get(view.agent);
    if (this.isReplayed(view) || !bridge || this.statusOf(view)?.state !== 'connected') return 'proven';
    const known = this.proofs.get(view.session) ?? { calls: view.health.calls, isProven: false, checkedAt: 0 };
    this.proofs.set(view.session, known);
    if (!known.isProven && this.now() - known.checkedAt > PROOF_FRESH_MS) {
      known.checkedAt = this.now();
      void this.checkProof(bridge, view.session);
    }
    return proofOf(known.isProven, view.health.calls - known.calls);
  }

  /** Returns whether it has loaded what Connect wrote and made calls without calling us, as far as is known by now. */
  seemsSilent(view: AgentView): boolean {
    const { connected, connectedAt, joinsRunning, proof } = this.routeOf(view);
    const { startedAt } = view.health;
    const beganBefore = connectedAt !== null && startedAt > 0 && startedAt < connectedAt;
    return connected && (joinsRunning || !beganBefore) && proof === 'silent';
  }

  /** Does the same, but checks now. */
  async isSilent(view: AgentView): Promise<boolean> {
    const bridge = this.bridges.get(view.agent);
    if (bridge) await this.checkProof(bridge, view.session);
    return this.seemsSilent(view);
  }

  /** Returns the proof for all sessions of one kind of agent. One that does not answer counts most, then one that has called us. */
  proofOfAll(views: readonly AgentView[]): Proof {
    const proofs = views.map((view) => this.proofOf(view));
    if (proofs.includes('silent')) return 'silent';
    return proofs.includes('proven') ? 'proven' : 'waiting';
  }

  /** Forgets everything after something was connected or disconnected, so that it is checked again. */
  forget(): void {
    this.forgotten++;
    this.known.clear();
    this.proofs.clear();
    this.changed.fire();
  }

  private async checkProof(bridge: Bridge, session: string): Promise<void> {
    const { forgotten } = this;
    const isProven = await bridge.isProven(session).catch(() => false);
    const known = this.proofs.get(session);
    if (forgotten !== this.forgotten || !isProven || !known || known.isProven) return;
    known.isProven = true;
    this.changed.fire();
  }

  /** Looks up now what is otherwise looked up in the background. */
  async learn(view: AgentView): Promise<void> {
    const bridge = this.bridges.get(view.agent);
    if (bridge && view.cwd !== undefined && !this.isReplayed(view)) await this.lookUp(keyOf(view), bridge, view.cwd);
  }

  /** Returns the agent's connection; null while it is unknown or if no bridge exists. */
  private statusOf(view: AgentView): ConnectionStatus | null {
    const bridge = this.bridges.get(view.agent);
    if (!bridge || view.cwd === undefined) return null;
    const key = keyOf(view);
    const known = this.known.get(key);
    if (!known || this.now() - known.at > FRESH_MS) void this.lookUp(key, bridge, view.cwd);
    return known?.status ?? null;
  }

  private lookUp(key: string, bridge: Bridge, folder: string): Promise<void> {
    const running =
      this.lookUps.get(key) ?? this.lookUpNow(key, bridge, folder).finally(() => this.lookUps.delete(key));
    this.lookUps.set(key, running);
    return running;
  }

  private async lookUpNow(key: string, bridge: Bridge, folder: string): Promise<void> {
    const workspaceFolders = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
    let forgotten: number;
    let status: ConnectionStatus | null;
    do {
      forgotten = this.forgotten;
      status = await bridge.status({ folder, workspaceFolders }).catch(() => null);
    } while (forgotten !== this.forgotten);
    const before = this.known.get(key);
    this.known.set(key, { at: this.now(), status });
    if (before?.status?.state !== status?.state) this.changed.fire();
  }
}

function keyOf({ agent, cwd = '' }: AgentView): string {
  return `${agent}\n${cwd}`;
}
