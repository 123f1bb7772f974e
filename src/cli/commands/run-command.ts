import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { systemProbe } from '../../engine/follow/probe';
import { isAgentId } from '../../core/model';
import { supervise, type SupervisorEvent } from '../../agents/supervisor';
import { signsInLine } from '../../base/util/showable';
import { readArguments } from '../arguments';
import { type Output, UsageError } from '../output';

const USAGE = 'unstuck run --agent NAME [--session ID] [--folder DIR] [--args WORD]… -- <command>…';
const PASSED_ON: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * `run --agent NAME -- <command>…`: runs an agent and obeys its inbox. Standard output belongs to the command alone; the supervisor writes to
 * standard error. The exit code is the command's.
 */
export async function runCommand(args: readonly string[], output: Output): Promise<number> {
  const cut = args.indexOf('--');
  const command = cut < 0 ? [] : args.slice(cut + 1);
  const { values, positionals } = readArguments('run', cut < 0 ? args : args.slice(0, cut), {
    agent: { type: 'string' },
    session: { type: 'string' },
    folder: { type: 'string' },
    args: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    quiet: { type: 'boolean' },
  });
  if (command.length === 0 || positionals.length > 0)
    throw new UsageError('usage', `unstuck run: put the command after "--". ${USAGE}`);
  const { agent } = values;
  if (!agent || !isAgentId(agent)) {
    const why = agent ? `there is no agent "${agent}". For any other agent, use "generic"` : '--agent is missing';
    throw new UsageError('usage', `unstuck run: ${why}. ${USAGE}`);
  }
  if (agent === 'generic' && !values.session) {
    throw new UsageError('usage', `unstuck run: a generic agent does not name its session. Use --session. ${USAGE}`);
  }
  const folder = resolve(values.folder ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError('unreadable', `unstuck run: ${folder} is not a readable folder.`);
  const report = (event: SupervisorEvent) => {
    if (values.json) output.note(JSON.stringify({ kind: 'supervisor', t: new Date().toISOString(), agent, ...event }));
    else if (!values.quiet) output.note(`unstuck: ${signsInLine(event.message)}`);
  };
  return supervise({
    agent,
    command,
    folder,
    args: values.args ?? [],
    env: process.env,
    streams: process,
    environment: { home: homedir(), env: process.env, platform: process.platform },
    probe: systemProbe,
    now: Date.now,
    report,
    onSignal(listener) {
      for (const signal of PASSED_ON) process.on(signal, listener);
      return () => PASSED_ON.forEach((signal) => process.off(signal, listener));
    },
    ...(values.session !== undefined && { session: values.session }),
  });
}
