import {
  type AgentRecord,
  decodeState,
  type MachineRecord,
  placeOfState,
  SILENT_MS,
  viewOf,
  type WireProblem,
} from '../wire';
import type { StoredState } from './link';
import type { FleetAgent, FleetAgentId, FleetMachine } from './types';

/** Most machines of one server that are kept, and most agents of one machine: this limits how much memory a hostile machine can take. */
const MOST_MACHINES = 10_000;
const MOST_AGENTS = 2_000;

/** Two clocks that differ by no more than this count as equal, milliseconds: times that jump are worse than times that are a second off. */
const SAME_CLOCK_MS = 2_000;

interface Known {
  record: MachineRecord | null;
  readonly agents: Map<string, FleetAgent>;
  lastSeenAt: number;
  aheadMs: number;
  refused: number;
  version: boolean;
}

/** Changes of one state. */
export interface RosterChange {
  readonly machine: string;
  readonly agent?: FleetAgentId;
  readonly problem?: WireProblem | 'too_many';
}

/** State of all machines: for each key the record with the highest sequence. Pure: time is passed in. */
export class MachineRoster {
  private readonly machines = new Map<string, Known>();
  private readonly sequences = new Map<string, number>();

  /**
   * Takes a state. Null if it is older than what is known, or contains nothing. A state received as it was stored shows that the machine is there
   * now, and how its clock differs.
   */
  take(state: StoredState, now: number): RosterChange | null {
    const place = placeOfState(state.key);
    if (!place || state.sequence <= (this.sequences.get(state.key) ?? 0)) return null;
    const { machine, key } = place;
    let known = this.machines.get(machine);
    if (!known) {
      if (this.machines.size >= MOST_MACHINES) return { machine, problem: 'too_many' };
      known = { record: null, agents: new Map(), lastSeenAt: 0, aheadMs: 0, refused: 0, version: false };
      this.machines.set(machine, known);
    }
    if (state.bytes.length === 0) {
      this.sequences.set(state.key, state.sequence);
      if (key === undefined) {
        this.machines.delete(machine);
        return { machine };
      }
      return known.agents.delete(key) ? { machine, agent: { machine, key } } : null;
    }
    if (key !== undefined && !known.agents.has(key) && known.agents.size >= MOST_AGENTS) {
      known.refused++;
      return { machine, problem: 'too_many' };
    }
    this.sequences.set(state.key, state.sequence);
    const read = decodeState(state.key, state.bytes);
    if (!read.ok) {
      known.refused++;
      if (read.error === 'version') known.version = true;
      return { machine, problem: read.error };
    }
    const record = read.value;
    const heardAt = Math.min(now, state.storedAt ?? now);
    // What was received live is newer than all that came before, even if this clock was set back in the meantime.
    if (state.storedAt === undefined || heardAt >= known.lastSeenAt) {
      known.lastSeenAt = heardAt;
      this.setClock(known, record.at - heardAt);
    }
    return record.kind === 'machine' ? this.takeMachine(known, record) : this.takeAgent(known, record);
  }

  /** Sets how far a machine's clock is ahead. If that changes by seconds, all of its shown times move along. */
  private setClock(known: Known, aheadMs: number): void {
    if (Math.abs(aheadMs - known.aheadMs) < SAME_CLOCK_MS) return;
    known.aheadMs = aheadMs;
    for (const [key, agent] of known.agents) known.agents.set(key, new KnownAgent(agent.record, aheadMs));
  }

  private takeMachine(known: Known, record: MachineRecord): RosterChange {
    known.record = record;
    known.version = false;
    return { machine: record.machine };
  }

  private takeAgent(known: Known, record: AgentRecord): RosterChange {
    const { machine, key } = record;
    known.agents.set(key, new KnownAgent(record, known.aheadMs));
    return { machine, agent: { machine, key } };
  }

  /** Returns the machines by name, as they are now. */
  list(now: number): readonly FleetMachine[] {
    return [...this.machines]
      .map(([name, known]) => ({
        name,
        record: known.record,
        presence: presenceOf(known, now),
        lastSeenAt: known.lastSeenAt,
        aheadMs: known.aheadMs,
        refused: known.refused,
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Returns the agents of the current run of one machine, or of all machines; what an earlier run left is not shown. */
  agents(machine?: string): readonly FleetAgent[] {
    const of =
      machine === undefined
        ? [...this.machines.values()]
        : [this.machines.get(machine)].filter((one) => one !== undefined);
    return of.flatMap((known) => [...known.agents.values()].filter((agent) => isCurrent(known, agent)));
  }

  agent({ machine, key }: FleetAgentId): FleetAgent | undefined {
    const known = this.machines.get(machine);
    const agent = known?.agents.get(key);
    return known && agent && isCurrent(known, agent) ? agent : undefined;
  }

  isLive(machine: string, now: number): boolean {
    const known = this.machines.get(machine);
    return known !== undefined && presenceOf(known, now) === 'live';
  }

  /**
   * Forgets the states that the server no longer has.
   *
   * @param last newest position of the bucket's stream; lower than what is known if the bucket was made again
   */
  keepOnly(keys: ReadonlySet<string>, last: number): readonly RosterChange[] {
    if ([...this.sequences.values()].some((sequence) => sequence > last)) this.sequences.clear();
    const gone: RosterChange[] = [];
    for (const [machine, known] of this.machines) {
      for (const key of known.agents.keys()) {
        if (keys.has(`${machine}.agent.${key}`)) continue;
        known.agents.delete(key);
        gone.push({ machine, agent: { machine, key } });
      }
      if (known.agents.size > 0 || keys.has(`${machine}.machine`)) continue;
      this.machines.delete(machine);
      gone.push({ machine });
    }
    for (const key of this.sequences.keys()) if (!keys.has(key)) this.sequences.delete(key);
    return gone;
  }
}

/** An agent whose view is created when it is needed: of ten thousand agents few are on show. */
class KnownAgent implements FleetAgent {
  private made: FleetAgent['view'] | undefined;

  constructor(
    readonly record: AgentRecord,
    private readonly aheadMs: number,
  ) {}

  get machine(): string {
    return this.record.machine;
  }

  get key(): string {
    return this.record.key;
  }

  get view(): FleetAgent['view'] {
    return (this.made ??= viewOf(this.record, this.aheadMs));
  }
}

function isCurrent({ record }: Known, agent: FleetAgent): boolean {
  return record === null || agent.record.run === record.run;
}

function presenceOf({ record, lastSeenAt, version }: Known, now: number): FleetMachine['presence'] {
  if (version) return 'version';
  if (record?.stopped) return 'stopped';
  return now - lastSeenAt > SILENT_MS ? 'silent' : 'live';
}
