import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { forgetRoot, type HookTest, markOf, recordRoot, sendMessage } from '../inbox';
import { fieldsOf } from '../../base/util/json';
import type { HookBridgeEnvironment } from '../shared/connect/hook-agent';
import { pluginFile } from './bridge-file';
import type { PluginContext, PluginHooks } from './bridge-plugin';
import type { OpencodeProgram } from './program';

const WORDS = 'This is a test of the connection.';

type Loaded = { readonly Unstuck?: (context: PluginContext) => Promise<Partial<PluginHooks>> };

/**
 * Loads the file that the program loads, and calls it as the program does after a tool has run, with an inbox of its own: first with nothing
 * waiting, then with one message. In the place of its client stands one that keeps what it is given.
 */
export async function testPlugin(
  environment: HookBridgeEnvironment & { readonly program: OpencodeProgram },
): Promise<HookTest> {
  const { hookFolder, home, env, now, program } = environment;
  const session = `test-${randomBytes(8).toString('hex')}`;
  const root = join(hookFolder, session);
  let given = '';
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const recorded = await recordRoot(hookFolder, root);
    if (!recorded.ok) return failed(recorded.error.message);
    // Another name each time: what was loaded once is loaded no more.
    const url = `${pathToFileURL(pluginFile(program, home, env)).href}?test=${session}`;
    const { Unstuck } = (await import(url)) as Loaded;
    const loaded: { hooks?: Partial<PluginHooks> } = {};
    // A prompt makes the session one of this process and raises its event, as in the program.
    const prompted = () => loaded.hooks?.['chat.message']?.({ sessionID: session }, { message: { agent: 'build' } });
    const prompt = async (options: { body: { parts: readonly { text: string }[] } }): Promise<unknown> => {
      given = options.body.parts[0]?.text ?? '';
      await prompted();
      return {};
    };
    const client = { session: { promptAsync: prompt, prompt, abort: () => Promise.resolve({}) } };
    if (Unstuck) loaded.hooks = await Unstuck({ client, directory: root });
    const call = loaded.hooks?.['tool.execute.after'];
    if (!call) return failed('The plugin is not installed. Connect again.');
    await prompted();
    const step = async (): Promise<number> => {
      const began = performance.now();
      await call({ tool: 'bash', sessionID: session, callID: 'call_test', args: {} }, { output: 's0' });
      return performance.now() - began;
    };
    const idleMilliseconds = await step();
    if (given !== '') return failed('The plugin delivered something that was not sent.', given);
    const draft = { session, agent: program.agent, kind: 'nudge', text: WORDS, automated: true } as const;
    const sent = await sendMessage(root, draft, now());
    if (!sent.ok) return failed(sent.error.message);
    const milliseconds = await step();
    if (given !== `${WORDS} ${markOf(sent.value.message.id)}`) {
      return failed(`The plugin did not answer. ${join(hookFolder, 'hook.log')} says why.`, given);
    }
    const message = `Tested: the plugin answered in ${Math.max(1, Math.round(milliseconds))} ms`;
    return { passed: true, answer: given, milliseconds, idleMilliseconds, message };
  } catch (error) {
    const why = fieldsOf(error)['message'];
    return failed(typeof why === 'string' ? why : 'The test could not be run.', given);
  } finally {
    await forgetRoot(hookFolder, root);
    await rm(root, { recursive: true, force: true }).catch(() => undefined);
  }
}

function failed(message: string, answer = ''): HookTest {
  return { passed: false, answer, milliseconds: 0, idleMilliseconds: 0, message };
}
