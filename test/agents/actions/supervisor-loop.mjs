// `unstuck run -- sh ralph.sh`: the supervisor follows the loop from session to session, and a stop ends the whole loop.
import { time, until } from '../support/wait.mjs';
import { RUNS, runsScript, writeLoop } from './runs.mjs';

export async function supervisorLoop(stage) {
  const { agent, model, watcher, cli, startArgv, end } = stage;
  model.play(runsScript(agent));
  const running = startArgv([process.execPath, cli, 'run', '--agent', agent.id, '--json', '--', ...writeLoop(stage)]);
  const told = () =>
    running.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .flatMap(({ event, session }) => (event === 'session' ? [session] : []));
  await until('the third session of the loop', () => told()[2]);
  const [, second] = told();

  const restart = { mode: 'fresh', prompt: 'Read src/price.js first.' };
  const asked = await watcher.send({ kind: 'restart', text: 'Another try.', restart }, second, agent.id);
  const { reason } = await watcher.receipt(second, asked.message.id, 'failed');
  if (reason !== 'own_prompt') throw new Error(`the restart was refused with ${reason}`);

  const clicked = Date.now();
  const { message } = await watcher.send({ kind: 'stop', text: 'A person stopped this loop.' }, second, agent.id);
  await watcher.receipt(second, message.id, 'acted');
  const { code } = await end(running);
  const sessions = told();
  if (sessions.length >= RUNS) throw new Error(`the loop ran to its end: ${sessions.length} sessions`);
  if (code !== 143) throw new Error(`the supervisor ended with code ${code}`);
  return `${sessions.length} of ${RUNS} runs, a stop of the second ended the loop in ${time(Date.now() - clicked)}`;
}
