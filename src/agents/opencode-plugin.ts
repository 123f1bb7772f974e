import { createPluginHooks, type PluginContext, type PluginHooks } from './opencode/bridge-plugin';

/**
 * Loads Unstuck into OpenCode. The file among the user's plugins imports it; it lies in the extension's storage, and is updated
 * there.
 */
export function connect(context: PluginContext, hookFolder: string): PluginHooks {
  return createPluginHooks(context, hookFolder, { now: () => Date.now(), argv: process.argv });
}
