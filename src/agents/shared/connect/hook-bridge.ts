import { type HookAgent, type HookBridgeEnvironment } from './hook-agent';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type Bridge,
  type BridgeFailure,
  type BridgePlace,
  type ConnectionStatus,
  type ConnectPlan,
  type ConnectScope,
  type ConnectTarget,
  type Disconnected,
  forgetProofs,
  inboxRoots,
  isProven,
} from '../../inbox';
import { fail, ok, type Result } from '../../../base/util/result';
import { type ConnectionRecord, digestOf, readRecord, removeRecord, writeRecord } from './connection-record';
import { oursIn, textOfEntries } from './hook-entries';
import { addRoots, forgetRoots, installInto } from './hook-install';
import { baseOf, planDraftOf, planOf } from './hook-plan';
import { hooksOf } from './hook-settings';
import { connectionStatus } from './hook-status';
import { testHook } from './hook-test';
import { fileFailure, readSettingsFile, removeSettings, writeSettings } from './settings-file';

/** Delivers messages to one kind of agent through hooks in the person's own settings. */
export function createHookBridge(agent: HookAgent, environment: HookBridgeEnvironment): Bridge {
  return {
    agent: agent.id,
    scopes: agent.scopes,
    abilities: agent.abilities,
    plan: (target) => planOf(agent, target, environment),
    connect: (plan) => connect(agent, plan, environment),
    status: (place) => connectionStatus(agent, place, environment),
    refresh: (place) => refresh(agent, place, environment),
    isProven: (session) => isProven(environment.hookFolder, agent.id, session),
    disconnect: ({ scope, folder }) =>
      disconnect(agent, agent.settingsPath(scope, folder, environment), scope, environment),
    disconnectFrom: (file) => disconnect(agent, file, agent.scopes[0], environment),
    test: () => testHook({ ...agent, command: sampleCommand(agent, environment.hookFolder) }, environment),
  };
}

function sampleCommand({ entries, sample, layout }: HookAgent, hookFolder: string): string {
  const line = entries(hookFolder).find(({ event }) => event === sample.event)?.command[layout.commandKey];
  return typeof line === 'string' ? line : '';
}

async function connect(
  agent: HookAgent,
  plan: ConnectPlan,
  environment: HookBridgeEnvironment,
): Promise<Result<ConnectionStatus, BridgeFailure>> {
  const { hookFolder, now } = environment;
  const draft = await planDraftOf(agent, plan.target, environment);
  if (!draft.ok) return draft;
  const { file, record, base, added } = draft.value;
  if (file.path !== plan.file || file.text !== plan.before || added.text !== plan.after)
    return fail(changedSince(plan));

  const installed = await installInto(plan.roots, environment, 'hook');
  if (!installed.ok) return installed;
  const changes = added.text !== file.text;
  try {
    const createdFolder = !(await exists(dirname(file.path))) || (base.text === null && record?.createdFolder === true);
    await writeRecord(hookFolder, {
      v: 1,
      agent: agent.id,
      file: file.path,
      connectedAt: changes || !record ? now() : record.connectedAt,
      roots: [...new Set([...(record?.roots ?? []), ...plan.roots])],
      digest: digestOf(added.text),
      entries: digestOf(textOfEntries(agent.entries(hookFolder, environment.gateWait?.()))),
      spans: added.spans.map(([offset, length]) => [offset, length]),
      kept: { hooks: added.kept.hooks, events: [...added.kept.events] },
      createdFile: base.text === null,
      createdFolder,
    });
  } catch (error) {
    return fail(fileFailure(error, 'write to', hookFolder));
  }
  if (changes) {
    await forgetProofs(hookFolder, { agent: agent.id });
    // The agent itself writes this file, too, for example when its user allows a command. Another window writes the same as this one.
    const current = await readSettingsFile(file.path, plan.target.scope);
    const isExpected = current.ok && [file.text, added.text].includes(current.value.text);
    const written = isExpected ? await writeSettings(file.path, added.text) : fail(changedSince(plan));
    if (!written.ok) {
      // The record describes what would have been written, but the file is as it was before.
      if (record) await writeRecord(hookFolder, record).catch(() => undefined);
      else await removeRecord(hookFolder, file.path);
      return written;
    }
  }
  return ok(await connectionStatus(agent, plan.target, environment));
}

function changedSince({ file }: ConnectPlan): BridgeFailure {
  const message = `${file} has changed in the meantime. Review the change again.`;
  return { code: 'changed', message, file };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function refresh(
  agent: HookAgent,
  place: BridgePlace,
  environment: HookBridgeEnvironment,
): Promise<ConnectionStatus> {
  const before = await connectionStatus(agent, place, environment);
  if (before.scope === null || before.state === 'unreadable') return before;
  const roots = before.scope === 'user' ? place.workspaceFolders : inboxRoots(place.workspaceFolders, place.folder);
  await installInto(roots, environment, 'hook');
  await forgetProofs(environment.hookFolder, { before: environment.now() });
  const file = await readSettingsFile(before.file, before.scope);
  const record = file.ok ? await readRecord(environment.hookFolder, file.value.path) : null;
  if (record) await addRoots(record, roots, environment.hookFolder);
  const status = await connectionStatus(agent, place, environment);
  if (status.state !== 'changed' || !file.ok || !isUntouched(agent, file.value.text, record)) return status;
  return renew(agent, { ...place, scope: before.scope }, status, environment);
}

/** Returns whether an earlier version wrote these entries, and they have not been changed since. */
function isUntouched(agent: HookAgent, text: string | null, record: ConnectionRecord | null): boolean {
  if (text === null || !record) return false;
  if (record.digest === digestOf(text)) return true;
  const ours = oursIn(hooksOf(text, agent.layout) ?? [], agent.layout);
  return record.entries !== undefined && record.entries === digestOf(textOfEntries(ours));
}

/** Replaces what an earlier version wrote with what this one would write. If that is not possible, the status describes what is there. */
async function renew(
  agent: HookAgent,
  target: ConnectTarget,
  status: ConnectionStatus,
  environment: HookBridgeEnvironment,
): Promise<ConnectionStatus> {
  const plan = await planOf(agent, target, environment);
  const renewed = plan.ok ? await connect(agent, plan.value, environment) : plan;
  return renewed.ok ? renewed.value : status;
}

async function disconnect(
  agent: HookAgent,
  path: string,
  scope: ConnectScope,
  environment: HookBridgeEnvironment,
): Promise<Result<Disconnected, BridgeFailure>> {
  const { hookFolder } = environment;
  const file = await readSettingsFile(path, scope);
  if (!file.ok) return file;
  const real = file.value.path;
  const record = await readRecord(hookFolder, real);
  const base = baseOf(file.value.text, record, agent);
  if (!base) {
    const message = `${path} is not valid JSON, so it was not changed. Remove the entries that end in "# unstuck" by hand.`;
    return fail({ code: 'invalid_json', message, file: path });
  }
  if (base.had) {
    const done =
      base.text === null
        ? await removeSettings(real, record?.createdFolder === true)
        : await writeSettings(real, base.text);
    if (!done.ok) return done;
  }
  await removeRecord(hookFolder, real);
  await forgetRoots(record?.roots ?? [], hookFolder);
  return ok({ file: real, changed: base.had });
}
