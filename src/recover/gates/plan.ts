import { fail, ok, type Result } from '../../base/util/result';
import type { Gate } from './gate';

/** Gates such that each comes after those that it needs; independent ones are in the order of the user. */
export type GatePlan = readonly Gate[];

/** Orders gates by what they need. Refuses, with one clear sentence, two of one id, an unknown one, and a circle. */
export function planGates(gates: readonly Gate[]): Result<GatePlan, string> {
  const known = new Map<string, Gate>();
  for (const gate of gates) {
    if (known.has(gate.id)) return fail(`Two quality gates have the name "${gate.id}".`);
    known.set(gate.id, gate);
  }
  for (const gate of gates) {
    const missing = gate.needs.find((need) => !known.has(need));
    if (missing !== undefined) return fail(`The gate "${gate.id}" needs "${missing}", which is not a gate.`);
  }
  const plan: Gate[] = [];
  const placed = new Set<string>();
  let left = [...gates];
  while (left.length > 0) {
    const ready = left.filter((gate) => gate.needs.every((need) => placed.has(need)));
    if (ready.length === 0) {
      return fail(`These quality gates need each other in a cycle: ${left.map((gate) => gate.id).join(', ')}.`);
    }
    for (const gate of ready) {
      plan.push(gate);
      placed.add(gate.id);
    }
    left = left.filter((gate) => !placed.has(gate.id));
  }
  return ok(plan);
}
