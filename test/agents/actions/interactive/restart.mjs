// Restart of an agent in a terminal: it is ended there and resumed in the same terminal, as the window does it, with the exact prompt.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTurn } from '../../model/scripts.mjs';
import { time, until } from '../../support/wait.mjs';
import { alarmOf, loopScript, TASK, wayOut } from '../loop.mjs';

/** Milliseconds after which an agent that has not ended is killed, as the window does it. */
const GRACE_MS = 5_000;

export async function terminalRestart(stage) {
  const { agent, program, model, watcher, recovery, sandbox, parts } = stage;
  const terminal = await stage.open();
  model.play(loopScript(agent, () => false));
  await terminal.prompt(TASK);
  const { alarm, session } = await alarmOf(stage);

  const pid = await until('the process of the session', () => processOf(stage, session));
  const parentOf = (one) => parts.parentInStat(parts.readSmall(`/proc/${one}/stat`));
  const family = parts.familyOf(pid, parentOf);
  if (!family.includes(terminal.shell))
    throw new Error(`process ${pid} is of ${family}, not of the terminal ${terminal.shell}`);

  const plan = parts.planLaunch(
    {
      agent: agent.id,
      mode: 'resume',
      style: 'terminal',
      session,
      prompt: recovery.draft(alarm.incident.id, 'resume'),
      newSession: randomUUID(),
      cwd: sandbox.workspace,
    },
    { [agent.id]: { program, args: agent.args } },
  );
  if (!plan.ok) throw new Error(`no way to start it again: ${plan.error.message}`);
  model.play(inTurn(wayOut(agent)));
  const clicked = Date.now();
  process.kill(pid, 'SIGTERM');
  let isKilled = false;
  await until('the end of the process', () => {
    if (parts.isProcessAlive(pid) && !isKilled && Date.now() - clicked > GRACE_MS)
      isKilled = process.kill(pid, 'SIGKILL');
    return !parts.isProcessAlive(pid);
  });
  const ended = Date.now();
  await until('the prompt of the shell', () => terminal.rests);
  const script = join(sandbox.root, 'restart.sh');
  writeFileSync(script, parts.startScript(plan.value));
  terminal.line(parts.lineFor(script));
  const request = await model.request('with the prompt', ({ text }) => text.includes('Unstuck, an automated watcher'));
  const others = watcher.engine.agents().filter((view) => view.session !== session);
  if (others.length > 0) throw new Error('it went on in another session');
  await until('the process that goes on', async () => {
    const next = await processOf(stage, session);
    return next !== null && next !== pid;
  });
  return `${isKilled ? 'killed' : 'ended'} in ${time(ended - clicked)}, its next request ${time(request.at - clicked)} after the click, in the same terminal and session`;
}

/** The process that runs a session: known from the agent's own files, else from the system if that is certain; otherwise null. */
async function processOf({ agent, watcher, sandbox, parts }, session) {
  const { liveness } = watcher.engine.session(session);
  const { file } = watcher.engine.agent(session);
  if (liveness?.pid !== undefined) return liveness.alive ? liveness.pid : null;
  const others = watcher.engine.agents().filter((view) => view.session !== session && view.parent === undefined);
  const sought = {
    agent: agent.id,
    file,
    cwd: sandbox.workspace,
    others: others.map(({ health }) => health.lastEventAt),
  };
  return parts.processOfSession(sought, await parts.findAgentProcesses(process.getuid()));
}
