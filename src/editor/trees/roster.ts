import { type AgentView, compareStanding } from '../../core/model';

export interface RosterSource {
  /** Returns all sessions that the engine shows. */
  all(): readonly AgentView[];
  /** Returns one of them; undefined if it is not or no longer shown. */
  one(session: string): AgentView | undefined;
  /** Returns whether the lists should contain it. */
  isListed(view: AgentView): boolean;
}

interface Entry {
  readonly view: AgentView;
  readonly listed: boolean;
}

/**
 * The agents in the order of the lists, kept in order as they change. Of a thousand agents a few change at a time, and sorting all of them ten times
 * a second would be noticeable.
 */
export class OrderedAgents {
  /** All agents that the engine shows. */
  private readonly entries = new Map<string, Entry>();
  private ordered: AgentView[] = [];
  /** Listed sub-agents by the session that started them, in order; computed on the first use after a change. */
  private families: Map<string, AgentView[]> | null = null;

  constructor(private readonly source: RosterSource) {}

  /** Increases when an agent appears, disappears, or works in another place. */
  version = 0;

  /** Listed agents in order, sub-agents included. */
  get list(): readonly AgentView[] {
    return this.ordered;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Number of finished agents, listed or not. */
  get finished(): number {
    let count = 0;
    for (const { view } of this.entries.values()) if (view.state.kind === 'finished') count++;
    return count;
  }

  get(session: string): AgentView | undefined {
    const entry = this.entries.get(session);
    return entry?.listed ? entry.view : undefined;
  }

  /** Returns the sub-agents of a session, in order. */
  familyOf(session: string): readonly AgentView[] {
    this.families ??= familiesOf(this.ordered);
    return this.families.get(session) ?? [];
  }

  /** Takes the sessions that changed; all if none are named. */
  update(sessions?: readonly string[]): void {
    this.families = null;
    if (!sessions) {
      this.version++;
      this.entries.clear();
      this.ordered = this.source
        .all()
        .filter((view) => this.note(view))
        .sort(compareStanding);
      return;
    }
    for (const session of sessions) {
      const before = this.get(session);
      this.remove(session);
      const view = this.source.one(session);
      if (view && this.note(view)) this.ordered.splice(this.placeOf(view), 0, view);
      const after = this.get(session);
      if (before?.cwd !== after?.cwd || before?.branch !== after?.branch || !before !== !after) this.version++;
    }
  }

  /** Adds a session. Returns true if it is listed. */
  private note(view: AgentView): boolean {
    const listed = this.source.isListed(view);
    this.entries.set(view.session, { view, listed });
    return listed;
  }

  private remove(session: string): void {
    const before = this.entries.get(session);
    this.entries.delete(session);
    // The order is total, so the session is at the place of its old view.
    if (before?.listed) this.ordered.splice(this.placeOf(before.view), 1);
  }

  /** Returns the first place whose row does not come before this one. */
  private placeOf(view: AgentView): number {
    let low = 0;
    let high = this.ordered.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareStanding(this.ordered[middle] as AgentView, view) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function familiesOf(ordered: readonly AgentView[]): Map<string, AgentView[]> {
  const families = new Map<string, AgentView[]>();
  for (const view of ordered) {
    if (view.parent === undefined) continue;
    const family = families.get(view.parent);
    if (family) family.push(view);
    else families.set(view.parent, [view]);
  }
  return families;
}
