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
  const said = texts(card, presets, ENGLISH, (text) => text);
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

/** What the settings editor says around the words of the cards, which the bundle of the language has. */
const ENGLISH = {
  on: (values) => `Default ${values}.`,
  warn: (counts, values) => `${counts} to warn. Default ${values}.`,
  stuck: (counts, values) => `${counts} to say stuck. Default ${values}.`,
  window: (of, values) => `${of} that are looked at. Default ${values}.`,
  extra: (text, values) => `${text} Default ${values}.`,
  separator: ',',
};
const LANGUAGES = {
  de: {
    on: (values) => `Standard: ${values}.`,
    warn: (counts, values) => `${counts}, bis gewarnt wird. Standard: ${values}.`,
    stuck: (counts, values) => `${counts}, bis es „festgefahren“ heißt. Standard: ${values}.`,
    window: (of, values) => `So viele ${of} werden betrachtet. Standard: ${values}.`,
    extra: (text, values) => `${text} Standard: ${values}.`,
    separator: '.',
  },
};

/** The same texts of the setting in the other languages, beside what a person wrote of the rest of the manifest. */
export function translatedDetectors({ CARDS, PRESETS }, read) {
  return Object.entries(LANGUAGES).map(([language, say]) => {
    const path = `package.nls.${language}.json`;
    const bundle = JSON.parse(read(`l10n/bundle.l10n.${language}.json`));
    const hand = Object.entries(JSON.parse(read(path))).filter(([key]) => !/^setting\.detectors\.\w+\.\w+\./.test(key));
    const own = CARDS.filter(({ foundBy }) => foundBy === undefined).flatMap((card) =>
      Object.entries(texts(card, PRESETS, say, (text) => bundle[text] ?? text)).map(([name, text]) => [
        `setting.detectors.${card.id}.${name}.description`,
        text,
      ]),
    );
    const known = new Map([...hand, ...own]);
    const order = Object.keys(JSON.parse(read('package.nls.json')));
    const rest = hand.map(([key]) => key).filter((key) => !order.includes(key));
    const all = [...order.filter((key) => known.has(key)), ...rest].map((key) => [key, known.get(key)]);
    return { path, text: `${JSON.stringify(Object.fromEntries(all), null, 2)}\n` };
  });
}

/** What is said of each number of a detector, in one language. */
function texts({ thresholds, counts, window, extras }, presets, say, translated) {
  const of = (value) => inPresets(presets, (preset) => value(thresholds[preset]));
  const grouped = (value) => String(value).replace(/\B(?=(?:\d{3})+$)/g, say.separator);
  return {
    on: say.on(of(({ on }) => String(on))),
    warn: say.warn(
      sentence(translated(counts)),
      of(({ warn }) => grouped(warn)),
    ),
    stuck: say.stuck(
      sentence(translated(counts)),
      of(({ stuck }) => grouped(stuck)),
    ),
    window: say.window(sentence(translated(window.of)), grouped(window.size)),
    ...Object.fromEntries(
      Object.entries(extras).map(([name, { value, text }]) => {
        const values = inPresets(presets, (preset) => grouped(typeof value === 'number' ? value : value[preset]));
        return [name, say.extra(translated(text), values)];
      }),
    ),
  };
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
