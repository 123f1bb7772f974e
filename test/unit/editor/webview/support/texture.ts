import type { ToolKind } from '../../../../../src/core/model';
import { stepFlags } from '../../../../../src/core/model';

/** One step of a drawn session. */
export interface DrawnStep {
  readonly kind: ToolKind;
  readonly failed: boolean;
  readonly at: number;
}

/** Milliseconds since the epoch of a time of day on the day of all fixtures, UTC. */
export function on(hours: number, minutes: number, seconds = 0): number {
  return Date.UTC(2026, 10, 20, hours, minutes, seconds);
}

/** The same numbers from the same seed: mulberry32. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Steps that look like work: phases of looking, changing and running. */
export function texture(count: number, seed: number, from: number, to: number, failing = 0.1): DrawnStep[] {
  const next = random(seed);
  let phase = 0;
  return Array.from({ length: count }, (_, index) => {
    if (next() < 0.14) phase = (phase + 1) % 3;
    const p = next();
    const weights = [
      [0.82, 0.92],
      [0.35, 0.5],
      [0.3, 0.85],
    ][phase] ?? [0.5, 0.75];
    const kind: ToolKind = p < (weights[0] ?? 0) ? 'looked' : p < (weights[1] ?? 0) ? 'ran' : 'changed';
    const failed = kind === 'looked' ? next() < 0.02 : next() < failing;
    return { kind, failed, at: from + ((to - from) * index) / count };
  });
}

const KINDS: Readonly<Record<string, ToolKind>> = { r: 'looked', x: 'ran', e: 'changed' };

/** Steps from letters: `r` looked, `x` ran, `e` changed; `!` failed. */
export function drawn(text: string, from: number, to: number): DrawnStep[] {
  const words = text.trim().split(/\s+/);
  return words.map((word, index) => ({
    kind: KINDS[word[0] ?? 'x'] ?? 'ran',
    failed: word.includes('!'),
    at: from + ((to - from) * index) / words.length,
  }));
}

/** Steps as the engine's timeline returns them. Repeats have the outcome of the step that they repeat. */
export function stepArrays(
  steps: readonly DrawnStep[],
  seen: ReadonlyMap<number, number>,
  lineOf: (step: number) => number,
) {
  return {
    from: 0,
    at: Float64Array.from(steps, (step) => step.at),
    flags: Uint8Array.from(steps, (step, index) => stepFlags(step.kind, step.failed, seen.has(index))),
    outcomes: Uint32Array.from(steps, (_, index) => seen.get(index) ?? index),
    lines: Uint32Array.from(steps, (_, index) => lineOf(index)),
  };
}
