import type { DetectorId, Finding, RuleId } from '../model';
import type { RuleCard, RuleWords } from './card';
import { actionErrorAlternation } from './cards/action-error-alternation';
import { condensationLoop } from './cards/condensation-loop';
import { consecutiveFailures } from './cards/consecutive-failures';
import { contextPollution } from './cards/context-pollution';
import { cycle } from './cards/cycle';
import { gateBlocked } from './cards/gate-blocked';
import { maxRuntime } from './cards/max-runtime';
import { monologue } from './cards/monologue';
import { overHelpfulness } from './cards/over-helpfulness';
import { oversizedResponse } from './cards/oversized-response';
import { prematureAction } from './cards/premature-action';
import { rateLimited } from './cards/rate-limited';
import { repeatingAction } from './cards/repeating-action';
import { repeatingOutcome } from './cards/repeating-outcome';
import { stall } from './cards/stall';
import { textLoop } from './cards/text-loop';
import { tokenExhaustion } from './cards/token-exhaustion';
import { validationFailure } from './cards/validation-failure';
import { unknownCard } from './unknown';

/**
 * All rules, in the order of docs/detectors.md. This is the only list that is written by hand: `npm run generate` makes the ids of the model, the
 * list of implementations, the settings' schema and the tables of the documents from it.
 */
export const CARDS: readonly RuleCard[] = [
  repeatingAction,
  repeatingOutcome,
  actionErrorAlternation,
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

const BY_ID: ReadonlyMap<string, RuleCard> = new Map(CARDS.map((card) => [card.id, card]));

/** Returns the card of a rule. An incident in the history may name one that this version does not have. */
export function cardOf(detector: DetectorId): RuleCard {
  return BY_ID.get(detector) ?? unknownCard(detector);
}

/** Returns whether a finding is a hint: it marks the agent, in memory only, and is not an incident. The only place where this is decided. */
export function isHint({ detector, certainty }: Pick<Finding, 'detector' | 'certainty'>): boolean {
  const { hints } = cardOf(detector);
  return hints === 'all' || (hints === 'guesses' && certainty === 'guessed');
}

/** Returns the words of a rule: those of its detector, overridden by its own and by those for this subject. */
export function ruleWords(detector: DetectorId, rule: RuleId | null, subject?: string): RuleWords {
  const { words, rules, wordsForSubject } = cardOf(detector);
  const own = rule === null ? undefined : rules?.[rule]?.words;
  const forSubject = wordsForSubject?.subject === subject ? wordsForSubject?.words : undefined;
  return own || forSubject ? { ...words, ...own, ...forSubject } : words;
}
