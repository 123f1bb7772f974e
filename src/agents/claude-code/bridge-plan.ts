import { basename, dirname, join } from 'node:path';
import {
  type BridgeFailure,
  type ConnectPlan,
  type ConnectScope,
  type ConnectTarget,
  contains,
  inboxRoots,
} from '../../inbox';
import { fail, ok, type Result } from '../../util/result';
import { type Addition, addHooks, removeHooks, takeOut } from '../shared/hook-settings';
import { parseJson, propertyOf } from '../shared/json-edit';
import { lineDiff } from '../shared/line-diff';
import { hookEntries, isOurs } from './bridge-entries';
import { readSettings, type SettingsFile } from './bridge-file';
import type { BridgeProcesses } from './bridge-process';
import { type ConnectionRecord, digestOf, readRecord } from './bridge-record';

export interface SettingsPlaces {
  readonly home: string;
  /** Seconds that the hook may wait for the quality gates at the end of a print mode run; 120 where absent. */
  readonly gateWait?: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Personal settings of a project, or of the user for all projects. */
export function settingsPath(scope: ConnectScope, folder: string, places: SettingsPlaces): string {
  switch (scope) {
    case 'project':
      return join(folder, '.claude', 'settings.local.json');
    case 'user':
      return join(places.env['CLAUDE_CONFIG_DIR'] ?? join(places.home, '.claude'), 'settings.json');
  }
}

/** A settings file without anything of ours. */
export interface Base {
  /** Null: there was no file before us. */
  readonly text: string | null;
  /** Were there entries of ours? */
  readonly had: boolean;
}

const NOTHING_KEPT = { hooks: false, events: [] };

/** Byte for byte as it was where nothing else changed since Connect. Null where the file is no JSON. */
export function baseOf(text: string | null, record: ConnectionRecord | null): Base | null {
  if (text === null) return { text: null, had: false };
  if (record && digestOf(text) === record.digest) {
    const before = takeOut(text, record.spans);
    return { text: record.createdFile && before === '' ? null : before, had: true };
  }
  const without = removeHooks(text, isOurs, record?.kept ?? NOTHING_KEPT);
  if (without === null) return null;
  const had = without !== text;
  return { text: had && record?.createdFile && isEmptyObject(without) ? null : without, had };
}

function isEmptyObject(text: string): boolean {
  return text.replaceAll(/\s/g, '') === '{}';
}

export interface Draft {
  readonly file: SettingsFile;
  readonly record: ConnectionRecord | null;
  readonly base: Base;
  readonly added: Addition;
}

/** What the settings file would become. */
export async function draftOf(
  target: ConnectTarget,
  places: SettingsPlaces,
  hookFolder: string,
): Promise<Result<Draft, BridgeFailure>> {
  const path = settingsPath(target.scope, target.folder, places);
  const file = await readSettings(path, target.scope);
  if (!file.ok) return file;
  const record = await readRecord(hookFolder, file.value.path);
  const base = baseOf(file.value.text, record);
  const added = base ? addHooks(base.text, hookEntries(hookFolder, places.gateWait?.())) : null;
  if (base && added?.ok) return ok({ file: file.value, record, base, added: added.value });
  if (added && !added.ok && added.error === 'unexpected_form') {
    const message = `The hooks in ${path} have a form that Unstuck does not know, so it was left as it is.`;
    return fail({ code: 'unexpected_form', message, file: path });
  }
  const message = `${path} is not valid JSON, so it was left as it is. Correct it and connect again.`;
  return fail({ code: 'invalid_json', message, file: path });
}

/** The plan to show: what would be written, and what to know of it. */
export async function planOf(
  target: ConnectTarget,
  places: SettingsPlaces,
  hookFolder: string,
  git: BridgeProcesses['git'],
): Promise<Result<ConnectPlan, BridgeFailure>> {
  const draft = await draftOf(target, places, hookFolder);
  if (!draft.ok) return draft;
  const { file, added } = draft.value;
  const tracked = await gitSays(target, file.path, git);
  if (tracked === 'tracked') {
    const project = target.scope === 'project';
    const message = project
      ? `git tracks ${file.path}, so everybody who works on this repository would get the hook. Connect for all your projects instead.`
      : `git tracks ${file.path}, so it was left as it is. Connect for this project alone instead.`;
    return fail({ code: 'tracked', message, file: file.path, alternative: project ? 'user' : 'project' });
  }
  const roots = target.scope === 'user' ? target.workspaceFolders : inboxRoots(target.workspaceFolders, target.folder);
  if (roots.length === 0) {
    const message = `${target.folder} is in no folder that is open here. Open its folder and connect there.`;
    return fail({ code: 'outside', message, file: file.path });
  }
  const off = await switchedOff(target.folder, places);
  return ok({
    agent: 'claude-code',
    target,
    file: file.path,
    before: file.text,
    after: added.text,
    diff: lineDiff(file.text ?? '', added.text),
    roots,
    warnings: [
      ...(tracked === 'not_ignored'
        ? [
            `git does not ignore ${file.path}: it will show up as a new file. Add it to .git/info/exclude to keep it to yourself.`,
          ]
        : []),
      ...(off === null ? [] : [`"disableAllHooks" is set in ${off}: Claude Code runs no hook until it is removed.`]),
    ],
    notes: notesOf(target, roots),
  });
}

function notesOf({ scope }: ConnectTarget, roots: readonly string[]): readonly string[] {
  return [
    'Sessions that run now take messages at their next tool call and when their turn ends. Nothing needs to be restarted.',
    'Sessions that start from now on can also be woken while they are idle.',
    `Messages lie in ${roots.map((root) => join(root, '.unstuck')).join(', ')}, which git ignores.`,
    ...(scope === 'user'
      ? ['All your Claude Code sessions run the hook. Where no message waits it leaves at once.']
      : []),
    'Claude Code runs hooks of a folder once you told it that you trust the folder.',
  ];
}

/** Asks git in the folder of the project, or in that of the user's settings. */
async function gitSays(
  target: ConnectTarget,
  file: string,
  git: BridgeProcesses['git'],
): Promise<'tracked' | 'not_ignored' | 'fine'> {
  const inside = target.scope === 'project' && contains(target.folder, file);
  const cwd = inside ? target.folder : dirname(file);
  const name = inside ? '.claude/settings.local.json' : basename(file);
  if ((await git(['ls-files', '--error-unmatch', '--', name], cwd)).code === 0) return 'tracked';
  return (await git(['check-ignore', '-q', '--', name], cwd)).code === 1 ? 'not_ignored' : 'fine';
}

/** The file that switches all hooks off; null where none does. The most personal file that says anything decides. */
export async function switchedOff(folder: string, places: SettingsPlaces): Promise<string | null> {
  const files = [
    settingsPath('project', folder, places),
    join(folder, '.claude', 'settings.json'),
    settingsPath('user', folder, places),
  ];
  for (const path of files) {
    const file = await readSettings(path, 'user');
    const root = file.ok && file.value.text !== null ? parseJson(file.value.text) : null;
    const value: unknown = root?.type === 'object' ? propertyOf(root, 'disableAllHooks')?.value : undefined;
    if (typeof value === 'boolean') return value ? path : null;
  }
  return null;
}
