const NOTE = '// Written by `npm run generate` from the cards in src/core/rules. Do not edit.\n';

/** The ids of detectors, reasons and rules: the model has them as types, and may not import the cards itself. */
export function ruleIds({ CARDS }) {
  const reasons = [...new Set(CARDS.map(({ reason }) => reason))];
  const rules = [...new Set(CARDS.flatMap((card) => Object.keys(card.rules ?? {})))];
  const text = [
    NOTE,
    'export const DETECTOR_IDS = [',
    ...CARDS.map(({ id }) => `  '${id}',`),
    '] as const;',
    '',
    'export type DetectorId = (typeof DETECTOR_IDS)[number];',
    '',
    'export type ReasonCode =',
    `${reasons.map((reason) => `  | '${reason}'`).join('\n')};`,
    '',
    '/** A rule within a detector; null is the main rule of the detector. */',
    'export type RuleId =',
    `${rules.map((rule) => `  | '${rule}'`).join('\n')};`,
    '',
  ];
  return [{ path: 'src/core/model/rule-ids.ts', text: text.join('\n') }];
}
