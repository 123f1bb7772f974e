import { optionProblems, resolveOptions } from '../../detect/session/options';
import type { DetectorId, DetectorOptions, Incident, Preset } from '../../core/model';
import { type AgentRecord, WatchedAgent } from './watched-agent';
import { NOT_STUCK, type StuckContext, type StuckStatus, contextOf, statusOf } from './status';

export interface StuckDetectorOptions {
  /** How soon the rules speak. Default `balanced`. */
  readonly preset?: Preset;
  /** Limits of single rules, in the form of the setting `unstuck.detectors`. */
  readonly detectors?: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. Default `Date.now`; for recorded runs the time of the records. */
  readonly now?: () => number;
}

type StuckListener = (agentId: string, heuristic: DetectorId, context: StuckContext) => void;

/**
 * All rules of Unstuck over agents whose records the caller pushes. Agents never mix. There is no timer: time passes with each
 * record and each question.
 */
export class StuckDetector {
  private readonly agents = new Map<string, WatchedAgent>();
  private readonly listeners = new Set<StuckListener>();
  private readonly rules: Readonly<Record<DetectorId, DetectorOptions>>;
  private readonly now: () => number;

  /** Throws a TypeError that names what is wrong with `detectors`. */
  constructor({ preset = 'balanced', detectors = {}, now = Date.now }: StuckDetectorOptions = {}) {
    const [problem] = optionProblems({ detectors });
    if (problem !== undefined) throw new TypeError(`StuckDetector: ${problem}.`);
    this.rules = resolveOptions({ preset, detectors }, 'generic');
    this.now = now;
  }

  /** Starts to watch an agent; one that is watched stays as it is. */
  monitor(agentId: string): void {
    if (!this.agents.has(agentId)) this.agents.set(agentId, new WatchedAgent(agentId, this.rules));
  }

  /** Forgets an agent and all that was seen of it. */
  stopMonitoring(agentId: string): void {
    this.agents.delete(agentId);
  }

  /**
   * Takes what an agent did, as a record of the generic transcript; without `t` it happened now. Returns what is wrong with the record, a short
   * clause, or null where it counts.
   */
  push(agentId: string, record: AgentRecord): string | null {
    const agent = this.agents.get(agentId);
    if (!agent) return `agent "${agentId}" is not monitored`;
    const problem = agent.push(record, this.now());
    this.tell(agentId, agent.takeStuck());
    return problem;
  }

  /** Whether an agent repeats itself now. One that is not monitored is not stuck, nor one whose turn is over. */
  isStuck(agentId: string): StuckStatus {
    const agent = this.agents.get(agentId);
    if (!agent) return NOT_STUCK;
    const now = this.now();
    agent.pass(now);
    this.tell(agentId, agent.takeStuck());
    const { incidents, state } = agent.view(now);
    return statusOf(incidents[0], state.kind !== 'waiting' && state.kind !== 'finished');
  }

  /** Calls back once for each streak that became stuck. Returns what ends it. */
  onStuck(callback: StuckListener): () => void {
    const listener: StuckListener = (...told) => callback(...told);
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private tell(agentId: string, stuck: readonly Incident[]): void {
    for (const incident of stuck)
      for (const listener of this.listeners) listener(agentId, incident.detector, contextOf(incident));
  }
}
