import { manifestFiles, readManifest } from './manifest.mjs';

const SETTING = 'unstuck.detectors';

/** The JSON Schema of the setting `unstuck.detectors`, against which the settings editor checks. */
export function detectorsSetting(sources, read) {
  const manifest = readManifest(read);
  const section = manifest.contributes.configuration.find(({ properties }) => SETTING in properties);
  section.properties[SETTING] = schema(sources);
  return manifestFiles(manifest);
}

/** One shape for all detectors: what each number means, and its values, is in docs/detectors.md; the program says which detector lacks it. */
function schema({ CARDS, AGENT_IDS, LARGEST }) {
  // What another detector finds is set there.
  const cards = CARDS.filter(({ foundBy }) => foundBy === undefined);
  const options = ['on', 'warn', 'stuck', 'window', ...cards.flatMap(({ extras }) => Object.keys(extras))];
  return {
    type: 'object',
    default: {},
    order: 2,
    scope: 'resource',
    markdownDescription:
      'Per detector id: `on`, `warn`, `stuck`, `window` and its further numbers, or `true` / `false`; the same again per agent id under `agents`. Example: `{ "repeating_outcome": { "stuck": 5 }, "agents": { "codex": { "stall": false } } }`. Changes apply at once. All numbers and their defaults: docs/detectors.md, in *Unstuck: Open Documentation*.',
    propertyNames: { enum: [...cards.map(({ id }) => id), 'agents'] },
    properties: {
      agents: {
        type: 'object',
        description: 'The same per agent id: what is set here holds for that agent alone.',
        propertyNames: { enum: [...AGENT_IDS] },
        additionalProperties: { type: 'object' },
      },
    },
    additionalProperties: {
      type: ['object', 'boolean'],
      propertyNames: { enum: [...new Set(options)] },
      additionalProperties: { type: ['number', 'boolean'], minimum: 0, maximum: LARGEST },
    },
  };
}
