import { AGENT_STATE_KINDS, type AgentId, type AgentStateKind, type AgentView, needsPerson } from '../../core/model';
import type { MetricReading } from './metrics';

/** Longest interval between two checks, milliseconds. Of a longer gap at most three intervals count, since the machine was asleep. */
export const LOOK_INTERVAL_MS = 10_000;
const LONGEST_MS = 3 * LOOK_INTERVAL_MS;

interface Known {
  readonly agent: AgentId;
  readonly state: AgentStateKind;
  at: number;
}

/** Counts the agents in each state and the time spent in it. Times are passed in, milliseconds since the epoch. */
export class AgentStates {
  private readonly known = new Map<string, Known>();
  /** Milliseconds by agent and state, for every agent that was ever seen. A series that disappears would look like a failed export. */
  private readonly spent = new Map<AgentId, Record<AgentStateKind, number>>();
  private needing = new Map<AgentId, number>();

  /** Takes a session as it is shown now; undefined if it is no longer shown. */
  changed(session: string, view: AgentView | undefined, now: number): void {
    this.settle(session, now);
    if (!view) {
      this.known.delete(session);
      return;
    }
    if (!this.spent.has(view.agent)) this.spent.set(view.agent, nothing());
    this.known.set(session, { agent: view.agent, state: view.state.kind, at: now });
  }

  /** Takes all sessions that are shown now. */
  look(views: readonly AgentView[], now: number): void {
    const shown = new Set(views.map(({ session }) => session));
    for (const session of this.known.keys()) if (!shown.has(session)) this.changed(session, undefined, now);
    for (const view of views) this.changed(view.session, view, now);
    this.needing = new Map();
    for (const view of views)
      this.needing.set(view.agent, (this.needing.get(view.agent) ?? 0) + (needsPerson(view) ? 1 : 0));
  }

  /** Returns the number of agents by state, as of the last check. */
  agents(): MetricReading[] {
    const count = new Map<string, number>();
    for (const { agent, state } of this.known.values())
      count.set(`${agent} ${state}`, (count.get(`${agent} ${state}`) ?? 0) + 1);
    return [...this.spent.keys()].flatMap((agent) =>
      AGENT_STATE_KINDS.map((state) => ({
        value: count.get(`${agent} ${state}`) ?? 0,
        labels: labelsOf(agent, state),
      })),
    );
  }

  /** Returns the number of agents that need a person, as of the last check. */
  needingPerson(): MetricReading[] {
    return [...this.spent.keys()].map((agent) => ({
      value: this.needing.get(agent) ?? 0,
      labels: { 'gen_ai.agent.name': agent },
    }));
  }

  /** Returns the seconds by state, as of the last check. Leaves out `finished`, which lasts for ever. */
  seconds(): MetricReading[] {
    return [...this.spent].flatMap(([agent, spent]) =>
      AGENT_STATE_KINDS.filter((state) => state !== 'finished').map((state) => ({
        value: spent[state] / 1_000,
        labels: labelsOf(agent, state),
      })),
    );
  }

  private settle(session: string, now: number): void {
    const known = this.known.get(session);
    const spent = known && this.spent.get(known.agent);
    if (!spent) return;
    spent[known.state] += Math.max(0, Math.min(now - known.at, LONGEST_MS));
    known.at = now;
  }
}

function nothing(): Record<AgentStateKind, number> {
  return Object.fromEntries(AGENT_STATE_KINDS.map((state) => [state, 0])) as Record<AgentStateKind, number>;
}

function labelsOf(agent: AgentId, state: AgentStateKind) {
  return { 'gen_ai.agent.name': agent, 'unstuck.state': state };
}
