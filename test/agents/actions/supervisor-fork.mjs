// A fork through the supervisor: the agent continues in another session that has the history, without a terminal.
import { time, until } from '../support/wait.mjs';
import { alarmOf, HISTORY, loopScript, TASK } from './loop.mjs';

const PROMPT = 'Unstuck, an automated watcher, wrote this; a person sent it. Go another way.';

export async function supervisorFork(stage) {
  const { agent, program, model, watcher, sandbox, parts, cli, startArgv, end } = stage;
  const { supervised = {} } = agent;
  const command = supervised.command?.(program) ?? agent.command(program, TASK);
  let mark = '[unstuck ';
  model.play(loopScript(agent, ({ text }) => text.includes(mark)));
  const own = [process.execPath, cli, 'run', '--agent', agent.id, '--json'];
  const kept = agent.args.map((word) => `--args=${word}`);
  const running = startArgv([...own, ...kept, '--', ...command], { input: supervised.begin ? 'pipe' : 'ignore' });
  await supervised.begin?.(running, TASK, sandbox);
  const { session } = await alarmOf(stage);

  const asked = Date.now();
  const restart = { mode: 'fork', prompt: PROMPT };
  const { message } = await watcher.send({ kind: 'restart', text: 'Another try.', restart }, session, agent.id);
  mark = parts.markOf(message.id);
  const request = await model.request('of the fork', ({ text }) => text.includes(mark));
  if (!request.text.includes(HISTORY)) throw new Error('the history was not in the request of the fork');
  const { reason } = await watcher.receipt(session, message.id, 'acted');
  const others = () => watcher.engine.agents().filter((view) => view.session !== session);
  const other = await until('the other session in the agents’ list', () => others()[0]);
  if (reason !== 'started_anew' && reason !== `goes_on_as ${other.session}`)
    throw new Error(`the receipt says ${reason}`);
  running.child.stdin?.end();
  const { code } = await end(running);
  if (code !== 0) throw new Error(`the supervisor ended with code ${code}`);
  return `request with the history ${time(request.at - asked)} after the click, another session`;
}
