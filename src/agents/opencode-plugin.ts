import { createPluginHooks, type PluginContext, type PluginHooks } from './opencode/bridge-plugin';

/** What the file among the user's plugins of OpenCode loads; it lies in the extension's storage, and is brought up to date there. */
export function connect(context: PluginContext, hookFolder: string): PluginHooks {
  return createPluginHooks(context, hookFolder, { now: () => Date.now(), argv: process.argv });
}
