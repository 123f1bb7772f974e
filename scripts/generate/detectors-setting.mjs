import { manifestFiles, readManifest } from './manifest.mjs';

const SETTING = 'unstuck.detectors';

/** The JSON Schema of the setting `unstuck.detectors`, against which the settings editor checks. */
export function detectorsSetting(sources, read) {
  const manifest = readManifest(read);
  const section = manifest.contributes.configuration.find(({ properties }) => SETTING in properties);
  section.properties[SETTING] = schema(sources);
  return manifestFiles(manifest);
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
function detector(card, presets, largest) {
  const { thresholds, extras } = card;
  const said = texts(card, presets);
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
      on: { type: 'boolean', description: said.on },
      warn: number(said.warn),
      ...(saysStuck && { stuck: number(said.stuck) }),
      window: number(said.window),
      ...Object.fromEntries(
        Object.entries(extras).map(([name, { mayBeZero }]) => [name, number(said[name], mayBeZero)]),
      ),
    },
  };
}

/** What is said of each number of a detector. */
function texts({ thresholds, counts, window, extras }, presets) {
  const of = (value) => inPresets(presets, (preset) => value(thresholds[preset]));
  const standard = (values) => `Default ${values}.`;
  return {
    on: standard(of(({ on }) => String(on))),
    warn: `${sentence(counts)} to warn. ${standard(of(({ warn }) => grouped(warn)))}`,
    stuck: `${sentence(counts)} to say stuck. ${standard(of(({ stuck }) => grouped(stuck)))}`,
    window: `${sentence(window.of)} that are looked at. ${standard(grouped(window.size))}`,
    ...Object.fromEntries(
      Object.entries(extras).map(([name, { value, text }]) => {
        const values = inPresets(presets, (preset) => grouped(typeof value === 'number' ? value : value[preset]));
        return [name, `${text} ${standard(values)}`];
      }),
    ),
  };
}

function grouped(value) {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `3 (eager), 4 (balanced), 6 (patient)`, or one value where all presets have it. */
function inPresets(presets, value) {
  const values = presets.map(value);
  if (values.every((one) => one === values[0])) return values[0];
  return presets.map((preset, index) => `${values[index]} (${preset})`).join(', ');
}

function sentence(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
