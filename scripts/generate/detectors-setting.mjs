const PATH = 'package.json';
const SETTING = 'unstuck.detectors';

/** The JSON Schema of the setting `unstuck.detectors`, against which the settings editor checks. */
export function detectorsSetting(sources, read) {
  const manifest = JSON.parse(read(PATH));
  const section = manifest.contributes.configuration.find(({ properties }) => SETTING in properties);
  section.properties[SETTING] = schema(sources);
  return [{ path: PATH, text: `${JSON.stringify(manifest, null, 2)}\n` }];
}

function schema({ CARDS: all, AGENT_IDS, PRESETS, LARGEST }) {
  // What another detector finds is set there.
  const CARDS = all.filter(({ foundBy }) => foundBy === undefined);
  const ids = CARDS.map(({ id }) => id);
  return {
    type: 'object',
    default: {},
    order: 2,
    scope: 'resource',
    markdownDescription:
      'Per detector id: `on`, `warn`, `stuck`, `window` and its further numbers, or `true` / `false`; the same again per agent id under `agents`. Example: `{ "repeating_outcome": { "stuck": 5 }, "agents": { "codex": { "stall": false } } }`. Changes apply at once.',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(CARDS.map((card) => [card.id, detector(card, PRESETS, LARGEST)])),
      agents: {
        type: 'object',
        description: 'The same per agent id: what is set here holds for that agent alone.',
        propertyNames: { enum: [...AGENT_IDS] },
        additionalProperties: {
          type: 'object',
          propertyNames: { enum: ids },
          // One schema for the numbers of all detectors: one each, for each agent, would be ten thousand lines.
          additionalProperties: { type: ['object', 'boolean'], propertyNames: { enum: ['on', ...numberNames(CARDS)] } },
        },
      },
    },
  };
}

/** The names of all numbers that some detector has. */
function numberNames(cards) {
  return [...new Set(['warn', 'stuck', 'window', ...cards.flatMap(({ extras }) => Object.keys(extras))])];
}

/** Of one detector, with what each number means and its value in each preset. */
function detector({ thresholds, counts, window, extras }, presets, largest) {
  const of = (value) => inPresets(presets, (preset) => value(thresholds[preset]));
  const number = (description, mayBeZero = false) => ({
    type: 'number',
    ...(mayBeZero ? { minimum: 0 } : { exclusiveMinimum: 0 }),
    maximum: largest,
    description,
  });
  const saysStuck = presets.some((preset) => Number.isFinite(thresholds[preset].stuck));
  return {
    type: ['object', 'boolean'],
    additionalProperties: false,
    properties: {
      on: { type: 'boolean', description: `Default ${of(({ on }) => String(on))}.` },
      warn: number(`${sentence(counts)} to warn. Default ${of(({ warn }) => grouped(warn))}.`),
      ...(saysStuck && {
        stuck: number(`${sentence(counts)} to say stuck. Default ${of(({ stuck }) => grouped(stuck))}.`),
      }),
      window: number(`${sentence(window.of)} that are looked at. Default ${grouped(window.size)}.`),
      ...Object.fromEntries(
        Object.entries(extras).map(([name, { value, text, mayBeZero }]) => {
          const values = inPresets(presets, (preset) => grouped(typeof value === 'number' ? value : value[preset]));
          return [name, number(`${text} Default ${values}.`, mayBeZero)];
        }),
      ),
    },
  };
}

/** `3 (eager), 4 (balanced), 6 (patient)`, or one value where all presets have it. */
function inPresets(presets, value) {
  const values = presets.map(value);
  if (values.every((one) => one === values[0])) return values[0];
  return presets.map((preset, index) => `${values[index]} (${preset})`).join(', ');
}

function grouped(value) {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function sentence(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
