import { isAbsolute } from 'node:path';
import type { Preset } from '../../core/model';
import { type Topic, topicsOf } from './topics';

/** All settings, read in one place. Bad values fall back to the defaults of package.json. */
export interface Settings {
  readonly include: readonly string[];
  readonly maxAgeMs: number;
  readonly disabledAgents: ReadonlySet<string>;
  /** Folders of agents, as absolute paths, by the variable that names them. Read from the machine's settings only, since Connect writes there. */
  readonly agentFolders: Readonly<Record<string, string>>;
  /** Percent of the context from which the row of an agent shows how full it is; 0 for never. */
  readonly contextFrom: number;
  readonly preset: Preset;
  /** The object `unstuck.detectors`, as the user wrote it; detect/session/options.ts takes what it understands. */
  readonly detectors: unknown;
  /** The object `unstuck.budgets`, as the user wrote it. */
  readonly budgets: unknown;
  readonly notifyOf: ReadonlySet<Topic>;
  /** Milliseconds after which a wait for permission or an answer is reported; null for never. */
  readonly notifyWaitsMs: number | null;
  readonly quietHours: QuietHours | null;
  readonly nudgeExpiryMs: number;
  readonly runtime: string;
  readonly historyDays: number;
  /**
   * Addresses of the message servers through which agents of other machines are seen; without any there is no connection. Read from the machine's
   * settings only.
   */
  readonly fleetServers: readonly string[];
  readonly gates: GateChoices;
  readonly recovery: RecoveryChoices;
  /** Full names of the folder's settings that do not apply, because the folder is not trusted. */
  readonly ignored: readonly string[];
}

/** The user's settings of recovery, unchecked; recover/act/settings.ts takes those that it understands. */
export interface RecoveryChoices {
  readonly automatic: unknown;
  readonly ladder: unknown;
  readonly limits: unknown;
  readonly models: unknown;
  readonly launch: unknown;
}

/** The user's settings of quality gates. */
export interface GateChoices {
  readonly when: 'off' | 'by_command' | 'on_completion';
  /** `unstuck.gates.commands` of the machine, as the user wrote it; recover/gates/from-settings takes what it understands. */
  readonly commands: unknown;
  readonly timeoutMs: number;
  readonly waitMs: number;
  readonly parallel: number;
}

/** Minutes since midnight, local time. If `to` is before `from`, the hours span midnight. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/** The part of `vscode.WorkspaceConfiguration` that is read here. */
export interface RawSettings {
  get(name: string): unknown;
  inspect(name: string): InspectedSetting | undefined;
}

interface InspectedSetting {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** Settings that decide which agents are watched and what counts as stuck. An untrusted folder may not set them. */
const WATCHING = ['sessions.maxAge', 'agents.disabled', 'preset', 'detectors', 'budgets'] as const;

/**
 * @param configuration the section `unstuck`
 * @param isTrusted whether a person trusts the workspace
 */
export function readSettings(configuration: RawSettings, isTrusted: boolean): Settings {
  const watching = (name: (typeof WATCHING)[number]) =>
    isTrusted ? configuration.get(name) : personal(configuration.inspect(name));
  return {
    include: strings(configuration.get('transcripts.include')),
    maxAgeMs: within(watching('sessions.maxAge'), 1, 720, 24) * 3_600_000,
    disabledAgents: new Set(strings(watching('agents.disabled'))),
    agentFolders: foldersOf(configuration.inspect('agents.folders')?.globalValue),
    contextFrom: within(configuration.get('agents.contextFrom'), 0, 100, 80),
    preset: presetOf(watching('preset')),
    detectors: watching('detectors') ?? {},
    budgets: watching('budgets') ?? {},
    ignored: isTrusted ? [] : WATCHING.filter((name) => isOfFolder(configuration.inspect(name))).map(fullName),
    notifyOf: new Set(topicsOf(configuration.get('notifications.for'))),
    notifyWaitsMs: minutesOrNever(configuration.get('notifications.waiting'), 120, 2),
    quietHours: parseQuietHours(configuration.get('notifications.quietHours')),
    nudgeExpiryMs: within(configuration.get('nudge.expiry'), 1, 240, 10) * 60_000,
    runtime: textOf(configuration.get('connect.runtime')),
    // With which servers this machine talks is for the machine to decide, not for a workspace.
    fleetServers: strings(configuration.inspect('fleet.servers')?.globalValue).filter((server) => server.trim() !== ''),
    historyDays: within(configuration.get('history.days'), 1, 3650, 90),
    gates: {
      when: gatesWhen(configuration.get('gates.enabled')),
      // Command lines are for the machine to decide: a workspace's settings are not read, whatever scope the editor allows.
      commands: configuration.inspect('gates.commands')?.globalValue,
      timeoutMs: within(configuration.get('gates.timeout'), 5, 3600, 300) * 1000,
      waitMs: within(configuration.get('gates.wait'), 0, 900, 120) * 1000,
      parallel: Math.floor(within(configuration.get('gates.parallel'), 1, 16, 2)),
    },
    recovery: {
      ladder: configuration.get('recovery.ladder'),
      // Automatic actions, their frequency and the programs that start are settings of the machine, not of a workspace.
      automatic: configuration.inspect('recovery.automatic')?.globalValue,
      limits: configuration.inspect('recovery.limits')?.globalValue,
      models: configuration.inspect('recovery.models')?.globalValue,
      launch: configuration.inspect('launch')?.globalValue,
    },
  };
}

/** Returns the person's value of a setting, not the folder's. */
function personal(setting: InspectedSetting | undefined): unknown {
  return setting?.globalValue ?? setting?.defaultValue;
}

function isOfFolder(setting: InspectedSetting | undefined): boolean {
  return setting?.workspaceValue !== undefined || setting?.workspaceFolderValue !== undefined;
}

const fullName = (name: string): string => `unstuck.${name}`;

/** Parses `22:00-07:00`; null for anything else. */
export function parseQuietHours(text: unknown): QuietHours | null {
  const match = typeof text === 'string' ? /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text) : null;
  if (!match) return null;
  return { from: Number(match[1]) * 60 + Number(match[2]), to: Number(match[3]) * 60 + Number(match[4]) };
}

export function isQuiet(hours: QuietHours | null, now: Date): boolean {
  if (!hours) return false;
  const minute = now.getHours() * 60 + now.getMinutes();
  return hours.from <= hours.to ? minute >= hours.from && minute < hours.to : minute >= hours.from || minute < hours.to;
}

function gatesWhen(value: unknown): GateChoices['when'] {
  return value === 'off' || value === 'by_command' ? value : 'on_completion';
}

function presetOf(value: unknown): Preset {
  return value === 'eager' || value === 'patient' ? value : 'balanced';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** Returns minutes as milliseconds; null for 0. */
function minutesOrNever(value: unknown, most: number, fallback: number): number | null {
  const minutes = within(value, 0, most, fallback);
  return minutes === 0 ? null : minutes * 60_000;
}

function within(value: unknown, least: number, most: number, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : fallback;
}

/** Variables with which a person may set where agents keep their files: only those that no other program uses. */
export const FOLDER_VARIABLES = [
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'GEMINI_CLI_HOME',
  'COPILOT_HOME',
  'QWEN_HOME',
  'PI_CODING_AGENT_DIR',
  'CLINE_DIR',
  'GROK_HOME',
] as const;

function foldersOf(value: unknown): Record<string, string> {
  const given = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  return Object.fromEntries(
    FOLDER_VARIABLES.flatMap((name) => {
      const folder = given[name];
      return typeof folder === 'string' && isAbsolute(folder) ? [[name, folder]] : [];
    }),
  );
}
