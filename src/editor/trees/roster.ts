import { type AgentView, compareStanding } from '../../core/model';

export interface RosterSource {
  /** All sessions that the engine shows. */
  all(): readonly AgentView[];
  /** One of them; undefined where it is not shown (any more). */
  one(session: string): AgentView | undefined;
  /** Should it stand in the lists? */
  isListed(view: AgentView): boolean;
}

interface Entry {
  readonly view: AgentView;
  readonly listed: boolean;
}

/**
 * The agents in the order of the lists, kept in order as they change: of a thousand a few change at a time, and sorting all of them ten
 * times a second would be felt.
 */
export class OrderedAgents {
  /** All that the engine shows. */
  private readonly entries = new Map<string, Entry>();
  private ordered: AgentView[] = [];
  /** Listed sub-agents by the session that started them, in order; made when it is asked for after a change. */
  private families: Map<string, AgentView[]> | null = null;

  constructor(private readonly source: RosterSource) {}

  /** Another number: an agent came, went, or works in another place. */
  version = 0;

  /** In order, sub-agents among them. */
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

  /** Sub-agents of a session, in order. */
  familyOf(session: string): readonly AgentView[] {
    this.families ??= familiesOf(this.ordered);
    return this.families.get(session) ?? [];
  }

  /** These sessions changed; all, when none are named. */
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

  /** Takes it up; true: it is listed. */
  private note(view: AgentView): boolean {
    const listed = this.source.isListed(view);
    this.entries.set(view.session, { view, listed });
    return listed;
  }

  private remove(session: string): void {
    const before = this.entries.get(session);
    this.entries.delete(session);
    // The order is total: it stands where its old view says.
    if (before?.listed) this.ordered.splice(this.placeOf(before.view), 1);
  }

  /** The first place whose row does not stand before this one. */
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
