import type { Engine } from '../../engine/engine';
import type { IncidentChange } from '../../engine/events';
import type { SessionSteps } from '../../engine/session/session-steps';
import type { IncidentInput } from '../../detect/incident';
import type { AgentView, Incident, Machine } from '../../core/model';
import { type Disposable, DisposableStore } from '../../base/util/disposable';
import { Emitter } from '../../base/util/emitter';
import type { MachineReport } from '../../core/words';
import type { AgentSource, EngineAgents } from '../agent-source';
import type { RemoteAgents } from './remote-agents';
import { isRemoteKey } from './remote-view';

/** The agents of this machine and of others. An agent that this window follows itself appears once, as the window sees it. */
export class JoinedAgents implements AgentSource, Disposable {
  private readonly changed = new Emitter<readonly string[]>();
  private readonly incidentChanged = new Emitter<IncidentChange>();
  readonly onDidChange = this.changed.event;
  readonly onDidChangeIncident = this.incidentChanged.event;
  private readonly owned = new DisposableStore();

  constructor(
    private readonly here: EngineAgents & Pick<Engine, 'readWhole'>,
    private readonly there: RemoteAgents,
  ) {
    // When an agent of this machine appears or disappears, the copy that its relay reports disappears or appears.
    const withTwins = (sessions: readonly string[]) => [
      ...sessions,
      ...sessions.flatMap((session) => there.keysOf(session)),
    ];
    for (const subscription of [
      here.onDidChange((sessions) => this.changed.fire(withTwins(sessions))),
      there.onDidChange((keys) => this.changed.fire(keys)),
      here.onDidChangeIncident((change) => this.incidentChanged.fire(change)),
      there.onDidChangeIncident((change) => {
        if (!this.isHere(change.session)) this.incidentChanged.fire(change);
      }),
      this.changed,
      this.incidentChanged,
    ])
      this.owned.add(subscription);
  }

  dispose(): void {
    this.owned.dispose();
  }

  agents(): AgentView[] {
    return [...this.here.agents(), ...this.there.views().filter(({ session }) => !this.isHere(session))];
  }

  shownAgent(key: string): AgentView | undefined {
    if (!isRemoteKey(key)) return this.here.shownAgent(key);
    return this.isHere(key) ? undefined : this.there.view(key);
  }

  agent(key: string): AgentView | undefined {
    return isRemoteKey(key) ? this.there.view(key) : this.here.agent(key);
  }

  /** The steps of an agent stay on its machine. */
  timeline(key: string): SessionSteps | undefined {
    return isRemoteKey(key) ? undefined : this.here.timeline(key);
  }

  incidentsOf(key: string): readonly Incident[] {
    return isRemoteKey(key) ? this.there.incidentsOf(key) : this.here.incidentsOf(key);
  }

  /** Only incidents of this machine are kept here. */
  changeIncident(id: string, input: IncidentInput): boolean {
    return this.here.changeIncident(id, input);
  }

  machines(): readonly Machine[] {
    return this.there.machines();
  }

  reportsOf(key: string): readonly MachineReport[] {
    return this.there.reportsOf(key);
  }

  requestReports(key: string): void {
    if (isRemoteKey(key)) void this.there.requestReports(key);
    else this.here.readWhole(key);
  }

  /** Returns true if this window follows the agent itself. */
  private isHere(key: string): boolean {
    const session = this.there.sessionOf(key);
    return session !== undefined && this.here.shownAgent(session) !== undefined;
  }
}
