import type { IncidentChange } from '../../engine/events';
import {
  type EventRecord,
  type FleetAgent,
  type FleetAgentId,
  type FleetChange,
  type FleetClient,
  type FleetMachine,
  type SentMessage,
  type WireIncident,
  incidentOf,
} from '../../fleet';
import type { AgentView, Incident, Machine } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import { Emitter } from '../../base/util/emitter';
import type { Log } from '../../base/util/log';
import type { MachineReport } from '../../core/words';
import { reportsOf } from './machine-reports';
import { remoteKeyOf, machineOf, remoteIncident, remoteView } from './remote-view';

/** Number of this window's messages that are shown for one agent. */
const KEPT_SENDINGS = 5;

interface Known {
  readonly id: FleetAgentId;
  /** Id of its session on its own machine. */
  readonly session: string;
  readonly view: AgentView;
}

/** The agents of other machines as views, by keys of this window. Empty while there is no client. */
export class RemoteAgents {
  private readonly changed: Emitter<readonly string[]>;
  private readonly incidentChanged: Emitter<IncidentChange>;
  /** Keys of the agents that changed; empty if only a machine did. */
  readonly onDidChange: Emitter<readonly string[]>['event'];
  readonly onDidChangeIncident: Emitter<IncidentChange>['event'];

  private client: FleetClient | null = null;
  private subscription: Disposable | null = null;
  private machinesSeen = new Map<string, FleetMachine>();
  private readonly known = new Map<string, Known>();
  /** Keys by the ids that sessions have on their own machines. There are several where machines report the same session. */
  private readonly bySession = new Map<string, Set<string>>();
  /** Reports that machines gave about agents on request, by key. */
  private readonly events = new Map<string, readonly EventRecord[]>();
  /** Messages of this window by agent: the newest ones, oldest first, including those whose outcome is known. */
  private readonly sent = new Map<string, readonly SentMessage[]>();
  /** Requests that are under way, by key. */
  private readonly requesting = new Map<string, Promise<void>>();

  constructor(private readonly log: Pick<Log, 'error'>) {
    const onError = (error: unknown) => log.error(String(error));
    this.changed = new Emitter(onError);
    this.incidentChanged = new Emitter(onError);
    this.onDidChange = this.changed.event;
    this.onDidChangeIncident = this.incidentChanged.event;
  }

  /** Shows what this client knows from now on; with null, nothing. */
  follow(client: FleetClient | null): void {
    this.subscription?.dispose();
    this.subscription = client?.onDidChange((change) => this.take(change)) ?? null;
    this.client = client;
    this.events.clear();
    const keys = [...this.known.keys()];
    for (const key of keys) this.forget(key);
    this.machinesSeen = new Map();
    const machines = client?.machines().map(({ name }) => name) ?? [];
    this.take({ machines, agents: client?.agents() ?? [] }, keys);
  }

  dispose(): void {
    this.subscription?.dispose();
    this.changed.dispose();
    this.incidentChanged.dispose();
  }

  machines(): readonly Machine[] {
    return [...this.machinesSeen.values()].map(machineOf);
  }

  views(): AgentView[] {
    return [...this.known.values()].map(({ view }) => view);
  }

  view(key: string): AgentView | undefined {
    return this.known.get(key)?.view;
  }

  idOf(key: string): FleetAgentId | undefined {
    return this.known.get(key)?.id;
  }

  /** Returns the id that the agent's session has on its own machine. */
  sessionOf(key: string): string | undefined {
    return this.known.get(key)?.session;
  }

  /** Returns the keys of the agents whose session has this id. */
  keysOf(session: string): readonly string[] {
    return [...(this.bySession.get(session) ?? [])];
  }

  /** Returns the open incidents, and those that the machine has reported since, newest first. */
  incidentsOf(key: string): readonly Incident[] {
    const view = this.view(key);
    if (!view) return [];
    const found = new Map<string, Incident>();
    for (const { event } of this.events.get(key) ?? [])
      if (event.type === 'incident') found.set(event.incident.id, this.incidentOf(event.incident, view, key));
    for (const incident of view.incidents) found.set(incident.id, incident);
    return [...found.values()].sort((a, b) => b.openedAt - a.openedAt);
  }

  /** Returns its machine's reports about it, if they were requested, oldest first. */
  reportsOf(key: string): readonly MachineReport[] {
    const view = this.view(key);
    const events = this.events.get(key) ?? [];
    return view ? reportsOf(events, this.aheadOf(key), (incident) => this.incidentOf(incident, view, key)) : [];
  }

  /** Requests what its machine reported about it. */
  requestReports(key: string): Promise<void> {
    const underWay = this.requesting.get(key);
    if (underWay) return underWay;
    const request = this.readReports(key).finally(() => this.requesting.delete(key));
    this.requesting.set(key, request);
    return request;
  }

  private async readReports(key: string): Promise<void> {
    const id = this.idOf(key);
    const reports = id && (await this.client?.timeline(id).catch(() => null));
    if (!reports?.ok || !this.known.has(key)) return;
    const before = this.events.get(key)?.at(-1)?.id;
    this.events.set(key, reports.value);
    if (reports.value.at(-1)?.id !== before) this.changed.fire([key]);
  }

  /** Notes that a message was sent to it. */
  messageSent(key: string, sending: SentMessage): void {
    this.sent.set(key, [...(this.sent.get(key) ?? []), sending].slice(-KEPT_SENDINGS));
    this.messageChanged(key);
  }

  /** Notes that a message to it changed its state. */
  messageChanged(key: string): void {
    const id = this.idOf(key);
    if (id) this.take({ machines: [], agents: [id] });
  }

  /** @param gone keys that no longer exist */
  private take({ machines, agents }: FleetChange, gone: readonly string[] = []): void {
    const touched = new Set(gone);
    const ids = new Map(agents.map((id) => [remoteKeyOf(id), id]));
    for (const id of this.machinesTurned(machines)) ids.set(remoteKeyOf(id), id);
    for (const [key, id] of ids) {
      this.update(key, id);
      touched.add(key);
    }
    this.changed.fire([...touched]);
  }

  /** Returns the agents of machines whose presence changed: their state is no longer known, or known again. */
  private machinesTurned(names: readonly string[]): readonly FleetAgentId[] {
    const now = new Map((this.client?.machines() ?? []).map((machine) => [machine.name, machine]));
    return names.flatMap((name): readonly FleetAgentId[] => {
      const before = this.machinesSeen.get(name);
      const machine = now.get(name);
      if (machine) this.machinesSeen.set(name, machine);
      else this.machinesSeen.delete(name);
      if (machine && before?.presence === machine.presence) return [];
      const shown = [...this.known.values()].map(({ id }) => id).filter((id) => id.machine === name);
      return [...shown, ...(this.client?.agents(name) ?? [])];
    });
  }

  private update(key: string, id: FleetAgentId): void {
    const agent = this.client?.agent(id);
    const machine = agent && this.machineOf(agent.machine);
    const before = this.known.get(key)?.view;
    if (!agent || !machine) return this.forget(key);
    this.forget(key);
    const session = agent.record.session;
    const keys = this.bySession.get(session) ?? new Set();
    this.bySession.set(session, keys.add(key));
    const view = this.viewOf(agent, machine);
    this.known.set(key, { id: { machine: agent.machine, key: agent.key }, session, view });
    this.reportIncidents(before, view);
  }

  private machineOf(name: string): FleetMachine | undefined {
    const known = this.machinesSeen.get(name) ?? this.client?.machines().find((machine) => machine.name === name);
    if (known) this.machinesSeen.set(name, known);
    return known;
  }

  private viewOf(agent: FleetAgent, machine: FleetMachine): AgentView {
    const sendings = this.sent.get(remoteKeyOf(agent)) ?? [];
    return remoteView(agent, { machine, accepts: this.client?.accepts(agent) ?? [], sendings });
  }

  private forget(key: string): void {
    const known = this.known.get(key);
    if (!known) return;
    this.known.delete(key);
    const keys = this.bySession.get(known.session);
    keys?.delete(key);
    if (keys?.size === 0) this.bySession.delete(known.session);
  }

  private reportIncidents(before: AgentView | undefined, view: AgentView): void {
    const known = new Map(before?.incidents.map((incident) => [incident.id, incident]));
    for (const incident of view.incidents) {
      const old = known.get(incident.id) ?? null;
      known.delete(incident.id);
      if (!old || isOther(old, incident)) this.incidentChanged.fire({ incident, before: old, session: view.session });
    }
    // The state no longer contains an incident that is over: an event reported how it ended.
    if (known.size > 0)
      this.reportEnds(view.session, [...known.values()]).catch((error) => this.log.error(String(error)));
  }

  private async reportEnds(session: string, over: readonly Incident[]): Promise<void> {
    // A request that was made before may not contain the end.
    await this.requesting.get(session);
    await this.requestReports(session);
    const incidents = this.incidentsOf(session);
    for (const before of over) {
      const incident = incidents.find(({ id }) => id === before.id);
      if (incident && incident.resolvedAt !== null) this.incidentChanged.fire({ incident, before, session });
    }
  }

  private incidentOf(incident: WireIncident, view: AgentView, key: string): Incident {
    return remoteIncident(incidentOf(incident, view, this.aheadOf(key)), view, key);
  }

  /** Returns by how many milliseconds its machine's clock is ahead of this one's. */
  private aheadOf(key: string): number {
    return this.machinesSeen.get(this.idOf(key)?.machine ?? '')?.aheadMs ?? 0;
  }
}

function isOther(one: Incident, other: Incident): boolean {
  return one.state !== other.state || one.level !== other.level || one.updatedAt !== other.updatedAt;
}
