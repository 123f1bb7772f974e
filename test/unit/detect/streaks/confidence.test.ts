import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BANDS, CONFIDENCES, GUESSED, calibrated } from '../../../../src/detect/streaks/calibration';
import {
  type Features,
  confidenceOf,
  countedConfidence,
  loopStrength,
} from '../../../../src/detect/streaks/confidence';
import { presetTable } from '../../../../src/rules/options';
import { DETECTOR_IDS } from '../../../../src/model';
import { draw } from '../../../stories/drawing';
import { runFamily } from '../support/run';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const features: fc.Arbitrary<Features> = fc.record({
  equality: fc.constantFrom('raw', 'masked', 'error', 'failed'),
  beyond: fc.double({ min: -3, max: 30, noNaN: true }),
  explained: share,
  failing: share,
  novelty: share,
  progressed: fc.boolean(),
  agreeing: fc.integer({ min: 1, max: 6 }),
});

describe('confidence', () => {
  test('stronger evidence is never less sure', () => {
    fc.assert(
      fc.property(features, features, (a, b) => {
        const [weaker, stronger] = loopStrength(a) <= loopStrength(b) ? [a, b] : [b, a];
        expect(confidenceOf(weaker)).toBeLessThanOrEqual(confidenceOf(stronger));
      }),
    );
    expect([...CONFIDENCES].sort((a, b) => a - b)).toEqual([...CONFIDENCES]);
    expect(BANDS.length).toBe(CONFIDENCES.length);
    expect(calibrated(Number.NEGATIVE_INFINITY)).toBe(CONFIDENCES[0]);
  });

  test('a loop of sixty rounds is no surer than one of six', () => {
    fc.assert(
      fc.property(features, (one) => {
        expect(loopStrength({ ...one, beyond: 60 })).toBe(loopStrength({ ...one, beyond: 6 }));
      }),
    );
  });

  test('more of the same, an equal result and failing calls make it surer; new results and progress less', () => {
    fc.assert(
      fc.property(features, (one) => {
        const than = (other: Partial<Features>): number => loopStrength({ ...one, ...other });
        expect(than({ beyond: 1 })).toBeGreaterThan(than({ beyond: 0 }));
        expect(than({ equality: 'raw' })).toBeGreaterThan(than({ equality: 'failed' }));
        expect(than({ failing: 1 })).toBeGreaterThan(than({ failing: 0 }));
        expect(than({ novelty: 1 })).toBeLessThan(than({ novelty: 0 }));
        expect(than({ progressed: true })).toBeLessThan(than({ progressed: false }));
      }),
    );
  });

  test('the same streak is as sure in every preset', () => {
    const at = (preset: 'eager' | 'balanced' | 'patient'): number | undefined =>
      runFamily(draw('(E a · B "make" fail:boom) x6'), presetTable(preset)).findings.at(-1)?.confidence;
    expect(at('eager')).toBeGreaterThan(0.9);
    expect(at('balanced')).toBe(at('eager'));
    expect(at('patient')).toBe(at('eager'));
  });

  test('who asks to be told earlier is told of what is less sure', () => {
    const first = (preset: 'eager' | 'balanced'): number =>
      runFamily(draw('(E a · B "make" fail:boom) x6'), presetTable(preset)).findings[0]?.confidence ?? 0;
    expect(first('eager')).toBeLessThan(first('balanced'));
  });

  test('every counted rule is surer than a guess once it says stuck', () => {
    for (const id of DETECTOR_IDS) {
      const { stuck } = presetTable('balanced')[id];
      if (Number.isFinite(stuck)) expect(countedConfidence(id, stuck)).toBeGreaterThan(GUESSED * 2);
    }
  });
});
