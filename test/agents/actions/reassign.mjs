// Reassign: another agent takes over the task that the first is stuck on, and is told what to avoid.
import { inTurn } from '../model/scripts.mjs';
import { click } from '../support/recovery.mjs';
import { time, until } from '../support/wait.mjs';
import { loopScript, stuckAgent, wayOut } from './loop.mjs';

const OTHER_TASK = 'Look around in this shop and describe it.';

export async function reassign(stage) {
  const { agent, model, watcher, recovery, start, end, parts } = stage;
  const { alarm, running } = await stuckAgent(stage, () => false);
  // The other agent works on a task of its own until the text arrives.
  const looking = inTurn(
    Array.from({ length: 40 }, (_, turn) => agent.shell(`sleep 0.2; echo part ${turn} of the shop`)),
  );
  const takingOver = inTurn(wayOut(agent));
  const stuck = loopScript(agent, () => false);
  model.play((request) => {
    if (!request.text.includes(OTHER_TASK)) return stuck(request);
    return request.text.includes('[unstuck ') ? takingOver() : looking();
  });
  const known = new Set(watcher.engine.agents().map((one) => one.session));
  const other = start(agent.command, OTHER_TASK);
  const view = await until('the other session', () => watcher.engine.agents().find((one) => !known.has(one.session)));
  const clicked = Date.now();
  const { message } = (await click(recovery, alarm.incident, { action: 'reassign', to: view.session })).delivery;
  const request = await model.request('with the task', ({ text }) => text.includes(parts.markOf(message.id)));
  if (!request.text.includes(OTHER_TASK)) throw new Error('the task reached the agent that is stuck itself');
  await watcher.receipt(view.session, message.id, 'seen');
  stage.interrupt(running);
  await end(running);
  const { code } = await end(other);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);
  return `request of the other agent ${time(request.at - clicked)} after the click, seen`;
}
