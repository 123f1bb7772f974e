import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBridges } from '../../../../src/agents/bridges';
import type { MessageDraft } from '../../../../src/agents/inbox';
import { sendMessage } from '../../../../src/agents/inbox';
import type { AgentId } from '../../../../src/core/model';
import { hookBundle, hookScript, type Stage } from '../inbox/hook-kit';

/** A payload as the agent wrote it, with its paths changed to those of a made-up user. */
export interface Recorded {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Recorded from Codex 0.169.0, Gemini CLI 0.61.0 and Copilot CLI 1.0.102. */
export function recorded(agent: AgentId): readonly Recorded[] {
  const lines = readFileSync(join(__dirname, 'fixtures', `${agent}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Recorded);
}

/** The session that a payload names first. */
export function sessionOf({ payload }: Recorded): string {
  return String(payload['agentId'] ?? payload['session_id'] ?? payload['sessionId']);
}

export async function send(
  at: Stage,
  agent: AgentId,
  session: string,
  more: Partial<MessageDraft> = {},
): Promise<string> {
  const draft = {
    session,
    agent,
    kind: 'nudge',
    text: 'Read the error first.',
    automated: true,
    ...more,
  } as MessageDraft;
  const sent = await sendMessage(at.project, draft, Date.now());
  if (!sent.ok) throw new Error(sent.error.message);
  return sent.value.message.id;
}

/** Calls the installed hook as the agent does, in the project of the stage. Returns its answer; null if there is none. */
export function call(
  at: Stage,
  agent: AgentId,
  { event, payload }: Recorded,
  env: Record<string, string> = {},
): unknown {
  const ran = spawnSync('sh', [join(at.hook, 'hook.sh'), agent, event], {
    cwd: at.project,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    input: JSON.stringify({ ...payload, cwd: at.project }),
    encoding: 'utf8',
  });
  if (ran.status !== 0 || ran.stderr !== '') throw new Error(`ended with ${String(ran.status)}: ${ran.stderr}`);
  return ran.stdout === '' ? null : JSON.parse(ran.stdout);
}

/** The bridge of an agent to a home folder with these files, and the place that it is to connect. */
export function connectable(path: string, agent: AgentId, files: Readonly<Record<string, string>> = {}) {
  const [home, project] = [join(path, 'home'), join(path, 'shop')];
  mkdirSync(project, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(home, name, '..'), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const bridge = createBridges({
    home,
    env: { PATH: process.env['PATH'] },
    hookFolder: join(path, 'storage/hook'),
    hookFiles: () => Promise.resolve({ script: hookScript, bundle: hookBundle(), runtimes: [process.execPath] }),
    now: () => Date.now(),
  }).get(agent);
  if (!bridge) throw new Error(`${agent} has no bridge`);
  return { bridge, target: { folder: project, workspaceFolders: [project], scope: 'user' } as const };
}
