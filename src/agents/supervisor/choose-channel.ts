import { randomUUID } from 'node:crypto';
import { registry } from '../registry';
import type { SupervisedProcess } from './agent-process';
import type { Channel } from './channel';
import { ClaudeStreamChannel, isClaudeStream } from './claude-stream-channel';
import { CodexServerChannel, isCodexServer } from './codex-server-channel';
import type { StartCommand, SuperviseOptions } from './options';
import { PlainChannel } from './plain-channel';

/** Returns the channel for a program that was just started: one for its own protocol if it speaks one that we know. */
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
    registered: () => (pid === undefined ? [] : registeredSessions(pid, options)),
    running: () => (options.probe.read(`/proc/${pid}/cmdline`) ?? '').split('\0'),
    read: options.probe.read,
    newId: randomUUID,
    ...(start.session !== undefined && { session: start.session }),
  });
}

/** Returns the live sessions that the agent's own registry lists for a process and its descendants. */
function registeredSessions(pid: number, { agent, environment, probe }: SuperviseOptions): readonly string[] {
  const adapter = registry.find((one) => one.id === agent);
  return [...(adapter?.liveness?.(environment, probe) ?? [])].flatMap(([session, { pid: owner, alive }]) =>
    alive && owner !== undefined && isOf(owner, pid, probe) ? [session] : [],
  );
}

/** Number of parents that are checked: a loop may start its agent through a script that starts a launcher that starts the program. */
const GENERATIONS = 16;

/** Returns whether this process is the one that was started, is in its process group, or descends from it. */
function isOf(owner: number, pid: number, probe: SuperviseOptions['probe']): boolean {
  let one: number | undefined = owner;
  for (let generation = 0; one !== undefined && one > 1 && generation < GENERATIONS; generation++) {
    if (one === pid) return true;
    const status = probe.read(`/proc/${one}/stat`);
    const [, parent, group] = status?.slice(status.lastIndexOf(')') + 2).split(' ') ?? [];
    if (Number(group) === pid) return true;
    one = parent === undefined ? undefined : Number(parent);
  }
  return false;
}
