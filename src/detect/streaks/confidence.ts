import type { Level } from '../../core/model';

/**
 * Share of the labelled runs that were really stuck, among those whose most serious alert had this level (docs/evaluation.md). `npm run bench --
 * calibrate` measures both and fails where these differ from its result. People read *counted* and *guessed*, not these numbers.
 */
export const CONFIDENCE: Readonly<Record<Level, number>> = { warn: 0.2, stuck: 1 };
