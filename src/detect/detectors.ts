import { actionErrorAlternation } from './action-error-alternation';
import { condensationLoop } from './condensation-loop';
import { consecutiveFailures } from './consecutive-failures';
import { contextPollution } from './context-pollution';
import { cycle } from './cycle';
import type { DetectorDefinition } from './detector';
import { gateBlocked } from './gate-blocked';
import { maxRuntime } from './max-runtime';
import { monologue } from './monologue';
import { overHelpfulness } from './over-helpfulness';
import { oversizedResponse } from './oversized-response';
import { prematureAction } from './premature-action';
import { rateLimited } from './rate-limited';
import { repeatingAction } from './repeating-action';
import { repeatingOutcome } from './repeating-outcome';
import { stall } from './stall';
import { textLoop } from './text-loop';
import { tokenExhaustion } from './token-exhaustion';
import { validationFailure } from './validation-failure';

/** Every detector there is. The only list: a new detector is one file, one line here, its row in defaults.ts and its id in the model. */
export const DETECTORS: readonly DetectorDefinition[] = [
  repeatingAction,
  repeatingOutcome,
  actionErrorAlternation,
  cycle,
  consecutiveFailures,
  monologue,
  stall,
  validationFailure,
  condensationLoop,
  textLoop,
  tokenExhaustion,
  maxRuntime,
  oversizedResponse,
  rateLimited,
  gateBlocked,
  contextPollution,
  prematureAction,
  overHelpfulness,
];
