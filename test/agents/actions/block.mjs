// Block: exactly the repeated call is refused, once; the reason reaches the model as its result.
import { time } from '../support/wait.mjs';
import { loopOf, stuckAgent } from './loop.mjs';

const REASON = 'This call failed the same way each time. It was refused once: read src/price.js first.';
const RESULT = 'FAIL total: expected 7, got';

export async function block(stage) {
  const { agent, model, watcher, end, parts } = stage;
  const { running, session } = await stuckAgent(stage, ({ text }) => text.includes('[unstuck '));
  const call = loopOf(agent).at(-1);
  const blocked = { name: agent.callName?.(call) ?? call.name, args: call.args };
  const clicked = Date.now();
  const { message } = await watcher.send({ kind: 'block', text: REASON, call: blocked }, session, agent.id);
  const request = await model.request('with the refusal', ({ text }) => text.includes(parts.markOf(message.id)));
  const before = model.main()[model.main().indexOf(request) - 1];
  const runs = (text) => text.split(RESULT).length - 1;
  if (runs(request.text) !== runs(before.text)) throw new Error('the refused call ran all the same');
  const { code } = await end(running);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);
  await watcher.receipt(session, message.id, 'seen');
  return `refused once, the reason in the request after ${time(request.at - clicked)}`;
}
