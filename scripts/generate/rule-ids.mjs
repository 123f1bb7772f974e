const NOTE = '// Written by `npm run generate` from the cards in src/core/rules. Do not edit.\n';
const TYPES = 'docs/library.d.mts';

/**
 * Writes the ids of detectors, reasons and rules: the model has them as types, and may not import the cards itself. The published types have the
 * first.
 */
export function ruleIds({ CARDS }, read) {
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
  const published = `export type StuckHeuristic =\n${CARDS.map(({ id }) => `  | '${id}'`).join('\n')};`;
  const types = read(TYPES).replace(/export type StuckHeuristic =[^;]*;/, () => published);
  return [
    { path: 'src/core/model/rule-ids.ts', text: text.join('\n') },
    { path: TYPES, text: types },
  ];
}
