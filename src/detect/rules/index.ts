// Written by `npm run generate` from the cards in src/core/rules. Do not edit.

import type { DetectorDefinition } from '../session/detector';
import { repeatingAction } from './repeating-action';
import { repeatingOutcome } from './repeating-outcome';
import { cycle } from './cycle';
import { monologue } from './monologue';
import { textLoop } from './text-loop';
import { condensationLoop } from './condensation-loop';
import { tokenExhaustion } from './token-exhaustion';
import { stall } from './stall';
import { maxRuntime } from './max-runtime';
import { consecutiveFailures } from './consecutive-failures';
import { validationFailure } from './validation-failure';
import { oversizedResponse } from './oversized-response';
import { gateBlocked } from './gate-blocked';
import { prematureAction } from './premature-action';
import { overHelpfulness } from './over-helpfulness';
import { contextPollution } from './context-pollution';
import { rateLimited } from './rate-limited';

export const DETECTORS: readonly DetectorDefinition[] = [
  repeatingAction,
  repeatingOutcome,
  cycle,
  monologue,
  textLoop,
  condensationLoop,
  tokenExhaustion,
  stall,
  maxRuntime,
  consecutiveFailures,
  validationFailure,
  oversizedResponse,
  gateBlocked,
  prematureAction,
  overHelpfulness,
  contextPollution,
  rateLimited,
];
