// A command that the agent started in the background is still running when its turn has ended: the agent is idle, and a nudge wakes it.
import { time, until } from '../../support/wait.mjs';
import { isResting, takenOnce } from './terminal.mjs';

const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before you go on.';
const LONG = "node -e 'setTimeout(() => {}, 600_000)' in-the-background";

export async function background(stage) {
  const { agent, model, watcher, sandbox, parts } = stage;
  const terminal = await stage.open();
  let started = false;
  model.play((request) => {
    if (started || request.text.includes('[unstuck ')) return { text: 'It runs.' };
    started = true;
    return { calls: [agent.interactive.inBackground(LONG)] };
  });
  await terminal.prompt('Start the long command in the background.');
  const { session } = await watcher.session();
  const runs = () => sandbox.programs().some((line) => line.includes('in-the-background'));
  await until('the long command', runs);
  await isResting(stage, session);
  const sent = Date.now();
  const { message } = await watcher.send({ kind: 'nudge', text: WORDS }, session, agent.id);
  const request = await model.request('with the nudge', ({ text }) => text.includes(parts.markOf(message.id)));
  if (!runs()) throw new Error('the command had ended');
  await watcher.receipt(session, message.id, 'seen');
  await takenOnce(stage, session, [message.id]);
  return `woken ${time(request.at - sent)} after the nudge, while the command went on`;
}
