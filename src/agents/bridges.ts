import type { Bridge, HookFiles } from '../inbox';
import type { AgentId } from '../model';
import { createClaudeBridge } from './claude-code/bridge';
import { createCodexBridge } from './codex/bridge';
import { createCopilotBridge } from './copilot/bridge';
import { createGeminiBridge } from './gemini/bridge';
import { createOpencodeBridge } from './opencode/bridge';
import { descriptors } from './registry';
import { systemProcesses } from './shared/connect/bridge-process';

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

/**
 * Agents whose hook waits, at the end of a run without a person, for the verdict of the quality gates. OpenCode's plugin cannot: OpenCode
 * waits for nothing once a turn has ended, and before that nobody can tell whether it ends.
 */
export const HOLDS_FOR_GATES: ReadonlySet<AgentId> = new Set(
  descriptors.filter(({ holdsForGates }) => holdsForGates).map(({ id }) => id),
);

/** All ways by which messages reach agents. */
export function createBridges(environment: BridgesEnvironment): ReadonlyMap<AgentId, Bridge> {
  const machine = { ...environment, processes: systemProcesses };
  const bridges: readonly Bridge[] = [
    createClaudeBridge(machine),
    createCodexBridge(machine),
    createGeminiBridge(machine),
    createCopilotBridge(machine),
    createOpencodeBridge(machine),
  ];
  return new Map(bridges.map((bridge) => [bridge.agent, bridge]));
}
