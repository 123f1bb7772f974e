// Reassign: another agent takes over what the first is stuck on, and is told what to avoid.
import { inTurn } from '../model/scripts.mjs';
import { time, until } from '../support/wait.mjs';
import { loopScript, stuckAgent, wayOut } from './loop.mjs';

const OTHER_TASK = 'Look around in this shop and describe it.';

export async function reassign(stage) {
  const { agent, model, watcher, start, end, parts } = stage;
  const { session, alarm, running } = await stuckAgent(stage, () => false);
  // The other agent works on something of its own until the text arrives.
  const looking = inTurn(
    Array.from({ length: 40 }, (_, turn) => agent.shell(`sleep 0.2; echo part ${turn} of the shop`)),
  );
  const takingOver = inTurn(wayOut(agent));
  const stuck = loopScript(agent, () => false);
  model.play((request) => {
    if (!request.text.includes(OTHER_TASK)) return stuck(request);
    return request.text.includes('[unstuck ') ? takingOver() : looking();
  });
  const other = start(agent.command, OTHER_TASK);
  const view = await until('the other session', () => watcher.engine.agents().find((one) => one.session !== session));
  const avoid = [alarm.incident.subject];
  const prompt = `Another agent is stuck on making the test pass. Take it over. It repeated ${alarm.incident.subject}; avoid that approach.`;
  const clicked = Date.now();
  const task = { to: view.session, avoid, prompt };
  const { message } = await watcher.send({ kind: 'reassign', text: prompt, task }, view.session, agent.id);
  const request = await model.request('with the task', ({ text }) => text.includes(parts.markOf(message.id)));
  if (!request.text.includes(OTHER_TASK)) throw new Error('the task reached the agent that is stuck itself');
  await watcher.receipt(view.session, message.id, 'seen');
  process.kill(-running.child.pid, 'SIGINT');
  await end(running);
  const { code } = await end(other);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);
  return `request of the other agent ${time(request.at - clicked)} after the click, seen`;
}
