import {
  type BridgePlace,
  type ConnectionState,
  type ConnectionStatus,
  type ConnectScope,
  hookState,
} from '../../inbox';
import { readRecord } from './connection-record';
import type { HookAgent, HookBridgeEnvironment } from './hook-agent';
import { areAsWritten, oursIn } from './hook-entries';
import { type FoundHook, hooksOf, isReadable } from './hook-settings';
import { readSettingsFile } from './settings-file';

/** Entries of Unstuck found in a file. */
interface Written {
  readonly scope: ConnectScope;
  /** The file's path as the agent names it, and its real path. */
  readonly path: string;
  readonly real: string;
  readonly ours: readonly FoundHook[];
}

/** Returns the connection of the agent in a folder: that of the first scope with entries of Unstuck. */
export async function connectionStatus(
  agent: HookAgent,
  place: BridgePlace,
  environment: HookBridgeEnvironment,
): Promise<ConnectionStatus> {
  let unreadable: ConnectionStatus | null = null;
  for (const scope of agent.scopes) {
    const path = agent.settingsPath(scope, place.folder, environment);
    const file = await readSettingsFile(path, scope);
    const found = file.ok && file.value.text !== null ? hooksOf(file.value.text, agent.layout) : [];
    if (!file.ok || found === null) {
      const message = file.ok ? `${path} is not valid JSON.` : file.error.message;
      unreadable ??= { state: 'unreadable', message, scope, file: path, connectedAt: null };
      continue;
    }
    const ours = oursIn(found, agent.layout);
    if (ours.length > 0 && file.value.text !== null && !isReadable(file.value.text, agent.layout)) {
      const message = `${path} has a comment or a trailing comma, so ${agent.name} ignores the file and its hooks do not run. Remove it.`;
      unreadable ??= { state: 'unreadable', message, scope, file: path, connectedAt: null };
    } else if (ours.length > 0)
      return statusOfWritten(agent, place, { scope, path, real: file.value.path, ours }, environment);
  }
  const file = agent.settingsPath(agent.scopes[0], place.folder, environment);
  return unreadable ?? { state: 'not_connected', message: 'Not connected.', scope: null, file, connectedAt: null };
}

async function statusOfWritten(
  agent: HookAgent,
  place: BridgePlace,
  { scope, path, real, ours }: Written,
  environment: HookBridgeEnvironment,
): Promise<ConnectionStatus> {
  const { hookFolder } = environment;
  const connectedAt = (await readRecord(hookFolder, real))?.connectedAt ?? null;
  const said = (state: ConnectionState, message: string): ConnectionStatus => ({
    state,
    scope,
    file: path,
    connectedAt,
    message,
  });
  if (!areAsWritten(ours, agent.entries(hookFolder, environment.gateWait?.()))) {
    return said('changed', `Our entries in ${path} were changed by hand. Connect again to restore them.`);
  }
  const off = await agent.switchedOff(place.folder, environment);
  if (off !== null) return said('switched_off', off);
  switch (await hookState(hookFolder)) {
    case 'missing':
      return said('hook_missing', 'The hook is no longer installed. Connect again.');
    case 'runtime_missing':
      return said('runtime_missing', 'The hook can no longer find a JavaScript runtime. Connect again.');
    case 'ready': {
      const step = await agent.untrusted?.(path, ours, environment);
      if (typeof step === 'string') return said('not_trusted', step);
      return said('connected', `Connected by ${path}.`);
    }
  }
}
