import { optionProblems, resolveOptions } from '../../detect/session/options';
import type { DetectorId, DetectorOptions, Incident, Preset } from '../../core/model';
import { type AgentRecord, WatchedAgent } from './watched-agent';
import { NOT_STUCK, type StuckContext, type StuckStatus, contextOf, statusOf } from './status';

export interface StuckDetectorOptions {
  /** Preset that decides how soon the rules report. Default `balanced`. */
  readonly preset?: Preset;
  /** Limits of single rules, in the form of the setting `unstuck.detectors`. */
  readonly detectors?: Readonly<Record<string, unknown>>;
  /** Returns milliseconds since the epoch. Default `Date.now`; for recorded runs use the time of the records. */
  readonly now?: () => number;
}

type StuckListener = (agentId: string, heuristic: DetectorId, context: StuckContext) => void;

/**
 * Runs all rules of Unstuck over agents whose records the caller pushes. Agents never mix. There is no timer: time advances with each record and each
 * query.
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

  /** Starts to watch an agent. An agent that is already watched stays as it is. */
  monitor(agentId: string): void {
    if (!this.agents.has(agentId)) this.agents.set(agentId, new WatchedAgent(agentId, this.rules));
  }

  /** Forgets an agent and everything seen of it. */
  stopMonitoring(agentId: string): void {
    this.agents.delete(agentId);
  }

  /**
   * Takes what an agent did, as a record of the generic transcript. A record without `t` happened now. Returns a short clause that says what is wrong
   * with the record, or null if it counts.
   */
  push(agentId: string, record: AgentRecord): string | null {
    const agent = this.agents.get(agentId);
    if (!agent) return `agent "${agentId}" is not monitored`;
    const problem = agent.push(record, this.now());
    this.tell(agentId, agent.takeStuck());
    return problem;
  }

  /** Returns the status of an agent: whether it repeats itself now. An agent that is not monitored, or whose turn is over, is not stuck. */
  isStuck(agentId: string): StuckStatus {
    const agent = this.agents.get(agentId);
    if (!agent) return NOT_STUCK;
    const now = this.now();
    agent.pass(now);
    this.tell(agentId, agent.takeStuck());
    const { incidents, state } = agent.view(now);
    return statusOf(incidents[0], state.kind !== 'waiting' && state.kind !== 'finished');
  }

  /** Calls back once for each streak that became stuck. Returns a function that ends the subscription. */
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
