/** The list of all detectors: the one with the id `text_loop` is `textLoop` in `text-loop.ts`. */
export function ruleImplementations({ CARDS }) {
  const text = [
    '// Written by `npm run generate` from the cards in src/rules. Do not edit.\n',
    "import type { DetectorDefinition } from '../session/detector';",
    ...CARDS.map(({ id }) => `import { ${camel(id)} } from './${id.replaceAll('_', '-')}';`),
    '',
    'export const DETECTORS: readonly DetectorDefinition[] = [',
    ...CARDS.map(({ id }) => `  ${camel(id)},`),
    '];',
    '',
  ];
  return [{ path: 'src/detect/rules/index.ts', text: text.join('\n') }];
}

function camel(id) {
  return id.replace(/_(\w)/g, (_all, letter) => letter.toUpperCase());
}
