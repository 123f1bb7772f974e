import { basename, dirname, join, relative } from 'node:path';
import { type BridgeFailure, type ConnectPlan, type ConnectTarget, contains, inboxRoots } from '../../inbox';
import { fail, ok, type Result } from '../../../base/util/result';
import type { BridgeProcesses } from './bridge-process';
import { type ConnectionRecord, digestOf, readRecord } from './connection-record';
import type { HookAgent, HookBridgeEnvironment } from './hook-agent';
import { isOurs } from './hook-entries';
import { type Addition, addHooks, hasNoSettings, removeHooks } from './hook-settings';
import { cutOut } from './json-edit';
import { lineDiff } from './line-diff';
import { readSettingsFile, type SettingsFile } from './settings-file';

/** A settings file without Unstuck's entries. */
export interface Base {
  /** Null: there was no file before Connect. */
  readonly text: string | null;
  /** True if there were entries of Unstuck. */
  readonly had: boolean;
}

const NOTHING_KEPT = { hooks: false, events: [] };

/** Returns the file without Unstuck's entries: byte for byte as it was, if nothing else changed since Connect. Null if the file is not JSON. */
export function baseOf(text: string | null, record: ConnectionRecord | null, agent: HookAgent): Base | null {
  if (text === null || hasNoSettings(text)) return { text, had: false };
  if (record && digestOf(text) === record.digest) {
    const before = cutOut(text, record.spans);
    return { text: record.createdFile && before === '' ? null : before, had: true };
  }
  const without = removeHooks(text, isOurs, record?.kept ?? NOTHING_KEPT, agent.layout);
  if (without === null) return null;
  const had = without !== text;
  return { text: had && record?.createdFile && isEmpty(without, agent) ? null : without, had };
}

/** Returns whether nothing is left but the head of a file that Unstuck wrote. */
function isEmpty(text: string, { layout }: HookAgent): boolean {
  return text.replaceAll(/\s/g, '') === JSON.stringify(layout.head);
}

export interface PlanDraft {
  readonly file: SettingsFile;
  readonly record: ConnectionRecord | null;
  readonly base: Base;
  readonly added: Addition;
}

/** Returns the planned content of the settings file. */
export async function planDraftOf(
  agent: HookAgent,
  target: ConnectTarget,
  environment: HookBridgeEnvironment,
): Promise<Result<PlanDraft, BridgeFailure>> {
  const { hookFolder, gateWait } = environment;
  const path = agent.settingsPath(target.scope, target.folder, environment);
  const file = await readSettingsFile(path, target.scope);
  if (!file.ok) return file;
  const record = await readRecord(hookFolder, file.value.path);
  const base = baseOf(file.value.text, record, agent);
  const added = base ? addHooks(base.text, agent.entries(hookFolder, gateWait?.()), agent.layout) : null;
  if (base && added?.ok) return ok({ file: file.value, record, base, added: added.value });
  if (added && !added.ok && added.error === 'unexpected_form') {
    const message = `The hooks in ${path} have a form that Unstuck does not know, so it was not changed.`;
    return fail({ code: 'unexpected_form', message, file: path });
  }
  const what = agent.layout.strict
    ? `JSON as ${agent.name} reads it, without comments and trailing commas`
    : 'valid JSON';
  const message = `${path} is not ${what}, so it was not changed. Correct it and connect again.`;
  return fail({ code: 'invalid_json', message, file: path });
}

/** Returns the plan to show: what would be written, and what a person should know about it. */
export async function planOf(
  agent: HookAgent,
  target: ConnectTarget,
  environment: HookBridgeEnvironment,
): Promise<Result<ConnectPlan, BridgeFailure>> {
  const draft = await planDraftOf(agent, target, environment);
  if (!draft.ok) return draft;
  const { file, added } = draft.value;
  const tracked = await gitSays(target, file.path, environment.processes.git);
  if (tracked === 'tracked') return fail(trackedFailure(agent, target, file.path));
  const roots = target.scope === 'user' ? target.workspaceFolders : inboxRoots(target.workspaceFolders, target.folder);
  if (roots.length === 0) {
    const message = `${target.folder} is not in a folder that is open here. Open its folder and connect there.`;
    return fail({ code: 'outside', message, file: file.path });
  }
  const off = await agent.switchedOff(target.folder, environment);
  return ok({
    agent: agent.id,
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
      ...(off === null ? [] : [off]),
    ],
    remarks: notesOf(agent, target, roots),
  });
}

function trackedFailure(agent: HookAgent, { scope }: ConnectTarget, file: string): BridgeFailure {
  const other = agent.scopes.find((one) => one !== scope);
  const left = `git tracks ${file}, so it was not changed.`;
  switch (other) {
    case 'user': {
      const message = `git tracks ${file}, so everyone who works on this repository would get the hook. Connect for all your projects instead.`;
      return { code: 'tracked', message, file, alternative: other };
    }
    case 'project':
      return {
        code: 'tracked',
        message: `${left} Connect for this project alone instead.`,
        file,
        alternative: other,
      };
    case undefined:
      return { code: 'tracked', message: `${left} Let git ignore it, and connect again.`, file };
  }
}

function notesOf({ name, remarks }: HookAgent, { scope }: ConnectTarget, roots: readonly string[]): readonly string[] {
  return [
    ...remarks.sessions,
    `Messages are stored in ${roots.map((root) => join(root, '.unstuck')).join(', ')}, which git ignores.`,
    ...(scope === 'user'
      ? [`All your ${name} sessions run the hook. It exits at once unless a message is waiting.`]
      : []),
    ...remarks.rest,
  ];
}

/** Queries git in the folder of the project, or in that of the user's settings. */
async function gitSays(
  target: ConnectTarget,
  file: string,
  git: BridgeProcesses['git'],
): Promise<'tracked' | 'not_ignored' | 'fine'> {
  const inside = target.scope === 'project' && contains(target.folder, file);
  const cwd = inside ? target.folder : dirname(file);
  const name = inside ? relative(target.folder, file) : basename(file);
  const query = (...args: readonly string[]) => git([...args, '--', name], cwd, target.workspaceFolders);
  if ((await query('ls-files', '--error-unmatch')).code === 0) return 'tracked';
  return (await query('check-ignore', '-q')).code === 1 ? 'not_ignored' : 'fine';
}
