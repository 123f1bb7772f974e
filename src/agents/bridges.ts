import type { Bridge, HookFiles } from './inbox';
import type { AgentId } from '../core/model';
import { claudeCode } from './claude-code/bridge';
import { clineHook } from './cline/bridge';
import { codex } from './codex/bridge';
import { copilotCli } from './copilot/bridge';
import { crush } from './crush/bridge';
import { cursor } from './cursor/bridge';
import { droid } from './droid/bridge';
import { geminiCli } from './gemini/bridge';
import { grokBuild } from './grok-build/bridge';
import { qwenCode } from './qwen/bridge';
import { vscodeChat } from './vscode-chat/bridge';
import { pluginOf } from './opencode/bridge';
import { piExtension } from './pi/bridge';
import { KILO, OPENCODE } from './opencode/program';
import type { HookAgent } from './shared/connect/hook-agent';
import { createHookBridge } from './shared/connect/hook-bridge';
import type { PluginAgent } from './shared/connect/plugin-agent';
import { createPluginBridge } from './shared/connect/plugin-bridge';
import { systemBridgeProcesses } from './shared/connect/bridge-process';

export interface BridgesEnvironment {
  /** Folder in the extension's own storage for the hook, at a path that survives updates. */
  readonly hookFolder: string;
  readonly hookFiles: () => Promise<HookFiles>;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Folder of the settings that an organisation made for Claude Code; absent: the platform's own. */
  readonly managedSettings?: string;
  /** Seconds that a hook may wait for the quality gates. */
  readonly gateWait?: () => number;
}

/** Creates every bridge that carries messages to agents. */
export function createBridges(environment: BridgesEnvironment): ReadonlyMap<AgentId, Bridge> {
  const machine = { ...environment, processes: systemBridgeProcesses };
  const hooks = (agent: HookAgent): Bridge => createHookBridge(agent, machine);
  const plugin = (program: PluginAgent): Bridge => createPluginBridge(program, machine);
  const bridges: readonly Bridge[] = [
    hooks(claudeCode),
    hooks(codex),
    hooks(geminiCli),
    hooks(copilotCli),
    hooks(vscodeChat),
    hooks(qwenCode),
    plugin(pluginOf(OPENCODE)),
    plugin(pluginOf(KILO)),
    plugin(piExtension),
    plugin(clineHook),
    hooks(droid),
    hooks(grokBuild),
    hooks(crush),
    hooks(cursor),
  ];
  return new Map(bridges.map((bridge) => [bridge.agent, bridge]));
}
