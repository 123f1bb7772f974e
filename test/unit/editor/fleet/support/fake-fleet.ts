import {
  type EventRecord,
  type FleetAction,
  type FleetAgentId,
  type FleetClient,
  type FleetMachine,
  type FleetMessage,
  type FleetStatus,
  type SentMessage,
  type SendingStep,
  viewOf,
} from '../../../../../src/fleet';
import { agentRecord } from '../../../../../src/fleet/wire/record';
import type { AgentView, FleetProblem } from '../../../../../src/core/model';
import { Emitter } from '../../../../../src/base/util/emitter';
import type { Result } from '../../../../../src/base/util/result';
import { T0 } from '../../../history/support/incidents';

type Change = Parameters<Parameters<FleetClient['onDidChange']>[0]>[0];

/** A message server with its machines, as far as a window sees them. A test sets its state. */
export class FakeFleet implements FleetClient {
  private readonly changed = new Emitter<Change>();
  private readonly statusChanged = new Emitter<FleetStatus>();
  readonly onDidChange = this.changed.event;
  readonly onDidChangeStatus = this.statusChanged.event;
  private readonly known = new Map<string, { readonly id: FleetAgentId; readonly view: AgentView }>();
  private readonly byName = new Map<string, FleetMachine>();
  private readonly allowed = new Map<string, readonly FleetAction[]>();
  private readonly events = new Map<string, EventRecord[]>();
  private readonly sent: (SentMessage & { readonly go: (step: Omit<SendingStep, 'at'>) => void })[] = [];
  private now: FleetStatus = { kind: 'connected', at: T0, server: 'nats://127.0.0.1:4222' };
  isDisposed = false;
  refuses: 'unknown_agent' | 'not_allowed' | 'too_large' | 'too_many' | null = null;

  /** Adds a machine, or changes it. */
  machine(name: string, more: Partial<FleetMachine> = {}, allow: readonly FleetAction[] = ['nudge']): void {
    const before = this.byName.get(name);
    const fresh = { name, record: null, presence: 'live' as const, lastSeenAt: T0, aheadMs: 0, refused: 0 };
    this.byName.set(name, { ...(before ?? fresh), ...more });
    this.allowed.set(name, allow);
    this.changed.fire({ machines: [name], agents: [] });
  }

  machineGone(name: string): void {
    this.byName.delete(name);
    for (const [key, { id }] of this.known) if (id.machine === name) this.known.delete(key);
    this.changed.fire({ machines: [name], agents: [] });
  }

  /** Adds an agent, or changes it. */
  is(machine: string, view: AgentView): FleetAgentId {
    if (!this.byName.has(machine)) this.machine(machine);
    const { key } = this.recordOf(machine, view);
    const id = { machine, key };
    this.known.set(`${machine}/${key}`, { id, view });
    this.changed.fire({ machines: [], agents: [id] });
    return id;
  }

  gone(id: FleetAgentId): void {
    this.known.delete(`${id.machine}/${id.key}`);
    this.changed.fire({ machines: [], agents: [id] });
  }

  reports(id: FleetAgentId, ...events: readonly EventRecord['event'][]): void {
    const all = this.events.get(`${id.machine}/${id.key}`) ?? [];
    for (const event of events) {
      const n = all.length;
      const ulid = `01JD00000000000000000${String(n).padStart(5, '0')}`;
      const head = { v: 1 as const, machine: id.machine, run: RUN, n, at: T0 + n * 1_000 };
      all.push({ ...head, kind: 'event', id: ulid, key: id.key, session: id.key, agent: 'claude-code', event });
    }
    this.events.set(`${id.machine}/${id.key}`, all);
  }

  becomes(status: FleetStatus): void {
    this.now = status;
    this.statusChanged.fire(status);
  }

  /** Sends receipts for the latest message. */
  receipt(state: SendingStep['state'], more: Partial<SendingStep> = {}): void {
    this.sent.at(-1)?.go({ state, ...more });
  }

  status(): FleetStatus {
    return this.now;
  }

  machines(): readonly FleetMachine[] {
    return [...this.byName.values()];
  }

  agents(machine?: string) {
    return [...this.known.values()].flatMap(({ id }) => {
      const agent = machine === undefined || id.machine === machine ? this.agent(id) : undefined;
      return agent ?? [];
    });
  }

  agent(id: FleetAgentId) {
    const known = this.known.get(`${id.machine}/${id.key}`);
    if (!known) return undefined;
    const record = this.recordOf(id.machine, known.view);
    return { ...id, record, view: viewOf(record) };
  }

  timeline(id: FleetAgentId): Promise<Result<readonly EventRecord[], FleetProblem>> {
    return Promise.resolve({ ok: true, value: [...(this.events.get(`${id.machine}/${id.key}`) ?? [])] });
  }

  send(message: FleetMessage): ReturnType<FleetClient['send']> {
    if (this.refuses) return { ok: false, error: this.refuses };
    const changes = new Emitter<SendingStep>();
    const steps: SendingStep[] = [{ state: 'sending', at: T0 }];
    const id = `01JD0000000000000000009${String(this.sent.length).padStart(3, '0')}`;
    const go = (step: Omit<SendingStep, 'at'>) => {
      steps.push({ at: T0 + steps.length * 10, ...step });
      changes.fire(steps.at(-1) as SendingStep);
    };
    const sending = { id, message, steps: () => steps, onDidChange: changes.event, go };
    this.sent.push(sending);
    return { ok: true, value: sending };
  }

  sendings(): readonly SentMessage[] {
    return this.sent;
  }

  accepts({ machine }: FleetAgentId): readonly FleetAction[] {
    return this.allowed.get(machine) ?? [];
  }

  dispose(): void {
    this.isDisposed = true;
  }

  private recordOf(machine: string, view: AgentView) {
    const head = { machine, run: RUN, n: 1, at: T0 };
    return agentRecord(view, head, this.accepts({ machine, key: '' }));
  }
}

const RUN = '01JD0000000000000000000RVN';
