/** Writes the list of all detectors: the one with the id `text_loop` is `textLoop` in `text-loop.ts`. */
export function ruleImplementations({ CARDS }) {
  // A detector whose findings come from another one has no implementation of its own.
  const found = CARDS.filter(({ foundBy }) => foundBy === undefined);
  const text = [
    '// Written by `npm run generate` from the cards in src/core/rules. Do not edit.\n',
    "import type { DetectorDefinition } from '../session/detector';",
    ...found.map(({ id }) => `import { ${camel(id)} } from './${id.replaceAll('_', '-')}';`),
    '',
    'export const DETECTORS: readonly DetectorDefinition[] = [',
    ...found.map(({ id }) => `  ${camel(id)},`),
    '];',
    '',
  ];
  return [{ path: 'src/detect/rules/index.ts', text: text.join('\n') }];
}

function camel(id) {
  return id.replace(/_(\w)/g, (_all, letter) => letter.toUpperCase());
}
