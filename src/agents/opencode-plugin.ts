import type { AgentId } from '../core/model';
import { createPluginHooks, type PluginContext, type PluginHooks } from './opencode/bridge-plugin';
import { extendPi, type PiApi } from './pi/bridge-extension';

/**
 * Loads Unstuck into OpenCode, or into a program of its family. The file among the user's plugins imports it; this module is in the extension's
 * storage, and is updated there.
 */
export function connect(context: PluginContext, hookFolder: string, agent: AgentId = 'opencode'): PluginHooks {
  return createPluginHooks(context, hookFolder, { agent, now: () => Date.now(), argv: process.argv });
}

/** Loads Unstuck into pi in the same way. */
export function connectPi(pi: PiApi, hookFolder: string): void {
  extendPi(pi, hookFolder, () => Date.now());
}
