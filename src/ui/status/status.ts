import { type AgentView, needsAnswer } from '../../model';
import { type StatusItem, type StatusCommand, statusItem } from '../../words';

export interface StatusInput {
  /** In order: the ones that need a person first. */
  readonly views: readonly AgentView[];
  /** Were the incidents of this agent shown in a focused window? */
  readonly isSeen: (view: AgentView) => boolean;
  readonly paused: boolean;
  readonly trusted: boolean;
}

export interface Status {
  /** Null: nothing is shown. */
  readonly item: StatusItem | null;
  /** The agent that a click is about; undefined where it is about none. */
  readonly session: string | undefined;
  /** Agents that have not finished, for the tooltip. */
  readonly running: readonly AgentView[];
}

/** What the status bar says of all agents. A stuck agent whose incidents a person has seen no longer warns. */
export function statusOf({ views, isSeen, paused, trusted }: StatusInput): Status {
  const running = views.filter((view) => view.state.kind !== 'finished');
  const stuck = running.filter(isStuck);
  const waiting = running.filter((view) => needsAnswer(view.state));
  const recovering = running.filter((view) => view.state.kind === 'recovering');
  const unseen = stuck.filter((view) => !isSeen(view));
  const item = statusItem({
    stuck: stuck.length,
    unseen: unseen.length,
    waiting: waiting.length,
    notMonitored: running.filter((view) => view.state.kind === 'not_monitored').length,
    probablyWaiting: running.filter((view) => view.state.probable).length,
    recovering: recovering.length,
    agents: running.length,
    restricted: !trusted && running.length > 0,
    paused,
  });
  const about: Partial<Record<StatusCommand, AgentView | undefined>> = {
    show_stuck: unseen[0] ?? stuck[0],
    show_waiting: waiting[0],
    show_recovering: recovering[0],
  };
  return { item, session: item ? about[item.command]?.session : undefined, running };
}

/** Is it stuck, or did its recovery end without success? */
export function isStuck({ state }: AgentView): boolean {
  return state.kind === 'stuck' || state.kind === 'escalated';
}

/** The badge of the view *Agents*: stuck incidents that nobody has seen. */
export function countUnseen(views: readonly AgentView[], isSeen: (incident: string) => boolean): number {
  return views
    .flatMap((view) => view.incidents)
    .filter((incident) => incident.level === 'stuck' && incident.state !== 'muted' && !isSeen(incident.id)).length;
}
