import { randomUUID } from 'node:crypto';
import { registry } from '../registry';
import type { SupervisedProcess } from './agent-process';
import type { Channel } from './channel';
import { ClaudeStreamChannel, isClaudeStream } from './claude-stream-channel';
import { CodexServerChannel, isCodexServer } from './codex-server-channel';
import type { StartCommand, SuperviseOptions } from './options';
import { PlainChannel } from './plain-channel';

/** The channel for a program that was just started: by its own protocol if it speaks one that we know. */
export function chooseChannel(running: SupervisedProcess, start: StartCommand, options: SuperviseOptions): Channel {
  const { agent, folder, command, args = [] } = options;
  const { stdin, pid } = running.child;
  const write = (line: string) => {
    if (!stdin || stdin.writableEnded || stdin.destroyed) return false;
    stdin.write(`${line}\n`);
    return true;
  };
  if (agent === 'claude-code' && isClaudeStream(start.argv))
    return new ClaudeStreamChannel(start.argv, write, start.session);
  if (agent === 'codex' && isCodexServer(start.argv)) return new CodexServerChannel(folder, write);
  return new PlainChannel({
    agent,
    command,
    folder,
    args,
    registered: () => (pid === undefined ? undefined : registeredSession(pid, options)),
    newId: randomUUID,
    ...(start.session !== undefined && { session: start.session }),
  });
}

/** The session that the agent's own registry names for a process. */
function registeredSession(pid: number, { agent, environment, probe }: SuperviseOptions): string | undefined {
  const adapter = registry.find((one) => one.id === agent);
  for (const [session, { pid: owner, alive }] of adapter?.liveness?.(environment, probe) ?? [])
    if (alive && owner !== undefined && isOf(owner, pid, probe)) return session;
  return undefined;
}

/**
 * Returns whether this process is the one that was started, or a child of it. Many agents are small launchers that start the
 * real program.
 */
function isOf(owner: number, pid: number, probe: SuperviseOptions['probe']): boolean {
  let one: number | undefined = owner;
  for (let generation = 0; one !== undefined && one > 1 && generation < 4; generation++) {
    if (one === pid) return true;
    const status = probe.read(`/proc/${one}/stat`);
    const parent = status?.slice(status.lastIndexOf(')') + 2).split(' ')[1];
    one = parent === undefined ? undefined : Number(parent);
  }
  return false;
}
