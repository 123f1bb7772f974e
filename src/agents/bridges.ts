import type { Bridge, HookFiles } from './inbox';
import type { AgentId } from '../core/model';
import { createClaudeBridge } from './claude-code/bridge';
import { createClineBridge } from './cline/bridge';
import { createCodexBridge } from './codex/bridge';
import { createCopilotBridge } from './copilot/bridge';
import { createCrushBridge } from './crush/bridge';
import { createCursorBridge } from './cursor/bridge';
import { createDroidBridge } from './droid/bridge';
import { createGeminiBridge } from './gemini/bridge';
import { createGrokBridge } from './grok-build/bridge';
import { createQwenBridge } from './qwen/bridge';
import { createVscodeChatBridge } from './vscode-chat/bridge';
import { createOpencodeBridge } from './opencode/bridge';
import { createPiBridge } from './pi/bridge';
import { KILO, OPENCODE } from './opencode/program';
import { systemBridgeProcesses } from './shared/connect/bridge-process';

export interface BridgesEnvironment {
  /** Folder of the extension's own storage in which the hook lives, under a path that survives updates. */
  readonly hookFolder: string;
  readonly hookFiles: () => Promise<HookFiles>;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Folder of the settings that an organisation made for Claude Code; that of the platform where absent. */
  readonly managedSettings?: string;
  /** Seconds that a hook may wait for the quality gates. */
  readonly gateWait?: () => number;
}

/** All ways by which messages reach agents. */
export function createBridges(environment: BridgesEnvironment): ReadonlyMap<AgentId, Bridge> {
  const machine = { ...environment, processes: systemBridgeProcesses };
  const bridges: readonly Bridge[] = [
    createClaudeBridge(machine),
    createCodexBridge(machine),
    createGeminiBridge(machine),
    createCopilotBridge(machine),
    createVscodeChatBridge(machine),
    createQwenBridge(machine),
    createOpencodeBridge(OPENCODE, machine),
    createOpencodeBridge(KILO, machine),
    createPiBridge(machine),
    createClineBridge(machine),
    createDroidBridge(machine),
    createGrokBridge(machine),
    createCrushBridge(machine),
    createCursorBridge(machine),
  ];
  return new Map(bridges.map((bridge) => [bridge.agent, bridge]));
}
