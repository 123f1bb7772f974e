// A person at a terminal: the agent loops there, is nudged while it works, and again after its turn has ended.
import { click } from '../../support/recovery.mjs';
import { time, until } from '../../support/wait.mjs';
import { alarmOf, loopScript, TASK } from '../loop.mjs';
import { copiesIn, isResting, staysWaiting, takenOnce } from './terminal.mjs';

const IDLE = 'Unstuck, an automated watcher, wrote this; a person sent it. Look at the README once more.';

export async function inTerminal(stage) {
  const { agent, model, watcher, recovery, parts } = stage;
  const terminal = await stage.open();
  model.play(loopScript(agent, ({ text }) => text.includes('[unstuck ')));
  await terminal.prompt(TASK);
  const { alarm, session } = await alarmOf(stage);

  const clicked = Date.now();
  const { message } = (await click(recovery, alarm.incident, { action: 'nudge' })).delivery;
  const mark = parts.markOf(message.id);
  const request = await model.request('with the nudge', ({ text }) => text.includes(mark));
  await watcher.receipt(session, message.id, 'acted');
  await until('the recovery', () => watcher.incidents.get(alarm.incident.id).incident.state === 'recovered');
  await terminal.sees('its last words', () => terminal.shows('The test passes now.'));
  await isResting(stage, session);

  model.play(() => ({ text: 'I looked at it.' }));
  const sent = Date.now();
  const idle = (await watcher.send({ kind: 'nudge', text: IDLE }, session, agent.id)).message;
  if (!agent.interactive.wakes) {
    await staysWaiting(stage, session, [idle.id], 'while it is idle');
    await terminal.prompt('Go on, please.');
    await model.request('with the prompt', ({ text }) => text.includes('Go on, please.'));
  }
  const woken = await model.request('with the second nudge', ({ text }) => text.includes(parts.markOf(idle.id)));
  await watcher.receipt(session, idle.id, 'seen');
  await takenOnce(stage, session, [message.id, idle.id]);
  if (copiesIn(woken, parts.markOf(idle.id)) !== 1) throw new Error('the second nudge stands twice in the request');
  const how = agent.interactive.wakes
    ? `woken ${time(woken.at - sent)} after it`
    : 'not woken, came with the next prompt';
  return `request ${time(request.at - clicked)} after the click; idle: ${how}`;
}
