// An agent that is already running is connected and disconnected again. Afterwards its settings are what they were, byte for byte.
import { existsSync, readFileSync } from 'node:fs';
import { time, until } from '../../support/wait.mjs';
import { takenOnce } from './terminal.mjs';

const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before you go on.';
/** Turns in which an agent that reads its hooks at its start might have taken the message nevertheless. */
const TURNS = 6;

export async function late(stage) {
  const { agent, model, watcher, bridge, place, parts } = stage;
  const target = { ...place, scope: agent.scope };
  const plan = await bridge.plan(target);
  if (!plan.ok) throw new Error(plan.error.message);
  const { file } = plan.value;

  const terminal = await stage.open();
  const before = existsSync(file) ? readFileSync(file) : null;
  let round = 0;
  model.play(() => {
    round += 1;
    return round > 200 ? { text: 'Enough.' } : { calls: [agent.shell(`sleep 1; echo round ${round}`)] };
  });
  await terminal.prompt('Count in this shop.');
  const { session } = await watcher.session();
  await until('its work', () => round >= 3);
  await stage.connect();
  const sent = Date.now();
  const { message } = await watcher.send({ kind: 'nudge', text: WORDS }, session, agent.id);
  const mark = parts.markOf(message.id);
  const asked = round;
  let what;
  if (bridge.abilities.joinsRunning) {
    const request = await model.request('with the nudge', ({ text }) => text.includes(mark));
    await watcher.receipt(session, message.id, 'seen');
    await takenOnce(stage, session, [message.id]);
    what = `in the request ${time(request.at - sent)} after it was sent`;
  } else {
    await until('more of its work', () => round >= asked + TURNS);
    const delivery = await watcher.delivery(session, message.id);
    if (delivery?.state !== 'queued' || model.main().some(({ text }) => text.includes(mark)))
      throw new Error(`the message is ${delivery?.state}, although this agent reads its hooks at its start only`);
    what = `waits: in ${TURNS} more turns it is not taken, since the agent reads its hooks at its start`;
  }
  await terminal.end();

  const gone = await bridge.disconnect(target);
  if (!gone.ok) throw new Error(gone.error.message);
  const after = existsSync(file) ? readFileSync(file) : null;
  const same = before === null ? after === null : after?.equals(before) === true;
  if (!same) throw new Error(`Disconnect left ${file} other than it was: ${after?.toString('utf8')}`);
  return `${what}; disconnected, its settings ${before === null ? 'file is gone as before' : 'are as before, byte for byte'}`;
}
