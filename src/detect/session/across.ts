import { type AcrossRule, type AcrossSession, type AcrossSink } from './across-rule';
import type { AgentEvent, AgentId, DetectorId, DetectorOptions } from '../../core/model';
import { type AcrossNote, noteOfEvent, noteOfStep } from './across-note';
import type { Step } from '../steps/step';
import { createOutage } from '../rules/outage';
import { createPeers } from '../rules/peers';
import { createRuns } from '../rules/runs';

/**
 * Runs the rules over the steps of all sessions: two agents that undo each other's edits (`cycle`, rule `peers`), one error in several agents at once
 * (`rate_limited`, rule `outage`), and one failure in each run of a loop (`repeating_outcome`, rule `runs`).
 *
 * Pure, like the detectors of one session: time comes with events, which arrive in order of time. The cost per call is constant and memory is
 * bounded; only short copies of a transcript are kept.
 */
export interface AcrossDetector {
  /** Takes every event of a session, in file order. */
  event(from: AcrossSession, event: AgentEvent): void;
  /** Takes a call of a session that has its result; to be called after the event that completed it. */
  step(from: AcrossSession, step: Step): void;
  /** Does the same with a note that was made before. */
  take(from: AcrossSession, note: AcrossNote): void;
}

/** @param options returns the thresholds for an agent; called at every use */
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
