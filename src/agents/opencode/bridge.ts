import { join } from 'node:path';
import { PLUGIN, type PluginAgent, pluginHead, pluginUrl } from '../shared/connect/plugin-agent';
import { type PluginScene, testPlugin } from '../shared/connect/plugin-test';
import type { PluginContext, PluginHooks } from './bridge-plugin';
import { OPENCODE, type OpencodeProgram } from './program';

type Loaded = { readonly Unstuck?: (context: PluginContext) => Promise<Partial<PluginHooks>> };

/** Returns the plugin of a program of the family: a file in a folder of the user's own settings. */
export function pluginOf({ agent, name, program, wakesIdle }: OpencodeProgram): PluginAgent {
  const plugin: PluginAgent = {
    ...PLUGIN,
    abilities: { ...PLUGIN.abilities, wakesIdle },
    agent,
    name,
    file: (home, env) => join(env['XDG_CONFIG_HOME'] || join(home, '.config'), program, 'plugin', 'unstuck.js'),
    text(hookFolder) {
      const given = [hookFolder, ...(agent === OPENCODE.agent ? [] : [agent])].map((one) => JSON.stringify(one));
      return [
        pluginHead(name),
        'let connect;',
        'try {',
        `  ({ connect } = await import(${pluginUrl(hookFolder)}));`,
        '} catch {}',
        `export const Unstuck = async (context) => (connect ? connect(context, ${given.join(', ')}) : {});`,
        '',
      ].join('\n');
    },
    remarks: {
      sessions: [
        `${name} loads plugins when it starts, so running sessions cannot take messages. End ${name} and continue with ${program} --continue.`,
        `After that, a message arrives at the next tool call or answer${wakesIdle ? ', and wakes a session whose turn has ended' : ''}.`,
      ],
      rest: [
        wakesIdle
          ? `A session of ${program} run cannot be woken after its turn has ended.`
          : `${name} cannot be woken after its turn has ended: the message waits for your next prompt.`,
      ],
    },
    test: (environment) => testPlugin(plugin, environment, play),
  };
  return plugin;
}

async function play(
  loaded: unknown,
  { session, folder, deliver }: PluginScene,
): Promise<(() => Promise<unknown>) | null> {
  const running: { hooks?: Partial<PluginHooks> } = {};
  // A prompt makes the session one of this process and raises its event, as in the program.
  const prompted = () => running.hooks?.['chat.message']?.({ sessionID: session }, { message: { agent: 'build' } });
  const prompt = async (options: { body: { parts: readonly { text: string }[] } }): Promise<unknown> => {
    deliver(options.body.parts[0]?.text ?? '');
    await prompted();
    return {};
  };
  const client = { session: { promptAsync: prompt, prompt, abort: () => Promise.resolve({}) } };
  running.hooks = (await (loaded as Loaded).Unstuck?.({ client, directory: folder })) ?? {};
  const call = running.hooks['tool.execute.after'];
  if (!call) return null;
  await prompted();
  return () => call({ tool: 'bash', sessionID: session, callID: 'call_test', args: {} }, { output: 's0' });
}
