import type { AcrossRule, AcrossSink } from './across-rule';
import type { AgentId, DetectorId, DetectorOptions } from '../../core/model';
import { createOutage } from '../rules/outage';
import { createPeers } from '../rules/peers';
import { createRuns } from '../rules/runs';

/**
 * Creates the rules over the notes of all sessions: two agents that undo each other's edits (`cycle`, rule `peers`), one error in several agents at
 * once (`rate_limited`, rule `outage`), and one failure in each run of a loop (`repeating_outcome`, rule `runs`).
 *
 * Pure, like the detectors of one session: time comes with the notes, which arrive in order of time. The cost per note is constant and memory is
 * bounded; only short copies of a transcript are kept.
 *
 * @param options returns the thresholds for an agent; called at every use
 */
export function createAcrossDetector(
  options: (agent: AgentId) => Readonly<Record<DetectorId, DetectorOptions>>,
  sink: AcrossSink,
): AcrossRule {
  const rules: readonly AcrossRule[] = [
    createPeers((agent) => options(agent).cycle, sink),
    createOutage((agent) => options(agent).rate_limited, sink),
    createRuns((agent) => options(agent).repeating_outcome, sink),
  ];
  return {
    take(from, note) {
      for (const rule of rules) rule.take(from, note);
    },
  };
}
