import { dirname, isAbsolute, relative, sep } from 'node:path';
import type { Engine } from '../engine/engine';
import { type AgentView, standingOf } from '../core/model';
import { Emitter } from '../base/util/emitter';
import type { AgentSource } from './agent-source';
import type { Workplace, Workplaces } from './workplaces';
import type { Replays } from './replay/sessions';
import type { Settings } from './settings/settings';
import { OrderedAgents } from './trees/roster';

/** The agents that the lists show, and which of them are muted for now. */
export class AgentList {
  readonly roster: OrderedAgents;
  private finishedShown = false;
  private othersShown = false;
  private named: { readonly version: number; readonly name: (view: AgentView) => string } | null = null;
  private readonly mutedUntil = new Map<string, number>();
  private readonly changed = new Emitter<void>();
  /** Fires when a person chose to show other agents, or muted one. */
  readonly onDidChange = this.changed.event;

  constructor(
    agents: Pick<AgentSource, 'agents' | 'shownAgent'>,
    private readonly engine: Pick<Engine, 'otherSessions' | 'show'>,
    private readonly settings: () => Pick<Settings, 'maxAgeMs'>,
    private readonly now: () => number,
    private readonly places: Pick<Workplaces, 'of' | 'naming'>,
    private readonly replayed: Pick<Replays, 'has' | 'isStopped'>,
  ) {
    this.roster = new OrderedAgents({
      all: () => agents.agents().filter(({ session }) => !replayed.isStopped(session)),
      one: (session) => (replayed.isStopped(session) ? undefined : agents.shownAgent(session)),
      isListed: (view) => isListed(view, this.finishedShown),
    });
  }

  /** Returns the agents in the order of the lists. */
  views(): readonly AgentView[] {
    return this.roster.list;
  }

  /**
   * Names the agent's machine, if it is another one, and the place where it works, as far as that distinguishes it from the others in the list. Empty
   * if all work in one place. A replay says that it is one.
   */
  readonly placeName = (view: AgentView): string =>
    [view.machine?.name ?? '', this.placeOnMachine(view)].filter((part) => part !== '').join(', ');

  /** Does the same below the name of the agent's machine. */
  readonly placeOnMachine = (view: AgentView): string => {
    if (this.replayed.has(view.session)) return 'replay';
    const { list, version } = this.roster;
    if (this.named?.version !== version) {
      const real = list.filter(({ session }) => !this.replayed.has(session));
      this.named = { version, name: this.places.naming(real) };
    }
    return this.named.name(view);
  };

  placeOf(view: AgentView): Workplace | undefined {
    return this.replayed.has(view.session) ? { folder: 'replay' } : this.places.of(view);
  }

  /** Returns the agents that may draw a person's attention. Muted agents stay in the lists and do not notify. */
  audible(): readonly AgentView[] {
    return this.mutedUntil.size === 0 ? this.views() : this.views().filter((view) => !this.isMuted(view.session));
  }

  isMuted(session: string): boolean {
    return (this.mutedUntil.get(session) ?? 0) > this.now();
  }

  /** @param until milliseconds since the epoch */
  mute(session: string, until: number): void {
    this.mutedUntil.set(session, until);
    this.changed.fire();
  }

  /** Agents that a person chose to see in addition to those that run in the folders of this window. */
  get shown(): { readonly finished: boolean; readonly others: boolean } {
    return { finished: this.finishedShown, others: this.othersShown };
  }

  showFinished(shown: boolean): void {
    this.finishedShown = shown;
    this.changed.fire();
  }

  /** Counts the sessions of folders that are not open and that the lists do not show yet. */
  hiddenOthers(): number {
    return this.othersShown ? 0 : this.recentOthers().length;
  }

  /** Returns where sessions were found while none of them belongs to an open folder, the place with the most sessions first. */
  elsewhere(home: string): readonly { readonly place: string; readonly sessions: number }[] {
    if (this.othersShown || this.roster.size > 0) return [];
    const found = new Map<string, number>();
    for (const { file } of this.recentOthers()) {
      const place = placeBelow(home, file);
      found.set(place, (found.get(place) ?? 0) + 1);
    }
    return [...found].map(([place, sessions]) => ({ place, sessions })).sort((a, b) => b.sessions - a.sessions);
  }

  showOtherFolders(shown: boolean): void {
    this.othersShown = shown;
    if (shown) for (const other of this.recentOthers()) this.engine.show(other.file, other.session);
    this.changed.fire();
  }

  private recentOthers() {
    return this.engine.otherSessions().filter((one) => this.now() - one.modifiedAt < this.settings().maxAgeMs);
  }
}

/** Returns the first folder below the home folder that contains a file, as a person writes it: `~/.claude`. Otherwise returns the file's folder. */
function placeBelow(home: string, file: string): string {
  const [first, ...rest] = relative(home, file).split(sep);
  return first === undefined || first === '..' || isAbsolute(first + sep) || rest.length === 0
    ? dirname(file)
    : `~/${first}`;
}

/**
 * Returns whether an agent is listed. Finished agents are listed only on request, if they stopped before their work was done, or if they ended while
 * this window watched them. Of a loop that starts agents only the last run is listed.
 */
export function isListed(view: AgentView, finishedShown: boolean): boolean {
  if (view.run?.isLast === false) return false;
  if (finishedShown || view.state.kind !== 'finished' || view.state.ended === 'died') return true;
  const endedWhileHere = !view.history && view.coverage.seen > 0;
  return endedWhileHere || standingOf(view) === 'needs_you';
}
