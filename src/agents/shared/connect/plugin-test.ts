import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { forgetRoot, type HookTest, markOf, recordRoot, sendMessage } from '../../inbox';
import { fieldsOf } from '../../../base/util/json';
import type { HookBridgeEnvironment } from './hook-agent';
import type { PluginAgent } from './plugin-agent';

const WORDS = 'This is a test of the connection.';

/** A session of the test. */
export interface PluginScene {
  readonly session: string;
  readonly folder: string;
  /** Takes the texts that reach the agent. */
  readonly deliver: (text: string) => void;
}

/** Calls what the file exports, as the agent does. Returns one step of the agent at which a message is delivered; null if nothing was loaded. */
type Play = (loaded: unknown, scene: PluginScene) => Promise<(() => Promise<unknown>) | null>;

/**
 * Loads the file that the agent loads, and calls it as the agent does after a tool has run, with a separate inbox: first with nothing waiting, then
 * with one message.
 */
export async function testPlugin(
  { agent, file }: Pick<PluginAgent, 'agent' | 'file'>,
  { hookFolder, home, env, now }: HookBridgeEnvironment,
  play: Play,
): Promise<HookTest> {
  const session = `test-${randomBytes(8).toString('hex')}`;
  const folder = join(hookFolder, session);
  let given = '';
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const recorded = await recordRoot(hookFolder, folder);
    if (!recorded.ok) return failed(recorded.error.message);
    // Another name each time: a module that was loaded once is not loaded again.
    const url = `${pathToFileURL(file(home, env)).href}?test=${session}`;
    const deliver = (text: string): void => void (given = text);
    const call = await play(await import(url), { session, folder, deliver });
    if (!call) return failed('The plugin is not installed. Connect again.');
    await call();
    if (given !== '') return failed('The plugin delivered something that was not sent.', given);
    const draft = { session, agent, kind: 'nudge', text: WORDS, automated: true } as const;
    const sent = await sendMessage(folder, draft, now());
    if (!sent.ok) return failed(sent.error.message);
    const began = performance.now();
    await call();
    const milliseconds = performance.now() - began;
    if (given !== `${WORDS} ${markOf(sent.value.message.id)}`) {
      return failed(`The plugin did not answer. ${join(hookFolder, 'hook.log')} says why.`, given);
    }
    const message = `Tested: the plugin answered in ${Math.max(1, Math.round(milliseconds))} ms`;
    return { passed: true, answer: given, message };
  } catch (error) {
    const why = fieldsOf(error)['message'];
    return failed(typeof why === 'string' ? why : 'The test could not be run.', given);
  } finally {
    await forgetRoot(hookFolder, folder);
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function failed(message: string, answer = ''): HookTest {
  return { passed: false, answer, message };
}
