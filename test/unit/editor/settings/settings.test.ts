import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engineSettings } from '../../../../src/editor/settings/engine-settings';
import { settingsReport } from '../../../../src/editor/settings/report';
import { isQuiet, parseQuietHours, readSettings } from '../../../../src/editor/settings/settings';
import { silentLog } from '../../../../src/base/util/log';

function read(user: Readonly<Record<string, unknown>> = {}, machine: Readonly<Record<string, unknown>> = {}) {
  return readSettings(
    {
      get: (name) => user[name],
      inspect: (name) => ({ globalValue: machine[name] }),
    },
    true,
  );
}

/** Settings of a folder over those of the person, as the editor reports them. */
function readFolder(
  folder: Readonly<Record<string, unknown>>,
  person: Readonly<Record<string, unknown>>,
  isTrusted: boolean,
) {
  const configuration = {
    get: (name: string) => folder[name] ?? person[name],
    inspect: (name: string) => ({ globalValue: person[name], workspaceValue: folder[name] }),
  };
  return readSettings(configuration, isTrusted);
}

const HOUR = 3_600_000;

interface Property {
  readonly type: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Property>> }[];
  };
};
/** The settings of package.json by their names without `unstuck.`. */
const PROPERTIES = contributes.configuration
  .flatMap(({ properties }) => Object.entries(properties))
  .map(([name, one]) => [name.replace('unstuck.', ''), one] as const);

describe('settings', () => {
  it('have the defaults of package.json if the user sets nothing', () => {
    const { recovery: _, ...defaults } = read(Object.fromEntries(PROPERTIES.map(([name, one]) => [name, one.default])));
    expect(read()).toMatchObject(defaults);
  });

  it.each(PROPERTIES.filter(([, one]) => one.type === 'number'))('keep %s inside its range', (name, one) => {
    const { minimum = Number.NaN, maximum = Number.NaN } = one;
    expect(read({ [name]: maximum + 1 })).toEqual(read({ [name]: maximum }));
    expect(read({ [name]: maximum })).not.toEqual(read({ [name]: maximum - 1 }));
    expect(read({ [name]: minimum - 1 })).toEqual(read({ [name]: minimum }));
    expect(read({ [name]: minimum })).not.toEqual(read({ [name]: minimum + 1 }));
    for (const value of ['5', Number.NaN]) expect(read({ [name]: value })).toEqual(read());
  });

  it('report waits after some minutes, or never', () => {
    expect(read({ 'notifications.waiting': 0 }).notifyWaitsMs).toBeNull();
    expect(read({ 'notifications.waiting': 10 }).notifyWaitsMs).toBe(10 * 60_000);
    expect(read({ 'notifications.waiting': 'soon' }).notifyWaitsMs).toBe(2 * 60_000);
  });

  it('notify about what the list names, the usual if there is no list, and nothing if it is empty', () => {
    const topics = (list: unknown) => [...read({ 'notifications.for': list }).notifyOf];
    expect(topics(['finished', 'stuck', 'weather', 7])).toEqual(['stuck', 'finished']);
    expect(topics('stuck')).toEqual(topics(undefined));
    expect(topics([])).toEqual([]);
  });

  it('name message servers for the whole machine, and never take them from a folder', () => {
    const given = { 'fleet.servers': ['tls://box:4222', 7, ' '] };
    expect(read({}, given).fleetServers).toEqual(['tls://box:4222']);
    expect(readFolder(given, {}, true).fleetServers).toEqual([]);
  });

  it('name folders of agents for the whole machine: known ones, with absolute paths, and never from a folder', () => {
    const given = { CODEX_HOME: '/data/codex', CLAUDE_CONFIG_DIR: 'relative', PATH: '/evil', COPILOT_HOME: 7 };
    expect(read({}, { 'agents.folders': given }).agentFolders).toEqual({ CODEX_HOME: '/data/codex' });
    expect(readFolder({ 'agents.folders': given }, {}, true).agentFolders).toEqual({});
  });

  it('are taken as the user wrote them', () => {
    const user = {
      'transcripts.include': ['**/*.log', 7],
      'agents.disabled': ['codex'],
      preset: 'eager',
      detectors: { cycle: 'off' },
      'notifications.for': ['died'],
      'notifications.quietHours': '22:00-07:30',
      'connect.runtime': '/usr/bin/node',
      'gates.enabled': 'by_command',
    };
    expect(read(user)).toMatchObject({
      include: ['**/*.log'],
      disabledAgents: new Set(['codex']),
      preset: 'eager',
      detectors: { cycle: 'off' },
      notifyOf: new Set(['died']),
      quietHours: { from: 22 * 60, to: 7 * 60 + 30 },
      runtime: '/usr/bin/node',
      gates: { when: 'by_command' },
    });
    expect(read({ preset: 'patient', 'gates.enabled': 'off' })).toMatchObject({
      preset: 'patient',
      gates: { when: 'off' },
    });
    expect(read({ preset: 'fast', 'gates.enabled': 'yes', 'transcripts.include': 'x' })).toMatchObject({
      preset: 'balanced',
      include: [],
      gates: { when: 'on_completion' },
    });
  });

  it('are hours, minutes and seconds for the user, and milliseconds here', () => {
    const user = { 'sessions.maxAge': 2, 'nudge.expiry': 3, 'gates.timeout': 7, 'gates.wait': 8 };
    expect(read(user)).toMatchObject({
      maxAgeMs: 2 * HOUR,
      nudgeExpiryMs: 3 * 60_000,
      gates: { timeoutMs: 7_000, waitMs: 8_000 },
    });
  });

  it('run a whole number of gates at once', () => {
    expect(read({ 'gates.parallel': 3.7 }).gates.parallel).toBe(3);
  });

  it('that act automatically or start programs belong to the machine: a workspace cannot set them', () => {
    const names = ['gates.commands', 'recovery.automatic', 'recovery.limits', 'recovery.models', 'launch'];
    const workspace = Object.fromEntries(names.map((name) => [name, 'workspace']));
    expect(read(workspace)).toEqual(read());
    const machine = Object.fromEntries(names.map((name) => [name, 'machine']));
    const { gates, recovery } = read({ ...workspace, 'recovery.ladder': ['fresh'] }, machine);
    expect(gates.commands).toBe('machine');
    expect(recovery).toEqual({
      ladder: ['fresh'],
      automatic: 'machine',
      limits: 'machine',
      models: 'machine',
      launch: 'machine',
    });
  });
});

describe('a folder that was cloned', () => {
  const folder = {
    detectors: { repeated_action_observation: { on: false } },
    preset: 'patient',
    'agents.disabled': ['claude-code', 'codex'],
    'sessions.maxAge': 1,
  };
  const person = { detectors: { cycle: { stuck: 4 } }, preset: 'eager', 'agents.disabled': ['goose'] };

  it('switches no detector off, slows none down and hides no agent while it is untrusted', () => {
    expect(readFolder(folder, person, false)).toMatchObject({
      detectors: { cycle: { stuck: 4 } },
      preset: 'eager',
      disabledAgents: new Set(['goose']),
      maxAgeMs: 24 * HOUR,
    });
    expect(readFolder(folder, {}, false)).toMatchObject({
      detectors: {},
      preset: 'balanced',
      contextFrom: 80,
      disabledAgents: new Set(),
      maxAgeMs: 24 * HOUR,
    });
  });

  it('names its settings that do not apply', () => {
    expect(readFolder(folder, person, false).ignored).toEqual([
      'unstuck.sessions.maxAge',
      'unstuck.agents.disabled',
      'unstuck.preset',
      'unstuck.detectors',
    ]);
    const configuration = {
      get: () => undefined,
      inspect: (name: string) => (name === 'preset' ? { workspaceFolderValue: 'patient' } : undefined),
    };
    expect(readSettings(configuration, false).ignored).toEqual(['unstuck.preset']);
    expect(readFolder({}, person, false).ignored).toEqual([]);
  });

  it('applies its settings once the person trusts it', () => {
    expect(readFolder(folder, person, true)).toMatchObject({
      detectors: { repeated_action_observation: { on: false } },
      preset: 'patient',
      disabledAgents: new Set(['claude-code', 'codex']),
      maxAgeMs: HOUR,
      ignored: [],
    });
  });

  it('is logged once, not at each change of a setting', () => {
    const lines: string[] = [];
    const report = settingsReport({ ...silentLog, warn: (line) => void lines.push(line) }, () => []);
    const settings = readFolder({ preset: 'patient', detectors: {} }, {}, false);
    report(settings);
    report(settings);
    report(readFolder({ preset: 'patient' }, {}, true));
    expect(lines).toEqual(['unstuck.preset, unstuck.detectors of this folder: ignored until you trust the folder']);
  });

  it('has options skipped that the detectors do not understand, each named once', () => {
    const lines: string[] = [];
    let problems = ['detectors.cycle.often: no such option'];
    const report = settingsReport({ ...silentLog, warn: (line) => void lines.push(line) }, () => problems);
    report(read());
    report(read());
    problems = [...problems, 'budgets.days: there is no such budget'];
    report(read());
    expect(lines).toEqual([
      'left out: unstuck.detectors.cycle.often: no such option',
      'left out: unstuck.budgets.days: there is no such budget',
    ]);
  });
});

describe('quiet hours', () => {
  const at = (time: string) => new Date(`2026-11-20T${time}:00`);

  it('span midnight if they end before they begin', () => {
    const night = parseQuietHours('22:00-07:00');
    expect(['21:59', '22:00', '03:00', '06:59', '07:00'].map((time) => isQuiet(night, at(time)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    const noon = parseQuietHours('12:00-13:00');
    expect(['11:59', '12:00', '12:59', '13:00'].map((time) => isQuiet(noon, at(time)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('are none if nothing was written, or not in this form', () => {
    expect(isQuiet(null, at('03:00'))).toBe(false);
    for (const text of [undefined, 7, '', '22-07', '24:00-07:00', '22:60-07:00', ' 22:00-07:00', '22:00-07:00 x'])
      expect(parseQuietHours(text)).toBeNull();
  });
});

describe('the engine', () => {
  const given = { folders: ['/home/me/calc'], detectors: () => ({}) as never, agents: ['codex', 'goose'] };

  it('reads the agents that the user did not disable', () => {
    expect(engineSettings(read({ 'agents.disabled': ['codex'] }), false, given)).toEqual({
      folders: ['/home/me/calc'],
      detectors: given.detectors,
      walksFolders: false,
      maxAgeMs: 24 * HOUR,
      historyMs: 90 * 24 * HOUR,
      disabled: new Set(['codex']),
    });
  });

  it('reads none while watching is paused', () => {
    expect(engineSettings(read(), true, given).disabled).toEqual(new Set(['codex', 'goose']));
  });
});
