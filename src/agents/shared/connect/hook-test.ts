import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetProofs, forgetRoot, type HookTest, hookState, markOf, recordRoot, sendMessage } from '../../inbox';
import type { Ran } from './bridge-process';
import type { AgentId } from '../../../core/model';
import { fieldsOf, parseJson } from '../../../base/util/json';
import type { HookBridgeEnvironment, HookSample } from './hook-agent';

/** Milliseconds that the agents themselves allow the hook. */
const TIMEOUT = 5_000;
const WORDS = 'This is a test of the connection.';
/** The fields of answers that contain text. */
const WORDS_IN = [
  'additionalContext',
  'contextModification',
  'additional_context',
  'context',
  'permissionDecisionReason',
] as const;

export interface HookCallee {
  readonly id: AgentId;
  readonly sample: HookSample;
  /** The command line with which the agent runs the hook of the sample's event. */
  readonly command: string;
}

/** Calls the installed hook as the agent does, with a recorded event and a separate inbox that holds one message. */
export async function testHook(agent: HookCallee, environment: HookBridgeEnvironment): Promise<HookTest> {
  const { hookFolder, now } = environment;
  const name = `test-${randomBytes(8).toString('hex')}`;
  const root = join(hookFolder, name);
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const recorded = await recordRoot(hookFolder, root);
    if (!recorded.ok) return failed(recorded.error.message);
    const draft = { session: name, agent: agent.id, kind: 'nudge', text: WORDS, automated: true } as const;
    const sent = await sendMessage(root, draft, now());
    if (!sent.ok) return failed(sent.error.message);
    const ran = await callHook(agent, environment, root, name);
    const answer = answerIn(ran);
    if (!answer.includes(`${WORDS} ${markOf(sent.value.message.id)}`))
      return failed(await reasonOf(environment, ran), answer);
    return {
      passed: true,
      answer,
      message: `Tested: the hook answered in ${Math.max(1, Math.round(ran.milliseconds))} ms`,
    };
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'The test could not be run.');
  } finally {
    await forgetRoot(hookFolder, root);
    // We called it, not the agent.
    await forgetProofs(hookFolder, { agent: agent.id });
    await rm(root, { recursive: true, force: true }).catch(() => undefined);
  }
}

function callHook(agent: HookCallee, environment: HookBridgeEnvironment, root: string, session: string): Promise<Ran> {
  const { env, home, processes } = environment;
  const { sample, command } = agent;
  return processes.shell(command, {
    cwd: root,
    env: { PATH: env['PATH'] ?? '/usr/bin:/bin', HOME: home, ...sample.env(session, root) },
    input: JSON.stringify(sample.payload(session, root)),
    timeout: TIMEOUT,
  });
}

function answerIn(ran: Ran): string {
  const given = fieldsOf(parseJson(ran.stdout));
  const words = { ...given, ...fieldsOf(given['hookSpecificOutput']) };
  return WORDS_IN.map((name) => words[name]).find((text) => typeof text === 'string') ?? '';
}

async function reasonOf({ hookFolder }: HookBridgeEnvironment, ran: Ran): Promise<string> {
  if (ran.code === null)
    return 'The hook could not be run or did not end. It needs a POSIX shell (sh) on this machine.';
  switch (await hookState(hookFolder)) {
    case 'missing':
      return 'The hook is not installed. Connect again.';
    case 'runtime_missing':
      return 'The hook found no JavaScript runtime. Reload the window, or install Node.js, and connect again.';
    case 'ready':
      return `The hook did not answer. ${join(hookFolder, 'hook.log')} says why.`;
  }
}

function failed(message: string, answer = ''): HookTest {
  return { passed: false, answer, message };
}
