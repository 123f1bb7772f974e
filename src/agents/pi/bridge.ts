import { join } from 'node:path';
import { PLUGIN, type PluginAgent, pluginHead, pluginUrl } from '../shared/connect/plugin-agent';
import { type PluginScene, testPlugin } from '../shared/connect/plugin-test';
import type { PiApi, PiContext } from './bridge-extension';
import { piFolder } from './folder';

type Loaded = { readonly default?: (pi: PiApi) => Promise<void> };

/** Delivers messages to pi through our own extension file. */
export const piExtension: PluginAgent = {
  ...PLUGIN,
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
    sessions: [
      'pi loads extensions when it starts: in a running session type /reload, or end it and continue with pi --continue.',
      'After that, a message arrives at the next tool call or answer, and wakes a session whose turn has ended.',
    ],
    rest: ['A session of pi -p cannot be woken after its turn has ended.'],
  },
  test: (environment) => testPlugin(piExtension, environment, play),
};

async function play(
  loaded: unknown,
  { session, folder, deliver }: PluginScene,
): Promise<(() => Promise<unknown>) | null> {
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
}
