import type { Bridge } from './inbox';
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
import type { HookAgent, HookBridgeEnvironment } from './shared/connect/hook-agent';
import { createHookBridge } from './shared/connect/hook-bridge';
import type { PluginAgent } from './shared/connect/plugin-agent';
import { createPluginBridge } from './shared/connect/plugin-bridge';
import { systemBridgeProcesses } from './shared/connect/bridge-process';

/** Creates every bridge that carries messages to agents. */
export function createBridges(environment: Omit<HookBridgeEnvironment, 'processes'>): ReadonlyMap<AgentId, Bridge> {
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
