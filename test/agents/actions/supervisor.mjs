// The supervisor `unstuck run`: it runs the agent's command with piped streams and obeys the agent's inbox without any hook.
import { time } from '../support/wait.mjs';
import { alarmOf, HISTORY, loopScript, TASK } from './loop.mjs';

const PROMPT = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before the next test.';

export async function supervisor(stage) {
  const { agent, program, model, watcher, sandbox, parts, cli, startArgv, end, say } = stage;
  const { supervised = {} } = agent;
  const command = supervised.command?.(program) ?? agent.command(program, TASK);
  model.play(loopScript(agent, () => false));
  const own = [process.execPath, cli, 'run', '--agent', agent.id, '--json'];
  const kept = agent.args.map((word) => `--args=${word}`);
  const running = startArgv([...own, ...kept, '--', ...command], { input: supervised.begin ? 'pipe' : 'ignore' });
  await supervised.begin?.(running, TASK, sandbox);
  const { session } = await alarmOf(stage);
  const found = [];

  if (supervised.begin) {
    const clicked = Date.now();
    const { message } = await watcher.send({ kind: 'nudge', text: PROMPT }, session, agent.id);
    const request = await model.request('with the nudge', ({ text }) => text.includes(parts.markOf(message.id)));
    await watcher.receipt(session, message.id, 'seen');
    found.push(`nudge ${time(request.at - clicked)}`);
  }

  const asked = Date.now();
  const restart = {
    mode: 'resume',
    prompt: `${PROMPT} You were started again.`,
    model: agent.stronger,
    thinking: 'high',
  };
  const escalated = await watcher.send(
    { kind: 'escalate', text: 'Another model takes over.', restart },
    session,
    agent.id,
  );
  const mark = parts.markOf(escalated.message.id);
  const request = await model.request('of the restarted agent', ({ text }) => text.includes(mark));
  if (!agent.isStronger(request)) throw new Error(`the restarted agent asked ${request.model}`);
  if (!agent.compacts && !request.text.includes(HISTORY)) throw new Error('the old history was not in the request');
  found.push(`resumed with ${request.model} ${time(request.at - asked)}`);
  say(found.join(', '));

  // The restarted agent keeps looping, so it is stopped.
  const stopped = Date.now();
  const { message } = await watcher.send({ kind: 'stop', text: 'A person stopped this agent.' }, session, agent.id);
  await watcher.receipt(session, message.id, 'acted');
  if (supervised.lives) running.child.stdin.end();
  const ended = await end(running);
  found.push(`stopped ${time(Date.now() - stopped)}, exit code ${ended.code ?? ended.signal}`);
  return found.join(', ');
}
