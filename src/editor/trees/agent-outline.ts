import { type AgentView, type Machine, NEEDS, type Need, needOf, standingOf } from '../../core/model';
import { type MachineGroup, machineGroups } from './machine-rows';
import type { OrderedAgents } from './roster';
import { hasWhyLine } from './row-words';

/** Rows at first: each row makes drawing the list slower, and agents that need a person stand on top. */
const FIRST_ROWS = 50;
/** Rows that *Show More* adds. */
export const MORE_ROWS = 200;

export interface OutlineSource {
  /** Sessions to show, in no order. */
  readonly roster: OrderedAgents;
  /** Other machines, in no order. */
  machines(): readonly Machine[];
}

/** The nesting of the list: which agents stand in which group, machine or family, in order. Draws nothing. */
export class AgentOutline {
  /** Rows of a group or a machine at most. */
  private rows = FIRST_ROWS;

  constructor(private readonly source: OutlineSource) {}

  get limit(): number {
    return this.rows;
  }

  showMore(): void {
    this.rows += MORE_ROWS;
  }

  /** The agents of this machine by what they need, in order; no group is empty. */
  needs(): readonly (readonly [Need, readonly AgentView[]])[] {
    const groups = new Map<Need, AgentView[]>();
    for (const view of this.source.roster.list) {
      if (view.machine || !this.isRoot(view)) continue;
      const need = needOf(standingOf(view));
      const group = groups.get(need);
      if (group) group.push(view);
      else groups.set(need, [view]);
    }
    return NEEDS.flatMap((need) => (groups.has(need) ? [[need, groups.get(need) ?? []] as const] : []));
  }

  machines(): readonly MachineGroup[] {
    return machineGroups(
      this.source.machines(),
      this.source.roster.list.filter((view) => view.machine && this.isRoot(view)),
    );
  }

  /** A sub-agent stands below the one that started it, unless it needs somebody. */
  isRoot(view: AgentView): boolean {
    return view.parent === undefined || hasWhyLine(view) || !this.source.roster.get(view.parent);
  }

  /** The sub-agents that stand below a session. */
  familyOf(session: string): readonly AgentView[] {
    return this.source.roster.familyOf(session).filter((view) => !this.isRoot(view));
  }

  /** The groups and sessions with their sub-agents, in order, and the number of listed agents. Equal where the same rows stand in the same places. */
  order(): readonly string[] {
    const order = [`of ${this.source.roster.list.length}`];
    const add = (name: string, views: readonly AgentView[]) =>
      order.push(name, ...views.slice(0, this.rows).map(({ session }) => this.familyOrder(session)));
    for (const [need, views] of this.needs()) add(need, views);
    for (const { machine, views } of this.machines()) add(machine.name, views);
    return order;
  }

  /** A session with all below it. */
  private familyOrder(session: string): string {
    const family = this.familyOf(session);
    return family.length === 0
      ? session
      : `${session}(${family.map((one) => this.familyOrder(one.session)).join(' ')})`;
  }
}

export function sameOrder(drawn: readonly string[], now: readonly string[]): boolean {
  return drawn.length === now.length && now.every((row, index) => row === drawn[index]);
}
