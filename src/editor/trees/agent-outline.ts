import { type AgentView, type Machine, NEEDS, type Need, needOf, standingOf } from '../../core/model';
import { type MachineGroup, machineGroups } from './machine-rows';
import type { OrderedAgents } from './roster';
import { hasWhyLine } from './row-words';

/** Number of rows at first. Each row makes drawing the list slower, and agents that need a person are at the top. */
const FIRST_ROWS = 50;
/** Rows that *Show More* adds. */
export const MORE_ROWS = 200;

export interface OutlineSource {
  /** Sessions to show, in no order. */
  readonly roster: OrderedAgents;
  /** Other machines, in no order. */
  machines(): readonly Machine[];
}

/** The nesting of the list: which agents are in which group, machine or family, in order. Draws nothing. */
export class AgentOutline {
  /** Maximum number of rows of a group or a machine. */
  private rows = FIRST_ROWS;

  constructor(private readonly source: OutlineSource) {}

  get limit(): number {
    return this.rows;
  }

  showMore(): void {
    this.rows += MORE_ROWS;
  }

  /** Returns the agents of this machine by what they need, in order. No group is empty. */
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

  /** Returns false for a sub-agent that is listed below the agent that started it. One that needs a person is listed on its own. */
  isRoot(view: AgentView): boolean {
    return view.parent === undefined || hasWhyLine(view) || !this.source.roster.get(view.parent);
  }

  /** Returns the sub-agents that are listed below a session. */
  familyOf(session: string): readonly AgentView[] {
    return this.source.roster.familyOf(session).filter((view) => !this.isRoot(view));
  }

  /**
   * Returns the groups and sessions with their sub-agents, in order, and the number of listed agents. The result is equal if the same rows are in the
   * same places.
   */
  order(): readonly string[] {
    const order = [`of ${this.source.roster.list.length}`];
    const add = (name: string, views: readonly AgentView[]) =>
      order.push(name, ...views.slice(0, this.rows).map(({ session }) => this.familyOrder(session)));
    for (const [need, views] of this.needs()) add(need, views);
    for (const { machine, views } of this.machines()) add(machine.name, views);
    return order;
  }

  /** Returns a session with everything below it. */
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
