import { AGENT_IDS, DETECTOR_IDS, type DetectorId, PRESETS } from '../../model';
import { presetOptions } from './defaults';
import { LARGEST, MAY_BE_ZERO } from './options';

/** What `warn` and `stuck` count, per detector. */
const UNITS: Readonly<Record<DetectorId, string>> = {
  repeating_action: 'steps in a row',
  repeating_outcome: 'steps with the same result',
  action_error_alternation: 'laps',
  cycle: 'laps',
  monologue: 'messages in a row',
  text_loop: 'repeats of one text',
  condensation_loop: 'returns after the context was condensed',
  token_exhaustion: 'percent of the context or limit',
  stall: 'minutes of silence while the model answers',
  max_runtime: 'minutes of an active session',
  consecutive_failures: 'failing steps in a row',
  validation_failure: 'malformed outputs in a row',
  oversized_response: 'characters of one result',
  gate_blocked: 'blocked claims in a row',
  premature_action: 'edits',
  over_helpfulness: 'steps',
  context_pollution: 'failing steps',
  rate_limited: 'refused requests in a row',
};

/** What `window` counts, where it is not steps. */
const WINDOWS: Readonly<Partial<Record<DetectorId, string>>> = {
  monologue: 'messages',
  text_loop: 'messages',
};

/** The further numbers of defaults.ts, with their units. */
const EXTRAS: Readonly<Record<string, string>> = {
  pollWarn: 'Equal results of a status check or wait before it warns.',
  pollStuck: 'Equal results of a status check or wait before it says stuck.',
  pollMinutes: 'Minutes that equal status checks must last, at least.',
  knownWarn: 'Rule `known_outcomes`: steps in a row whose result was known, to warn.',
  knownStuck: 'Rule `known_outcomes`: steps in a row whose result was known, to say stuck.',
  fewWarn: 'Rule `few_distinct`: runs of one call with a known result, to warn.',
  fewStuck: 'Rule `few_distinct`: runs of one call with a known result, to say stuck.',
  churnWarn: 'Rule `argument_churn`: calls with other arguments and one result, to warn.',
  churnStuck: 'Rule `argument_churn`: calls with other arguments and one result, to say stuck.',
  longestPeriod: 'Steps of the longest period that is looked for.',
  shortPeriod: 'Characters below which a period is short.',
  shortRepeats: 'Repeats that a short period needs to warn.',
  tail: 'Characters at the end of what is said that are looked at.',
  tool: 'Minutes of silence while a tool runs.',
  build: 'Minutes of silence while a test, build or installation runs.',
  asked: 'Minutes of silence while a sub-agent works, or a person may be asked.',
  turn: 'Minutes of one turn without progress.',
  calls: 'Limit of calls in a session; 0 is none.',
  tokens: 'Limit of tokens in a session; 0 is none.',
  cost: 'Limit of cost in a session, in US dollars; 0 is none.',
};

/** JSON Schema of the setting `unstuck.detectors`, as package.json has it (`npm run settings` writes it there). */
export function detectorsSchema() {
  const detectors = Object.fromEntries(DETECTOR_IDS.map((id) => [id, detectorSchema(id)]));
  return {
    type: 'object',
    default: {},
    order: 2,
    scope: 'resource',
    markdownDescription:
      'Per detector id: `on`, `warn`, `stuck`, `window` and its further numbers, or `true` / `false`; the same again per agent id under `agents`. Example: `{ "repeating_outcome": { "stuck": 5 }, "agents": { "codex": { "stall": false } } }`. Changes apply at once.',
    additionalProperties: false,
    properties: {
      ...detectors,
      agents: {
        type: 'object',
        description: 'The same per agent id: what is set here holds for that agent alone.',
        propertyNames: { enum: [...AGENT_IDS] },
        additionalProperties: {
          type: 'object',
          propertyNames: { enum: [...DETECTOR_IDS] },
          // One schema for the numbers of all detectors: one each, for each agent, would be ten thousand lines.
          additionalProperties: { type: ['object', 'boolean'], propertyNames: { enum: ['on', ...numberNames()] } },
        },
      },
    },
  };
}

/** The names of all numbers that some detector has. */
function numberNames(): string[] {
  const extra = DETECTOR_IDS.flatMap((id) => Object.keys(presetOptions(id, 'balanced').extra));
  return [...new Set(['warn', 'stuck', 'window', ...extra])];
}

/** Of one detector, with what each number means and its value in each preset. */
function detectorSchema(id: DetectorId) {
  const { stuck, extra } = presetOptions(id, 'balanced');
  const counts = UNITS[id];
  return {
    type: ['object', 'boolean'],
    additionalProperties: false,
    properties: {
      on: { type: 'boolean', description: `Default ${values(id, ({ on }) => String(on))}.` },
      warn: number('warn', `${sentence(counts)} to warn. Default ${values(id, ({ warn }) => short(warn))}.`),
      ...(Number.isFinite(stuck) && {
        stuck: number('stuck', `${sentence(counts)} to say stuck. Default ${values(id, (one) => short(one.stuck))}.`),
      }),
      window: number(
        'window',
        `${sentence(WINDOWS[id] ?? 'steps')} that are looked at. Default ${values(id, ({ window }) => short(window))}.`,
      ),
      ...Object.fromEntries(
        Object.keys(extra).map((name) => [
          name,
          number(name, `${EXTRAS[name] ?? ''} Default ${values(id, (one) => short(one.extra[name] ?? 0))}.`),
        ]),
      ),
    },
  };
}

function number(name: string, description: string) {
  const least = MAY_BE_ZERO.has(name) ? { minimum: 0 } : { exclusiveMinimum: 0 };
  return { type: 'number', ...least, maximum: LARGEST, description };
}

/** `3 (eager), 4 (balanced), 6 (patient)`, or one value where all presets have it. */
function values(id: DetectorId, value: (options: ReturnType<typeof presetOptions>) => string): string {
  const each = PRESETS.map((preset) => [preset, value(presetOptions(id, preset))] as const);
  const [, first] = each[0] ?? ['', ''];
  if (each.every(([, one]) => one === first)) return first;
  return each.map(([preset, one]) => `${one} (${preset})`).join(', ');
}

function short(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
