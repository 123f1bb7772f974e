import { actionErrorAlternation } from '../rules/action-error-alternation';
import { condensationLoop } from '../rules/condensation-loop';
import { consecutiveFailures } from '../rules/consecutive-failures';
import { contextPollution } from '../rules/context-pollution';
import { cycle } from '../rules/cycle';
import type { DetectorDefinition } from './detector';
import { gateBlocked } from '../rules/gate-blocked';
import { maxRuntime } from '../rules/max-runtime';
import { monologue } from '../rules/monologue';
import { overHelpfulness } from '../rules/over-helpfulness';
import { oversizedResponse } from '../rules/oversized-response';
import { prematureAction } from '../rules/premature-action';
import { rateLimited } from '../rules/rate-limited';
import { repeatingAction } from '../rules/repeating-action';
import { repeatingOutcome } from '../rules/repeating-outcome';
import { stall } from '../rules/stall';
import { textLoop } from '../rules/text-loop';
import { tokenExhaustion } from '../rules/token-exhaustion';
import { validationFailure } from '../rules/validation-failure';

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
