import type { AgentView } from '../../model';
import { compareRows } from './order';

export interface RosterSource {
  /** All sessions that the engine shows. */
  all(): readonly AgentView[];
  /** One of them; undefined where it is not shown (any more). */
  one(session: string): AgentView | undefined;
  /** Should it stand in the lists? */
  isListed(view: AgentView): boolean;
}

/**
 * The agents in the order of the lists, kept in order as they change: of a thousand a few change at a time, and looking at all of them ten
 * times a second would be felt.
 */
export class Roster {
  private readonly views = new Map<string, AgentView>();
  private ordered: AgentView[] = [];
  private readonly children = new Map<string, Set<string>>();
  private finishedCount = 0;
  /** All that the engine shows, listed or not. */
  private readonly shown = new Map<string, AgentView>();

  constructor(private readonly source: RosterSource) {}

  /** In order, sub-agents among them. */
  get list(): readonly AgentView[] {
    return this.ordered;
  }

  get size(): number {
    return this.shown.size;
  }

  /** How many have finished, listed or not. */
  get finished(): number {
    return this.finishedCount;
  }

  get(session: string): AgentView | undefined {
    return this.views.get(session);
  }

  /** Sub-agents of a session, in order. */
  familyOf(session: string): readonly AgentView[] {
    const family = [...(this.children.get(session) ?? [])].flatMap((key) => this.views.get(key) ?? []);
    return family.sort(compareRows);
  }

  hasFamily(session: string): boolean {
    return this.children.has(session);
  }

  /** These sessions changed; all, when none are named. */
  update(sessions?: readonly string[]): void {
    if (!sessions) {
      this.clear();
      for (const view of this.source.all()) this.note(view);
      this.ordered = [...this.views.values()].sort(compareRows);
      return;
    }
    for (const session of sessions) {
      this.remove(session);
      const view = this.source.one(session);
      if (view && this.note(view)) this.ordered.splice(this.placeOf(view), 0, view);
    }
  }

  private clear(): void {
    this.views.clear();
    this.shown.clear();
    this.children.clear();
    this.finishedCount = 0;
    this.ordered = [];
  }

  /** Takes it up; true: it is listed. */
  private note(view: AgentView): boolean {
    this.shown.set(view.session, view);
    if (view.state.kind === 'finished') this.finishedCount++;
    if (!this.source.isListed(view)) return false;
    this.views.set(view.session, view);
    if (view.parent !== undefined) {
      const family = this.children.get(view.parent);
      if (family) family.add(view.session);
      else this.children.set(view.parent, new Set([view.session]));
    }
    return true;
  }

  private remove(session: string): void {
    const before = this.shown.get(session);
    if (!before) return;
    this.shown.delete(session);
    if (before.state.kind === 'finished') this.finishedCount--;
    if (!this.views.delete(session)) return;
    // Where it stood by what it was; equals stand together.
    let at = this.placeOf(before);
    while (at < this.ordered.length && this.ordered[at]?.session !== session) at++;
    if (at === this.ordered.length) at = this.ordered.findIndex((one) => one.session === session);
    if (at >= 0) this.ordered.splice(at, 1);
    if (before.parent === undefined) return;
    const family = this.children.get(before.parent);
    family?.delete(session);
    if (family?.size === 0) this.children.delete(before.parent);
  }

  /** The first place whose row does not stand before this one. */
  private placeOf(view: AgentView): number {
    let low = 0;
    let high = this.ordered.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareRows(this.ordered[middle] as AgentView, view) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
