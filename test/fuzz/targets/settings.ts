import { validateJsonResponse, validateToolCall } from '../../../src/base/schema/validate';
import { optionProblems, resolveOptions } from '../../../src/detect/session/options';
import { readRecoverySettings } from '../../../src/recover/act/settings';
import { parseIntent } from '../../../src/editor/panel-model/intents';
import { gatesFromSettings } from '../../../src/recover/gates/from-settings';
import { currentForm } from '../../../src/editor/rules/former';
import { readSettings } from '../../../src/editor/settings/settings';
import { parseJson } from '../../../src/base/util/json';
import { json, jsonReader } from './reader';

const settings = {
  'transcripts.include': ['logs/**/*.agent.jsonl'],
  'sessions.maxAge': 24,
  'agents.disabled': ['codex'],
  preset: 'eager',
  detectors: { cycle: { warn: 3, stuck: 4, window: 40 }, agents: { codex: { stall: { model: 600 }, cycle: 'off' } } },
  budgets: { hours: 4, calls: 500 },
  'notifications.for': ['stuck', 'waiting'],
  'notifications.quietHours': '22:00-07:00',
  'nudge.expiry': 10,
  'connect.runtime': '/usr/bin/node',
  'gates.enabled': 'by_command',
  'gates.commands': [{ name: 'tests', command: 'npm test', folder: '/work', cwd: 'a', needs: ['lint'], timeout: 60 }],
  'gates.timeout': 300,
  'gates.wait': 120,
  'gates.parallel': 2,
  'recovery.automatic': true,
  'recovery.brakes': { blockRepeat: 5, stopAtBudget: true },
  'recovery.ladder': ['as_is', 'feedback', { rung: 'top_model', tries: 2 }, 'ask'],
  'recovery.limits': { incident: 2, agent: { attempts: 4, minutes: 60 } },
  'recovery.models': { 'claude-code': ['haiku', 'sonnet', 'opus'] },
  launch: { codex: { program: '/usr/bin/codex', arguments: ['--full-auto'] } },
  'history.days': 90,
};

/** Settings of the editor, including the thresholds, the ladder and the gates. */
export const settingsReader = jsonReader('settings', json(settings), (input) => {
  const value = parseJson(input);
  const fields = (typeof value === 'object' && value !== null ? value : { detectors: value }) as Record<
    string,
    unknown
  >;
  const inspect = (name: string) => ({ globalValue: fields[name], workspaceValue: fields[name] });
  for (const isTrusted of [true, false]) {
    const read = readSettings({ get: (name) => fields[name], inspect }, isTrusted);
    for (const figure of [
      read.maxAgeMs,
      read.nudgeExpiryMs,
      read.historyDays,
      read.gates.timeoutMs,
      read.gates.parallel,
    ])
      if (!Number.isFinite(figure)) throw new Error('a figure that is none');
    for (const { warn, stuck } of Object.values(resolveOptions(read, 'codex')))
      if (Number.isNaN(warn) || Number.isNaN(stuck)) throw new Error('a threshold that is none');
    optionProblems(read);
    currentForm(read.detectors, read.budgets);
    readRecoverySettings({
      ...read.recovery,
      brakes: () => fields['recovery.brakes'],
      expiryMs: read.nudgeExpiryMs,
    }).brakes('/work');
    gatesFromSettings(read.gates.commands, '/work', read.gates.timeoutMs);
  }
});

/** Requests of the panel's page. */
export const intents = jsonReader(
  'intents',
  json(
    { type: 'openLine', file: '/t.jsonl', line: 3, offset: 120 },
    { type: 'sendNudge', text: 'Stop.', incident: '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    { type: 'copySample', which: 'first' },
    { type: 'describeSteps', from: 0, to: 20 },
    { type: 'recover', action: 'restart' },
    { type: 'hold', on: true },
    { type: 'openFailure', gate: 'tests', failure: 0 },
    { type: 'ready' },
  ),
  (input) => {
    const sent = parseJson(input);
    const intent = parseIntent(sent);
    if (intent && JSON.stringify(intent).length > JSON.stringify(sent).length)
      throw new Error('an intent says more than was sent');
  },
);

const TOOLS = [
  {
    name: 'shell',
    schema: { type: 'object', properties: { command: { type: 'string', pattern: '^n' } }, required: ['command'] },
  },
];

/** Input checked on behalf of another extension: calls, and JSON against a schema. */
export const validators = jsonReader(
  'validators',
  json({ name: 'shell', arguments: { command: 'npm test' } }, TOOLS[0]?.schema),
  (input) => {
    const value = parseJson(input);
    validateToolCall(input, TOOLS);
    validateToolCall(value, TOOLS);
    validateJsonResponse('{"command":"npm test","list":[1,2,{"a":null}]}', value);
    validateJsonResponse(input, { type: 'object' });
  },
);
