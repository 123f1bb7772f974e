import { type AgentView, needsPerson, standingOf } from '../../core/model';
import { type StatusWords, type StatusCommand, statusItem } from '../../core/words';

export interface StatusInput {
  /** In order: the ones that need a person first. */
  readonly views: readonly AgentView[];
  /** Returns whether the incidents of this agent were shown in a focused window. */
  readonly isSeen: (view: AgentView) => boolean;
  readonly paused: boolean;
  readonly trusted: boolean;
}

export interface Status {
  /** Null if nothing is shown. */
  readonly item: StatusWords | null;
  /** The agent that a click opens; undefined for none. */
  readonly session: string | undefined;
  /** Agents that have not finished, and those that died, for the tooltip. */
  readonly running: readonly AgentView[];
}

/** Sums up all agents for the status bar, with the counts of the list. A stuck agent whose incidents a person has seen no longer warns. */
export function statusOf({ views, isSeen, paused, trusted }: StatusInput): Status {
  const running = views.filter((view) => view.state.kind !== 'finished' || needsPerson(view));
  const stuck = running.filter((view) => standingOf(view) === 'stuck');
  const needing = running.filter((view) => standingOf(view) === 'needs_you');
  const unseen = running.filter((view) => isInTrouble(view) && !isSeen(view));
  const alive = running.filter((view) => view.state.kind !== 'finished');
  const recovering = alive.filter((view) => view.state.kind === 'recovering');
  const item = statusItem({
    needsYou: needing.length,
    stuck: stuck.length,
    unseen: unseen.length,
    notMonitored: alive.filter((view) => view.state.kind === 'not_monitored').length,
    probablyWaiting: alive.filter((view) => view.state.probable).length,
    recovering: recovering.length,
    agents: alive.length,
    restricted: !trusted && alive.length > 0,
    paused,
  });
  const about: Partial<Record<StatusCommand, AgentView | undefined>> = {
    show_next: needing[0] ?? unseen[0] ?? stuck[0],
    show_recovering: recovering[0],
  };
  return { item, session: item ? about[item.command]?.session : undefined, running };
}

/** Returns whether an agent is stuck or its recovery ended without success. */
export function isInTrouble({ state }: AgentView): boolean {
  return state.kind === 'stuck' || state.kind === 'escalated';
}

/** Counts for the badge of the view *Agents* the stuck incidents that no one has seen and whose agent was not interrupted. */
export function countUnseen(views: readonly AgentView[], isSeen: (incident: string) => boolean): number {
  return views
    .filter(({ state }) => !state.interrupted)
    .flatMap((view) => view.incidents)
    .filter((incident) => incident.level === 'stuck' && incident.state !== 'muted' && !isSeen(incident.id)).length;
}
