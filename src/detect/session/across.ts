import { type AcrossRule, type AcrossSession, type AcrossSink } from './across-rule';
import type { AgentEvent, AgentId, DetectorId, DetectorOptions } from '../../core/model';
import { type AcrossNote, noteOfEvent, noteOfStep } from './across-note';
import type { Step } from '../steps/step';
import { createOutage } from '../rules/outage';
import { createPeers } from '../rules/peers';
import { createRuns } from '../rules/runs';

/**
 * Rules over the steps of all sessions: two agents that undo each other's edits (`cycle`, rule `peers`), one error in
 * several agents at once (`rate_limited`, rule `outage`), and one failure in each run of a loop (`repeating_outcome`, rule `runs`).
 *
 * Pure, as the detectors of one session are: time comes with events, which arrive in order of time. Cost per call is constant,
 * memory is bounded; of a transcript only short copies are kept.
 */
export interface AcrossDetector {
  /** Every event of a session, in file order. */
  event(from: AcrossSession, event: AgentEvent): void;
  /** A call of a session got its result; after the event that completed it. */
  step(from: AcrossSession, step: Step): void;
  /** The same from a note that was taken before. */
  take(from: AcrossSession, note: AcrossNote): void;
}

/** `options`: thresholds for an agent; read at every use. */
export function createAcrossDetector(
  options: (agent: AgentId) => Readonly<Record<DetectorId, DetectorOptions>>,
  sink: AcrossSink,
): AcrossDetector {
  const rules: readonly AcrossRule[] = [
    createPeers((agent) => options(agent).cycle, sink),
    createOutage((agent) => options(agent).rate_limited, sink),
    createRuns((agent) => options(agent).repeating_outcome, sink),
  ];
  const take = (from: AcrossSession, note: AcrossNote): void => {
    for (const rule of rules) rule.take(from, note);
  };
  return {
    take,
    event(from, event) {
      const note = noteOfEvent(event);
      if (note) take(from, note);
    },
    step: (from, step) => take(from, noteOfStep(step, from.cwd)),
  };
}
