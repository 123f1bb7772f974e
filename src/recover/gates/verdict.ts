import type { GateResult, GateVerdict } from '../../core/model';

/** Combines the results. The caller decides about `running`, while one of them runs or waits for its turn. */
export function verdictOf(results: readonly GateResult[]): Exclude<GateVerdict, 'running' | 'cancelled'> {
  if (results.some(({ status }) => status === 'failed')) return 'failed';
  const unsure = results.some(({ status }) => status === 'not_run' || status === 'running');
  return !unsure && results.some(({ status }) => status === 'passed') ? 'passed' : 'none';
}

/** Returns the gate that blocks: the first that failed. */
export function blockedBy(results: readonly GateResult[]): GateResult | undefined {
  return results.find(({ status }) => status === 'failed');
}

/** Words a failure: `tests failed: 2 of 214`, `lint failed: 3 problems`. */
export function failureWords(result: GateResult): string {
  const { name, failed, total, summary } = result;
  if (failed !== undefined && total !== undefined && total > 0) return `${name} failed: ${failed} of ${total}`;
  return summary === '' ? `${name} failed` : `${name} failed: ${summary}`;
}
