import * as vscode from 'vscode';
import type { AgentView } from '../core/model';

/**
 * Incidents that a person has seen: the agent's panel or its tree row was shown while the window had the focus. A visible window without
 * the focus does not count.
 */
export class Seen implements vscode.Disposable {
  private readonly incidents = new Set<string>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor(
    /** Returns the sessions that are in view now, if the window has the focus. */
    private readonly inView: () => readonly AgentView[],
  ) {
    this.subscription = vscode.window.onDidChangeWindowState(() => this.look());
  }

  /** Marks what is in view as seen: called when something is shown, or the window got the focus. */
  look(): void {
    if (!vscode.window.state.focused) return;
    const before = this.incidents.size;
    for (const view of this.inView()) for (const incident of view.incidents) this.incidents.add(incident.id);
    if (this.incidents.size !== before) this.changed.fire();
  }

  has(view: AgentView): boolean {
    return view.incidents.every((incident) => incident.level !== 'stuck' || this.incidents.has(incident.id));
  }

  hasIncident(id: string): boolean {
    return this.incidents.has(id);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}
