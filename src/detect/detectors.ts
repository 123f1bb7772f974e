import type { DetectorDefinition } from './detector';

/** Every detector there is. The only list: a new detector is one file, one line here, its row in defaults.ts and its id in the model. */
export const DETECTORS: readonly DetectorDefinition[] = [];
