// Block: exactly the repeated call is refused, once, and the reason reaches the model as its result.
import { click } from '../support/recovery.mjs';
import { time } from '../support/wait.mjs';
import { stuckAgent } from './loop.mjs';

const RESULT = 'FAIL total: expected 7, got';
const OWN_MESSAGE = /Unstuck, an automated watcher[\s\S]*?\[unstuck [0-9A-HJKMNP-TV-Z]{26}\]/g;

export async function block(stage) {
  const { model, watcher, recovery, end, parts } = stage;
  const { running, session, alarm } = await stuckAgent(stage, ({ text }) => text.includes('[unstuck '));
  const clicked = Date.now();
  const { message } = (await click(recovery, alarm.incident, { action: 'block' })).delivery;
  const request = await model.request('with the refusal', ({ text }) => text.includes(parts.markOf(message.id)));
  const before = model.main()[model.main().indexOf(request) - 1];
  // our own message quotes the last result
  const runs = (text) => text.replace(OWN_MESSAGE, '').split(RESULT).length - 1;
  if (runs(request.text) !== runs(before.text)) throw new Error('the refused call ran all the same');
  const { code } = await end(running);
  if (code !== 0) throw new Error(`the agent ended with code ${code}`);
  await watcher.receipt(session, message.id, 'seen');
  return `refused once, the reason in the request after ${time(request.at - clicked)}`;
}
