import type { DetectorId, DetectorOptions, Preset } from '../model';
import { CARDS, cardOf } from '.';
import type { RuleCard } from './card';

/** Largest number an option may take; nothing that counts steps, minutes or characters needs more. */
export const LARGEST = 1e9;

function optionsOf({ thresholds, window, extras }: RuleCard, preset: Preset): DetectorOptions {
  const extra: Record<string, number> = {};
  for (const [name, { value }] of Object.entries(extras))
    extra[name] = typeof value === 'number' ? value : value[preset];
  return { ...thresholds[preset], window: window.size, extra };
}

/** Made once: every session asks for all of them. */
const OPTIONS = new Map(
  CARDS.map((card) => [
    card,
    { eager: optionsOf(card, 'eager'), balanced: optionsOf(card, 'balanced'), patient: optionsOf(card, 'patient') },
  ]),
);

/** Options of one detector as a preset has them. */
export function presetOptions(detector: DetectorId, preset: Preset): DetectorOptions {
  const card = cardOf(detector);
  return OPTIONS.get(card)?.[preset] ?? optionsOf(card, preset);
}
