import { signsInLine } from '../../../base/util/showable';
import type { GateReport } from '../../../core/model';
import type { PanelGates } from '../snapshot';

/** Maximum number of failures that a panel lists for one gate. */
const FAILURES = 10;

/** Copies a report of the quality gates, with the first failures of each gate. */
export function gatesOf({
  claim,
  startedAt,
  endedAt,
  verdict,
  attempt,
  results,
  message,
  notSent,
}: GateReport): PanelGates {
  return {
    claim,
    startedAt,
    endedAt,
    verdict,
    attempt,
    results: results.map((gate) => ({
      id: gate.id,
      name: gate.name,
      command: gate.command,
      status: gate.status,
      reason: gate.reason,
      summary: gate.summary,
      startedAt: gate.startedAt,
      ms: gate.ms,
      // The file of a failure is opened by its place in this list; its name is only shown.
      failures: gate.failures
        .slice(0, FAILURES)
        .map((failure) => (failure.file === undefined ? failure : { ...failure, file: signsInLine(failure.file) })),
      more: Math.max(0, Math.max(gate.failures.length, gate.failed ?? 0) - FAILURES),
    })),
    ...(message !== undefined && { message }),
    ...(notSent !== undefined && { notSent }),
  };
}
