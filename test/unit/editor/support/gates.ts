import type { GateResult } from '../../../../src/core/model';

/** A gate that passed, unless stated otherwise. */
export const gateResult = (more: Partial<GateResult> = {}): GateResult => ({
  id: 'tests',
  name: 'tests',
  command: 'npm test',
  status: 'passed',
  reason: '',
  summary: '',
  failures: [],
  startedAt: 1_000,
  ms: 12_000,
  output: '',
  ...more,
});
