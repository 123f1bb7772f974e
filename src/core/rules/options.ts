import { type DetectorId, type DetectorOptions, type Limits, PRESETS, type Preset } from '../model';
import { CARDS, cardOf } from '.';
import type { RuleCard } from './card';

/** Largest number an option may take; nothing that counts steps, minutes or characters needs more. */
export const LARGEST = 1e9;

const NONE: Limits = { warn: 0, stuck: 0 };

function optionsOf({ thresholds, window, numbers = {} }: RuleCard, preset: Preset): DetectorOptions {
  return {
    ...thresholds[preset],
    window: window?.size ?? 0,
    preset,
    least: NONE,
    numbers: Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, value[preset]])),
    budgets: {},
  };
}

/** Created once, since every session reads all of them. */
const OPTIONS = new Map(
  CARDS.map((card) => [
    card,
    { eager: optionsOf(card, 'eager'), balanced: optionsOf(card, 'balanced'), patient: optionsOf(card, 'patient') },
  ]),
);

/** Returns the options of one detector in a preset. */
export function presetOptions(detector: DetectorId, preset: Preset): DetectorOptions {
  const card = cardOf(detector);
  return OPTIONS.get(card)?.[preset] ?? optionsOf(card, preset);
}

/** Returns the most serious limit of a rule: that of *stuck*, or of the warning where it only warns. */
export function gravest({ warn, stuck }: Limits): number {
  return Number.isFinite(stuck) ? stuck : warn;
}

/** Returns the least sensitive preset whose limits these numbers reach: a rule whose limit a person raised is patient in all its shapes. */
export function presetReached(detector: DetectorId, limits: Limits): Preset {
  const reached = PRESETS.filter((preset) => gravest(presetOptions(detector, preset)) <= gravest(limits));
  return reached.at(-1) ?? 'eager';
}

/** Returns the names of the numbers of a rule that a person can set. */
export function namesOf(id: DetectorId): readonly string[] {
  const { thresholds, window, warnIsCalled = 'warn', numbers = {} } = cardOf(id);
  return [
    warnIsCalled,
    ...(Number.isFinite(thresholds.balanced.stuck) ? ['stuck'] : []),
    ...(window ? ['window'] : []),
    ...Object.keys(numbers),
  ];
}
