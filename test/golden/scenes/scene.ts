import type { DetectorId } from '../../../src/core/model';
import { textDigest } from '../../../src/base/util/hash';
import type { Tale } from '../tale';
import type { ReportOptions } from '../reports';

export interface Scene extends ReportOptions {
  /** A drawing in small text (test/stories/drawing.ts), or a function that tells the run event by event. */
  readonly run: string | ((tale: Tale) => Tale);
}

export interface Scenes {
  /** Empty for the rules across sessions. */
  readonly detectors: readonly DetectorId[];
  readonly scenes: Readonly<Record<string, Scene>>;
}

/** The rules that count steps. */
export const STEPS: readonly DetectorId[] = [
  'repeating_action',
  'repeating_outcome',
  'action_error_alternation',
  'cycle',
  'consecutive_failures',
];

/** A limit that a person raised. */
export const raised = (call: string, limit: number) =>
  ({ detector: 'repeating_action', rule: null, call: textDigest(call), limit }) as const;

/** Reads of files that were not read before. */
export const looks = (count: number) => (tale: Tale) =>
  tale.times(count, (to, n) => to.read(`other${n}.ts`, `text ${n} of another file`));
