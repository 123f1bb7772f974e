import type { Engine } from '../engine/engine';
import type { AgentView } from '../model';
import { Emitter } from '../util/emitter';
import { setContext } from './context-keys';
import type { Settings } from './settings/settings';
import { isListed } from './trees/order';
import { Roster } from './trees/roster';

/** Which agents the lists show, and which of them are muted for some time. */
export class AgentList {
  readonly roster: Roster;
  private finishedShown = false;
  private othersShown = false;
  private readonly mutedUntil = new Map<string, number>();
  private readonly changed = new Emitter<void>();
  /** A person asked for other agents to be shown, or muted one. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly engine: Pick<Engine, 'agents' | 'shownAgent' | 'otherSessions' | 'show'>,
    private readonly settings: () => Pick<Settings, 'maxAgeMs'>,
    private readonly now: () => number,
  ) {
    this.roster = new Roster({
      all: () => engine.agents(),
      one: (session) => engine.shownAgent(session),
      isListed: (view) => isListed(view, this.finishedShown),
    });
  }

  /** In the order of the lists. */
  views(): readonly AgentView[] {
    return this.roster.list;
  }

  /** Those that may draw a person's attention: muted agents stay in the lists and say nothing. */
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

  showFinished(shown: boolean): void {
    this.finishedShown = shown;
    setContext('unstuck.showsFinished', shown);
    this.changed.fire();
  }

  /** Sessions of folders that are not open, as many as the lists do not show yet. */
  hiddenOthers(): number {
    return this.othersShown ? 0 : this.recentOthers().length;
  }

  showOtherFolders(shown: boolean): void {
    this.othersShown = shown;
    setContext('unstuck.showsOtherFolders', shown);
    if (shown) for (const other of this.recentOthers()) this.engine.show(other.file, other.session);
    this.changed.fire();
  }

  private recentOthers() {
    return this.engine.otherSessions().filter((one) => this.now() - one.modifiedAt < this.settings().maxAgeMs);
  }
}
