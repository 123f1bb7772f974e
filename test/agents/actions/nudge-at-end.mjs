// The agent is about to end its turn: a waiting message makes it continue instead.
import { inTurn } from '../model/scripts.mjs';
import { time } from '../support/wait.mjs';
import { TASK } from './loop.mjs';

const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Run the test once more before you end.';

export async function nudgeAtEnd(stage) {
  const { agent, model, watcher, start, end, parts, say } = stage;
  let release = () => {};
  const hold = new Promise((done) => (release = done));
  const before = inTurn([agent.shell('npm test'), agent.shell('cat src/price.js')]);
  const after = inTurn([agent.shell('npm test'), agent.shell('git status --short')]);
  model.play((request) => {
    if (request.text.includes('[unstuck ')) return after();
    const reply = before();
    return reply.calls ? reply : { text: 'All done.', hold };
  });
  const running = start(agent.command, TASK);
  await model.request('whose answer ends the turn', (request) => request === model.main()[2]);
  const { session } = await watcher.session();
  const { message } = await watcher.send({ kind: 'nudge', text: WORDS }, session, agent.id);
  const released = Date.now();
  release();
  const request = await model.request('with the nudge', ({ text }) => text.includes(parts.markOf(message.id)));
  say(`the turn went on with the nudge ${time(request.at - released)} after the last answer`);
  await watcher.receipt(session, message.id, 'seen');
  const { code } = await end(running);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);
  return `request ${time(request.at - released)} after the end, seen`;
}
