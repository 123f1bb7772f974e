import { join } from 'node:path';
import type { Bridge } from '../inbox';
import type { HookBridgeEnvironment } from '../shared/connect/hook-agent';
import { type PluginAgent, pluginHead, pluginUrl } from '../shared/connect/plugin-agent';
import { createPluginBridge } from '../shared/connect/plugin-bridge';
import type { PiApi, PiContext } from './bridge-extension';
import { piFolder } from './folder';

/** Delivers messages to pi through an extension file of our own. */
export function createPiBridge(environment: HookBridgeEnvironment): Bridge {
  return createPluginBridge(piExtension, environment);
}

type Loaded = { readonly default?: (pi: PiApi) => Promise<void> };

export const piExtension: PluginAgent = {
  agent: 'pi',
  name: 'pi',
  file: (home, env) => join(piFolder(home, env), 'extensions', 'unstuck.js'),
  text: (hookFolder) =>
    [
      pluginHead('pi'),
      'export default async (pi) => {',
      '  let connectPi;',
      '  try {',
      `    ({ connectPi } = await import(${pluginUrl(hookFolder)}));`,
      '  } catch {}',
      `  connectPi?.(pi, ${JSON.stringify(hookFolder)});`,
      '};',
      '',
    ].join('\n'),
  remarks: {
    sessions:
      'pi loads extensions when it starts: in a running session type /reload, or end it and continue with pi --continue.',
    printRuns: 'A session of pi -p cannot be woken after its turn has ended.',
  },
  async play(loaded, { session, folder, deliver }) {
    const handlers = new Map<string, (event: unknown, context: PiContext) => unknown>();
    await (loaded as Loaded).default?.({
      on: (event, handler) => void handlers.set(event, handler),
      sendUserMessage: deliver,
      sendMessage: () => undefined,
    });
    const call = handlers.get('tool_result');
    if (!call) return null;
    const context: PiContext = {
      cwd: folder,
      hasUI: false,
      sessionManager: { getSessionId: () => session },
      isIdle: () => false,
      abort: () => undefined,
    };
    return () => Promise.resolve(call({ toolName: 'bash' }, context));
  },
};
