import type { GateResult, GateVerdict } from '../../core/model';

/** Combines the results. `running`, while one of them runs or waits for its turn, is for the caller to decide. */
export function verdictOf(results: readonly GateResult[]): Exclude<GateVerdict, 'running' | 'cancelled'> {
  if (results.some(({ status }) => status === 'failed')) return 'failed';
  const unsure = results.some(({ status }) => status === 'not_run' || status === 'running');
  return !unsure && results.some(({ status }) => status === 'passed') ? 'passed' : 'none';
}

/** The gate that blocks: the first that failed. */
export function blockedBy(results: readonly GateResult[]): GateResult | undefined {
  return results.find(({ status }) => status === 'failed');
}

/** `tests failed: 2 of 214`, `lint failed: 3 problems`. */
export function failureWords(result: GateResult): string {
  const { name, failed, total, summary } = result;
  if (failed !== undefined && total !== undefined && total > 0) return `${name} failed: ${failed} of ${total}`;
  return summary === '' ? `${name} failed` : `${name} failed: ${summary}`;
}
