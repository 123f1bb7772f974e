import { manifestFiles, readManifest } from './manifest.mjs';

const SETTING = 'unstuck.detectors';
const BUDGETS = 'unstuck.budgets';

/** Writes the JSON Schemas of `unstuck.detectors` and `unstuck.budgets`, against which the settings editor checks. */
export function detectorsSetting(sources, read) {
  const manifest = readManifest(read);
  const section = manifest.contributes.configuration.find(({ properties }) => SETTING in properties);
  section.properties[SETTING] = rules(sources);
  section.properties[BUDGETS] = budgets(sources);
  return manifestFiles(manifest);
}

/**
 * Returns one shape for all detectors: the meaning of each number, and its values, are in docs/detectors.md; the program reports which detector lacks
 * it.
 */
function rules({ CARDS, AGENT_IDS, LARGEST, PRESETS, namesOf }) {
  // The findings of another detector are set there.
  const cards = CARDS.filter(({ foundBy }) => foundBy === undefined);
  return {
    type: 'object',
    default: {},
    order: 2,
    scope: 'resource',
    markdownDescription:
      'Per rule id: `off`, `eager`, `balanced`, `patient`, or your own numbers for `warn`, `stuck` and `window`. Under `agents`, the same per agent id. Example: `{ "repeating_outcome": { "stuck": 5 }, "agents": { "codex": { "stall": "off" } } }`. Changes apply at once. For the numbers of each rule and their defaults, see docs/detectors.md in *Unstuck: Open Documentation…*.',
    propertyNames: { enum: [...cards.map(({ id }) => id), 'agents'] },
    properties: {
      agents: {
        type: 'object',
        description: 'The same per agent id. Applies to that agent only.',
        propertyNames: { enum: [...AGENT_IDS] },
        additionalProperties: { type: 'object' },
      },
    },
    additionalProperties: {
      oneOf: [
        { type: 'string', enum: ['off', ...PRESETS] },
        {
          type: 'object',
          propertyNames: { enum: [...new Set(cards.flatMap(({ id }) => namesOf(id)))] },
          additionalProperties: { type: 'number', exclusiveMinimum: 0, maximum: LARGEST },
        },
      ],
    },
  };
}

function budgets({ BUDGETS: names, LARGEST }) {
  const texts = {
    hours: 'Hours of active time.',
    calls: 'Tool calls.',
    tokens: 'Tokens.',
    cost: 'Cost in US dollars, if the transcript has it.',
  };
  const budget = (name) => [name, { type: 'number', exclusiveMinimum: 0, maximum: LARGEST, description: texts[name] }];
  return {
    type: 'object',
    default: {},
    order: 3,
    scope: 'resource',
    additionalProperties: false,
    properties: Object.fromEntries(names.map(budget)),
    markdownDescription:
      'What one session may use before `max_runtime` warns. There are no limits by default. Example: `{ "hours": 4, "calls": 500 }`.',
  };
}
