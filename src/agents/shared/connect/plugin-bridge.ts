import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type Bridge,
  type BridgeFailure,
  type BridgePlace,
  type ConnectionState,
  type ConnectionStatus,
  type ConnectPlan,
  type ConnectTarget,
  type Disconnected,
  forgetProofs,
  isProven,
} from '../../inbox';
import { readText } from '../../../base/files';
import { fail, ok, type Result } from '../../../base/util/result';
import { digestOf, readRecord, removeRecord, writeRecord } from './connection-record';
import type { HookBridgeEnvironment } from './hook-agent';
import { addRoots, forgetRoots, installInto } from './hook-install';
import { lineDiff } from './line-diff';
import { fileFailure, readSettingsFile, removeSettings, type SettingsFile, writeSettings } from './settings-file';
import { isOurs, type PluginAgent } from './plugin-agent';

/** Size limit in bytes, many times the plugin's real size. */
const LARGEST_PLUGIN = 16 * 1024 * 1024;

/** The facts of the machine, and the agent that is connected. */
type Environment = HookBridgeEnvironment & { readonly program: PluginAgent };

/** Delivers messages through our own file among the user's plugins or hooks. Those of a project are files of the repository. */
export function createPluginBridge(program: PluginAgent, machine: HookBridgeEnvironment): Bridge {
  const environment = { ...machine, program };
  return {
    agent: program.agent,
    scopes: ['user'],
    abilities: program.abilities,
    plan: (target) => planOf(target, environment),
    connect: (plan) => connect(plan, environment),
    status: () => statusOf(environment),
    refresh: (place) => refresh(place, environment),
    isProven: (session) => isProven(environment.hookFolder, program.agent, session),
    disconnect: () => disconnect(program.file(environment.home, environment.env), environment),
    disconnectFrom: (file) => disconnect(file, environment),
    test: () => program.test(environment),
  };
}

async function ownFile({ home, env, program }: Environment): Promise<Result<SettingsFile, BridgeFailure>> {
  const path = program.file(home, env);
  const file = await readSettingsFile(path, 'user');
  if (!file.ok || file.value.text === null || isOurs(file.value.text)) return file;
  const message = `${path} was not written by Unstuck, so it was not changed. Rename it and connect again.`;
  return fail({ code: 'unexpected_form', message, file: path });
}

async function planOf(target: ConnectTarget, environment: Environment): Promise<Result<ConnectPlan, BridgeFailure>> {
  const file = await ownFile(environment);
  if (!file.ok) return file;
  const { path, text } = file.value;
  const folder = dirname(path);
  const exists = await stat(folder).catch(() => null);
  const question = ['ls-files', '--error-unmatch', '--', basename(path)];
  if (exists && (await environment.processes.git(question, folder, target.workspaceFolders)).code === 0) {
    const message = `git tracks ${path}, so it was not changed. Let git ignore it, and connect again.`;
    return fail({ code: 'tracked', message, file: path });
  }
  const roots = target.workspaceFolders;
  if (roots.length === 0) {
    const message = `${target.folder} is not in a folder that is open here. Open its folder and connect there.`;
    return fail({ code: 'outside', message, file: path });
  }
  const { name, remarks, what } = environment.program;
  const after = environment.program.text(environment.hookFolder);
  return ok({
    agent: environment.program.agent,
    target,
    file: path,
    before: text,
    after,
    diff: lineDiff(text ?? '', after),
    roots,
    warnings: [],
    remarks: [
      ...remarks.sessions,
      `Messages are stored in ${roots.map((root) => join(root, '.unstuck')).join(', ')}, which git ignores.`,
      `All your ${name} sessions run the ${what}. It does nothing unless a message is waiting.`,
      ...remarks.rest,
    ],
  });
}

async function connect(plan: ConnectPlan, environment: Environment): Promise<Result<ConnectionStatus, BridgeFailure>> {
  const { hookFolder, now, program } = environment;
  const file = await ownFile(environment);
  if (!file.ok) return file;
  const { path, text } = file.value;
  const after = program.text(hookFolder);
  if (path !== plan.file || text !== plan.before || after !== plan.after) {
    const message = `${plan.file} has changed in the meantime. Review the change again.`;
    return fail({ code: 'changed', message, file: plan.file });
  }
  const installed = await installInto(plan.roots, environment, environment.program.what);
  if (!installed.ok) return installed;
  const record = await readRecord(hookFolder, path);
  if (text !== after) {
    await forgetProofs(hookFolder, { agent: program.agent });
    const written = await writeSettings(path, after);
    if (!written.ok) return written;
    const createdFolder = written.value.createdFolder || record?.createdFolder === true;
    const roots = [...new Set([...(record?.roots ?? []), ...plan.roots])];
    try {
      await writeRecord(hookFolder, { ...recordOf(program, path, after, roots, now()), createdFolder });
    } catch (error) {
      return fail(fileFailure(error, 'write to', hookFolder));
    }
  } else await addRoots(record ?? recordOf(program, path, after, [], now()), plan.roots, hookFolder);
  return ok(await statusOf(environment));
}

function recordOf({ agent }: PluginAgent, file: string, text: string, roots: readonly string[], connectedAt: number) {
  return {
    v: 1 as const,
    agent,
    file,
    connectedAt,
    roots: [...roots],
    digest: digestOf(text),
    spans: [],
    kept: { hooks: false, events: [] },
    createdFile: true,
    createdFolder: false,
  };
}

async function statusOf(environment: Environment): Promise<ConnectionStatus> {
  const { hookFolder, home, env, program } = environment;
  const path = program.file(home, env);
  const file = await readSettingsFile(path, 'user');
  if (!file.ok) {
    return { state: 'unreadable', message: file.error.message, scope: 'user', file: path, connectedAt: null };
  }
  const { text } = file.value;
  if (text === null || !isOurs(text)) {
    return { state: 'not_connected', message: 'Not connected.', scope: null, file: path, connectedAt: null };
  }
  const connectedAt = (await readRecord(hookFolder, file.value.path))?.connectedAt ?? null;
  const said = (state: ConnectionState, message: string): ConnectionStatus => ({
    state,
    scope: 'user',
    file: path,
    connectedAt,
    message,
  });
  if (text !== program.text(hookFolder)) {
    return said('changed', `${path} was changed by hand. Connect again to restore it.`);
  }
  const plugin = await readText(join(hookFolder, program.runs), { limit: LARGEST_PLUGIN });
  return !plugin.ok
    ? said('hook_missing', `The ${program.what} is no longer installed. Connect again.`)
    : said('connected', `Connected by ${path}.`);
}

async function refresh(place: BridgePlace, environment: Environment): Promise<ConnectionStatus> {
  const before = await statusOf(environment);
  if (before.scope === null || before.state === 'unreadable') return before;
  await installInto(place.workspaceFolders, environment, environment.program.what);
  const file = await readSettingsFile(before.file, 'user');
  if (file.ok) {
    const { hookFolder, now, program } = environment;
    const { path } = file.value;
    const record = (await readRecord(hookFolder, path)) ?? recordOf(program, path, program.text(hookFolder), [], now());
    await addRoots(record, place.workspaceFolders, hookFolder);
  }
  return statusOf(environment);
}

async function disconnect(plugin: string, { hookFolder }: Environment): Promise<Result<Disconnected, BridgeFailure>> {
  const file = await readSettingsFile(plugin, 'user');
  if (!file.ok) return file;
  const { path, text } = file.value;
  const record = await readRecord(hookFolder, path);
  const had = text !== null && isOurs(text);
  if (had) {
    const removed = await removeSettings(path, record?.createdFolder === true);
    if (!removed.ok) return removed;
  }
  await removeRecord(hookFolder, path);
  await forgetRoots(record?.roots ?? [], hookFolder);
  return ok({ file: path, changed: had });
}
