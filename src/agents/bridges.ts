import type { Bridge, HookFiles } from '../inbox';
import type { AgentId } from '../model';
import { createClaudeBridge } from './claude-code/bridge';
import { systemProcesses } from './claude-code/bridge-process';

export interface BridgesEnvironment {
  /** Folder of the extension's own storage in which the hook lives, under a path that survives updates. */
  readonly hookFolder: string;
  readonly hookFiles: () => Promise<HookFiles>;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Seconds that a hook may wait for the quality gates. */
  readonly gateWait?: () => number;
}

/** All ways by which messages reach agents: the only list, beside registry.ts. */
export function createBridges(environment: BridgesEnvironment): ReadonlyMap<AgentId, Bridge> {
  const bridges: readonly Bridge[] = [createClaudeBridge({ ...environment, processes: systemProcesses })];
  return new Map(bridges.map((bridge) => [bridge.agent, bridge]));
}
