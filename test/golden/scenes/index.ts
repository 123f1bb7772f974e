import { validationFailure } from './validation-failure';
import { maxRuntime } from './max-runtime';
import { prematureAction } from './premature-action';
import { overHelpfulness } from './over-helpfulness';
import { rateLimited } from './rate-limited';
import { textLoop } from './text-loop';
import { monologue } from './monologue';
import { stall } from './stall';
import { condensationLoop } from './condensation-loop';
import { gateBlocked } from './gate-blocked';
import { tokenExhaustion } from './token-exhaustion';
import { oversizedResponse } from './oversized-response';
import { contextPollution } from './context-pollution';
import { across } from './across';
import { settings } from './settings';
import { steps } from './steps';
import { mixed } from './mixed';
import type { Scenes } from './scene';

/** Made-up runs for each rule, for the rules that count steps together, and for those across sessions. */
export const SCENES: Readonly<Record<string, Scenes>> = {
  validation_failure: validationFailure,
  max_runtime: maxRuntime,
  premature_action: prematureAction,
  over_helpfulness: overHelpfulness,
  rate_limited: rateLimited,
  text_loop: textLoop,
  monologue,
  stall,
  condensation_loop: condensationLoop,
  gate_blocked: gateBlocked,
  token_exhaustion: tokenExhaustion,
  oversized_response: oversizedResponse,
  context_pollution: contextPollution,
  across,
  settings,
  steps,
  mixed,
};
