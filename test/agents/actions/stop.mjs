// Stop: the agent ends cleanly at its next tool call, by its own means.
import { click } from '../support/recovery.mjs';
import { time } from '../support/wait.mjs';
import { stuckAgent } from './loop.mjs';

export async function stop(stage) {
  const { agent, model, watcher, recovery, end } = stage;
  const { running, session, alarm } = await stuckAgent(stage, () => false);
  const clicked = Date.now();
  const { message } = (await click(recovery, alarm.incident, { action: 'stop' })).delivery;
  await watcher.receipt(session, message.id, 'taken');
  const requests = model.main().length;
  const { code } = await end(running);
  const took = Date.now() - clicked;
  // One request may already have been on its way.
  const more = model.main().length - requests;
  if (more > 1) throw new Error(`the model was asked ${more} times after the stop was taken`);
  const expected = agent.stopCodes ?? [0];
  if (!expected.includes(code))
    throw new Error(`the agent ended with code ${code} instead of ${expected.join(' or ')}`);
  return `ended ${time(took)} after the click, taken by ${await watcher.takenBy(session, message.id)}, exit code ${code}`;
}
